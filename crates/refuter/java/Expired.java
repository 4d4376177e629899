package petrel.refuter;

/** Ends a call that takes too long. */
final class Expired extends Error {
    static final Expired INSTANCE = new Expired();
    private static final long serialVersionUID = 1;

    private Expired() {
        super("the time of the call is over", null, false, false);
    }
}
