package petrel.validate;

/** Says that a test has tried what the sandbox does not allow; the message says what. */
public final class RefusedError extends Error {
    private static final long serialVersionUID = 1L;

    RefusedError(String what) {
        super(what);
    }
}
