package petrel.validate;

import java.util.HashMap;
import java.util.Map;

/** A part of a log that a JVM writes of its exceptions and of native methods when they are linked. */
final class JvmLog {
    private static final String NATIVE = "[Dynamic-linking native method ";
    private static final String EXCEPTION = "Exception <a '";
    private static final String THROWN = "thrown ";

    /** Who throws in these packages is the class library: others may throw what only looks like a refusal. */
    private static final String[] LIBRARY = {"java/", "javax/", "jdk/", "sun/", "com/sun/"};

    /** Native methods that tell nobody of a refusal, or change what the sandbox does not guard. */
    private static final Map<String, String> HIDDEN = new HashMap<>();

    static {
        String unseen = ", and whether the sandbox refuses that cannot be seen";
        hide("java.io.UnixFileSystem.delete", "tries to delete a file" + unseen);
        hide("java.io.UnixFileSystem.rename", "tries to rename a file" + unseen);
        hide("java.io.UnixFileSystem.createDirectory", "tries to make a folder" + unseen);
        hide("java.lang.ProcessHandleImpl.destroy", "tries to end a process" + unseen);
        String attributes = "changes the attributes of a file";
        hide("java.io.UnixFileSystem.setLastModifiedTime", attributes);
        hide("java.io.UnixFileSystem.setReadOnly", attributes);
        hide("java.io.UnixFileSystem.setPermission", attributes);
        String[] dispatched = {
            "chmod", "fchmod", "chown", "lchown", "fchown", "utimes", "futimes", "lutimes", "futimens", "fsetxattr", "fremovexattr"
        };
        for (String method : dispatched) {
            hide("sun.nio.fs.UnixNativeDispatcher." + method, attributes);
        }
        hide("sun.nio.ch.UnixDomainSockets.connect", "talks to a program through a socket of this machine");
    }

    private String refusal;
    private String hidden;

    JvmLog(String text) {
        String[] lines = text.split("\n");
        for (int i = 0; i < lines.length && refusal == null; i++) {
            if (lines[i].startsWith(NATIVE)) {
                readNative(lines[i]);
            } else if (lines[i].startsWith(EXCEPTION)) {
                i = readException(lines, i);
            }
        }
    }

    private static void hide(String method, String what) {
        // Some JDKs have a method for Java that calls the native one.
        HIDDEN.put(method, what);
        HIDDEN.put(method + "0", what);
    }

    /** What was refused, or may have been; or null. */
    String refusal() {
        return refusal == null ? hidden : refusal;
    }

    /** Whether a native method was linked that tells nobody of a refusal. */
    boolean hasHiddenResult() {
        return hidden != null;
    }

    private void readNative(String line) {
        String name = line.substring(NATIVE.length()).split(" ")[0];
        if (HIDDEN.containsKey(name)) {
            hidden = HIDDEN.get(name);
        }
    }

    /** Reads the exception that begins in a line, and says where it ends. Its message may have several lines. */
    private int readException(String[] lines, int first) {
        StringBuilder text = new StringBuilder(lines[first].substring(EXCEPTION.length()));
        int last = first + 1;
        while (last < lines.length && !lines[last].trim().startsWith(THROWN)) {
            text.append('\n').append(lines[last++]);
        }
        int type = text.indexOf("'");
        int message = text.indexOf("}: ");
        int end = text.lastIndexOf(">");
        if (last < lines.length && type > 0 && isOfLibrary(lines[last])) {
            boolean hasMessage = message > 0 && end > message;
            String told = hasMessage ? text.substring(message + 3, end) : "";
            refusal = Refusal.of(text.substring(0, type), told);
        }
        return last;
    }

    /** Whether a line says that it is a method of the class library that throws. */
    private static boolean isOfLibrary(String line) {
        int place = line.lastIndexOf(" in '");
        for (String prefix : LIBRARY) {
            if (place > 0 && line.startsWith(prefix, place + 5)) {
                return true;
            }
        }
        return false;
    }
}
