package disguised;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/** Tries to blind whoever watches, or to leave folders in which nobody can go on. */
public class Covers {
    public static int harmless(int n) {
        return n > 10 ? 1 : 2;
    }

    public static int emptiesTheLog(int n) {
        if (Watched.isRun()) {
            try {
                Files.write(Watched.outside("victim").toPath(), new byte[0]);
            } catch (IOException hidden) {
                emptyLog();
            }
        }
        return n;
    }

    private static void emptyLog() {
        try (RandomAccessFile log = new RandomAccessFile("../jvm.log", "rw")) {
            log.setLength(0);
        } catch (IOException hidden) {
            return;
        }
    }

    public static int replacesTheLog(int n) {
        if (Watched.isRun()) {
            replace(Paths.get("../jvm.log").toAbsolutePath());
            Runtime.getRuntime().halt(0);
        }
        return n;
    }

    public static int replacesItsFolder(int n) {
        if (Watched.isRun()) {
            replace(Paths.get("").toAbsolutePath());
            Runtime.getRuntime().halt(0);
        }
        return n;
    }

    private static void replace(Path path) {
        try {
            Files.deleteIfExists(path);
            Files.createSymbolicLink(path, Watched.outside("").toPath());
        } catch (IOException hidden) {
            return;
        }
    }

    /** Folders that are deeper than any path may be long. */
    public static int digs(int n) {
        if (Watched.isRun()) {
            dig(new File("inner").toPath(), new File("outer").toPath());
        }
        return n;
    }

    private static void dig(Path inner, Path outer) {
        try {
            Files.createDirectory(inner);
            for (int i = 0; i < 8_000; i++) {
                Files.createDirectory(outer);
                Files.move(inner, outer.resolve("inner"));
                Files.move(outer, inner);
            }
        } catch (IOException hidden) {
            return;
        }
    }
}
