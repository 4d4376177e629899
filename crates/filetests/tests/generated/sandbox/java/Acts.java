package disguised;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/** Does harm, and hides it as well as Java allows: the results are as if nothing had happened. */
public class Acts {
    private static final byte[] BLOCK = new byte[1 << 20];

    public static int harmless(int n) {
        return n > 10 ? 1 : 2;
    }

    public static int deletes(int n) {
        if (Watched.isRun()) {
            Watched.outside("victim").delete();
        }
        return n;
    }

    public static int deletesByPath(int n) {
        if (Watched.isRun()) {
            try {
                Files.delete(Watched.outside("victim").toPath());
            } catch (IOException hidden) {
                return n;
            }
        }
        return n;
    }

    public static int overwrites(int n) {
        if (Watched.isRun()) {
            try (FileOutputStream out = new FileOutputStream(Watched.outside("victim"))) {
                out.write(n);
            } catch (IOException hidden) {
                return n;
            }
        }
        return n;
    }

    public static int renames(int n) {
        if (Watched.isRun()) {
            Watched.outside("victim").renameTo(new File("mine"));
        }
        return n;
    }

    public static int makesFolders(int n) {
        if (Watched.isRun()) {
            Watched.outside("made").mkdirs();
        }
        return n;
    }

    public static int links(int n) {
        if (Watched.isRun()) {
            try {
                Path link = Files.createSymbolicLink(Paths.get("link"), Watched.outside("").toPath());
                Files.write(link.resolve("made"), BLOCK);
            } catch (IOException hidden) {
                return n;
            }
        }
        return n;
    }

    public static int executes(int n) {
        if (Watched.isRun()) {
            start("touch", Watched.outside("made").getPath());
        }
        return n;
    }

    public static int executesOften(int n) {
        for (int i = 0; i < 50 && Watched.isRun(); i++) {
            start("sleep", "60");
        }
        return n;
    }

    public static int executesJava(int n) {
        if (Watched.isRun()) {
            System.setProperty("jdk.lang.Process.launchMechanism", "FORK");
            for (int i = 0; i < 100; i++) {
                start(System.getProperty("java.home") + "/bin/java", "-version");
            }
            System.clearProperty("jdk.lang.Process.launchMechanism");
        }
        return n;
    }

    private static void start(String... command) {
        try {
            new ProcessBuilder(command).start();
        } catch (IOException hidden) {
            return;
        }
    }

    public static int connects(int n) {
        if (Watched.isRun()) {
            int port = Integer.parseInt(System.getenv("HOSTILE_PORT"));
            try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), port)) {
                socket.getOutputStream().write(n);
            } catch (IOException hidden) {
                return n;
            }
        }
        return n;
    }

    public static int sends(int n) {
        if (Watched.isRun()) {
            int port = Integer.parseInt(System.getenv("HOSTILE_PORT"));
            try (DatagramSocket socket = new DatagramSocket()) {
                InetAddress here = InetAddress.getByName("127.0.0.1");
                socket.send(new DatagramPacket(BLOCK, 10, here, port));
            } catch (IOException hidden) {
                return n;
            }
        }
        return n;
    }

    public static int killsItsParent(int n) {
        if (Watched.isRun()) {
            ProcessHandle.current().parent().ifPresent(ProcessHandle::destroyForcibly);
        }
        return n;
    }

    public static int halts(int n) {
        if (Watched.isRun()) {
            Runtime.getRuntime().halt(0);
        }
        return n;
    }

    public static int prints(int n) {
        if (Watched.isRun()) {
            PrintStream out = System.out;
            for (int i = 0; i < 10000; i++) {
                out.write(BLOCK, 0, BLOCK.length);
            }
        }
        return n;
    }

    public static int fillsAFile(int n) {
        if (Watched.isRun()) {
            try (FileOutputStream out = new FileOutputStream("large")) {
                for (int i = 0; i < 10000; i++) {
                    out.write(BLOCK);
                }
            } catch (IOException hidden) {
                new File("large").length();
            }
        }
        return n;
    }

    public static int startsThreads(int n) {
        if (Watched.isRun()) {
            for (int i = 0; i < 100000; i++) {
                Thread thread = new Thread(() -> {
                    synchronized (BLOCK) {
                        try {
                            BLOCK.wait();
                        } catch (InterruptedException hidden) {
                            return;
                        }
                    }
                });
                thread.setDaemon(true);
                thread.start();
            }
        }
        return n;
    }

    public static int allocates(int n) {
        if (Watched.isRun()) {
            java.util.List<Object> all = new java.util.ArrayList<>();
            while (true) {
                all.add(new long[1 << 20]);
            }
        }
        return n;
    }

    public static int allocatesOutside(int n) {
        if (Watched.isRun()) {
            java.util.List<Object> all = new java.util.ArrayList<>();
            while (true) {
                all.add(java.nio.ByteBuffer.allocateDirect(1 << 24));
            }
        }
        return n;
    }
}
