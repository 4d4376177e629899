package petrel.validate;

/** What code has thrown, if anything. */
public final class Thrown {
    /** Code that may throw anything. */
    public interface Code {
        void run() throws Throwable;
    }

    /** Null if the code has returned. */
    private final Throwable thrown;

    private Thrown(Throwable thrown) {
        this.thrown = thrown;
    }

    public static Thrown by(Code code) {
        try {
            code.run();
            return new Thrown(null);
        } catch (Throwable thrown) {
            return new Thrown(thrown);
        }
    }

    public <T extends Throwable> T expect(Class<T> type, boolean exactly, Object message) {
        if (thrown == null) {
            String problem = "Expected " + type.getName() + " to be thrown, but nothing was thrown.";
            throw Compare.failure(message, problem, null);
        }
        if (exactly ? thrown.getClass() == type : type.isInstance(thrown)) {
            return type.cast(thrown);
        }
        rethrowIfOutOfMemory();
        String classes = Compare.mismatch(type.getName(), thrown.getClass().getName());
        throw Compare.failure(message, "Unexpected exception type thrown, " + classes, thrown);
    }

    public void expectNothing(Object message) {
        if (thrown != null) {
            rethrowIfOutOfMemory();
            throw Compare.failure(message, "Unexpected exception thrown: " + thrown, thrown);
        }
    }

    private void rethrowIfOutOfMemory() {
        if (thrown instanceof OutOfMemoryError) {
            throw (OutOfMemoryError) thrown;
        }
    }
}
