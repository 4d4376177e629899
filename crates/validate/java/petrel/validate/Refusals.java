package petrel.validate;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What the sandbox refuses to a test. Code may catch what is thrown then, so this is read in a log of the JVM itself, if
 * there is one: it has all exceptions, and it names native methods when they are called for the first time. Some of
 * those tell a failure by their result alone, which nobody can see: whoever calls them is found out by that, and the
 * process is replaced, so that the next one is found out, too.
 */
final class Refusals {
    /** Names the log; empty if there is a sandbox and no log. */
    private static final String PROPERTY = "petrel.validate.sandbox";

    /** More is not read of what one test does. */
    private static final int MOST_BYTES = 1 << 24;

    private static final boolean HAS_SANDBOX = System.getProperty(PROPERTY) != null;
    /** What the log begins with: who writes to it as a test does cannot keep that. */
    private static final byte[] MARK = ("# " + System.nanoTime() + " " + new Object().hashCode() + "\n").getBytes(StandardCharsets.UTF_8);

    private static final RandomAccessFile LOG = open();

    private final long start = length();

    static {
        if (HAS_SANDBOX) {
            fixLaunchMechanism();
        }
    }

    private Refusals() {}

    static Refusals before() {
        return new Refusals();
    }

    /** What was refused since then, or null. A test that ended by an exception has thrown this. */
    String after(Throwable thrown) {
        if (!HAS_SANDBOX) {
            return null;
        }
        String found = null;
        // A chain of causes may have no end.
        Throwable cause = thrown;
        for (int i = 0; cause != null && found == null && i < 20; i++) {
            found = Refusal.of(cause.getClass().getName().replace('.', '/'), messageOf(cause));
            cause = causeOf(cause);
        }
        boolean isWhole = LOG == null || length() >= start && isMarked();
        JvmLog log = new JvmLog(isWhole ? written() : "");
        if (found == null) {
            found = isWhole ? log.refusal() : "changes the log of its JVM";
        }
        if (!isWhole) {
            mark();
        }
        if (log.hasHiddenResult()) {
            System.setProperty("petrel.replay.leave", "a native method is known by its first call");
        }
        return found;
    }

    /** Both are code of the program, which may do anything. */
    private static String messageOf(Throwable thrown) {
        try {
            return thrown.getMessage();
        } catch (Throwable another) {
            return null;
        }
    }

    private static Throwable causeOf(Throwable thrown) {
        try {
            return thrown.getCause();
        } catch (Throwable another) {
            return null;
        }
    }

    private static RandomAccessFile open() {
        String name = System.getProperty(PROPERTY, "");
        try {
            if (name.isEmpty()) {
                return null;
            }
            RandomAccessFile log = new RandomAccessFile(name, "rw");
            mark(log);
            return log;
        } catch (IOException missing) {
            return null;
        }
    }

    /** Begins the log anew; the JVM goes on at the end, wherever that is. */
    private static void mark(RandomAccessFile log) throws IOException {
        log.setLength(0);
        log.write(MARK);
    }

    private static void mark() {
        try {
            mark(LOG);
        } catch (IOException unwritable) {
            // Then the next test is told the same.
        }
    }

    private static boolean isMarked() {
        try {
            byte[] found = new byte[MARK.length];
            LOG.seek(0);
            LOG.readFully(found);
            return Arrays.equals(found, MARK);
        } catch (IOException unreadable) {
            return false;
        }
    }

    private static long length() {
        try {
            return LOG == null ? 0 : LOG.length();
        } catch (IOException unreadable) {
            return 0;
        }
    }

    /** What the log has got since then. */
    private String written() {
        try {
            long length = length() - start;
            if (length <= 0) {
                return "";
            }
            byte[] bytes = new byte[(int) Math.min(length, MOST_BYTES)];
            LOG.seek(start);
            LOG.readFully(bytes);
            if (start + length > MOST_BYTES) {
                mark(LOG);
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            return "";
        }
    }

    /**
     * Programs are started by one that the JDK brings, which the sandbox does not allow. A property may ask for another
     * way, until this class is initialised.
     */
    private static void fixLaunchMechanism() {
        try {
            Class.forName("java.lang.ProcessImpl");
        } catch (ClassNotFoundException | LinkageError otherName) {
            // Then the sandbox itself has to do.
        }
    }
}
