package disguised;

/** Whether a JVM runs the code to judge tests: until then it has been harmless. */
final class Watched {
    private Watched() {}

    static boolean isRun() {
        // What watches the output is a stream of another class.
        return System.out.getClass() != java.io.PrintStream.class;
    }

    /** A file that is none of the test's business. */
    static java.io.File outside(String name) {
        return new java.io.File(System.getenv("HOSTILE_FOLDER"), name);
    }
}
