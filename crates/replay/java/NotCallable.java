package petrel.replay;

/** Why a call could not be made. */
final class NotCallable extends Exception {
    private static final long serialVersionUID = 1;

    NotCallable(String reason) {
        super(reason, null, false, false);
    }
}
