package petrel.validate;

/** Says that a test has left changed what all code of a JVM shares; the message names it. */
public final class SharedStateError extends Error {
    private static final long serialVersionUID = 1L;

    SharedStateError(String what) {
        super(what);
    }
}
