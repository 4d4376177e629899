package petrel.validate;

import java.io.File;

/** What an exception tells of something that the sandbox does not allow. */
final class Refusal {
    private static final String[] OF_THE_NETWORK = {
        "Network is unreachable", "Permission denied", "Operation not permitted", "Cannot assign requested address"
    };

    private static final String DENIED = " (Permission denied)";
    private static final String SOME_FILE = "write, make or remove a file";

    private Refusal() {}

    /**
     * What was refused, or null. The type is an internal name. The message may be null, and what the JVM takes for the
     * message of an exception that is about a file is only the reason.
     */
    static String of(String type, String message) {
        String what = message == null ? null : what(type, message);
        return what == null ? null : "tries to " + what + ", which the sandbox refuses";
    }

    private static String what(String type, String message) {
        switch (type) {
            case "java/lang/OutOfMemoryError":
                return message.startsWith("unable to create") ? "start too many threads" : null;
            case "java/nio/file/AccessDeniedException":
                return message.isEmpty() ? SOME_FILE : writing(message.split(" -> ")[0]);
            case "java/nio/file/FileSystemException":
            case "java/io/IOException":
                return ofInputOrOutput(message);
            case "java/io/FileNotFoundException":
                return message.endsWith(DENIED)
                        ? writing(message.substring(0, message.length() - DENIED.length()))
                        : null;
            case "java/net/UnknownHostException":
                return "use the network";
            default:
                return type.startsWith("java/net/") && isOfTheNetwork(message)
                        ? "use the network"
                        : null;
        }
    }

    private static String ofInputOrOutput(String message) {
        // A program that is not there is none that is refused.
        if (message.startsWith("Cannot run program ") && !message.contains("error=2,")) {
            int end = message.indexOf('"', "Cannot run program \"".length());
            return "start the program " + message.substring("Cannot run program ".length(), end + 1);
        }
        if (message.endsWith("File too large")) {
            return "write a file that is too large";
        }
        boolean isDenied =
                message.endsWith("Permission denied")
                        || message.endsWith("Operation not permitted")
                        // What Landlock says of links and moves from one folder to another.
                        || message.endsWith("Invalid cross-device link");
        // What is said of a program that does not start is said again with its name.
        return isDenied && !message.startsWith("error=") ? SOME_FILE : null;
    }

    private static boolean isOfTheNetwork(String message) {
        for (String problem : OF_THE_NETWORK) {
            if (message.contains(problem)) {
                return true;
            }
        }
        return false;
    }

    /** Reading is not what the sandbox refuses: who may not read a file may not do so without it. */
    private static String writing(String name) {
        File file = new File(name);
        return file.exists() && !file.canRead() ? null : "write " + name;
    }
}
