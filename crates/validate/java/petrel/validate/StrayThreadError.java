package petrel.validate;

/** Says that a test has ended and left a thread that goes on; the message is the name of the thread. */
public final class StrayThreadError extends Error {
    private static final long serialVersionUID = 1L;

    StrayThreadError(String thread) {
        super(thread);
    }
}
