import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Ways in which a call can end, and things that it can do to the process on the way. */
class Endings {
    static class Broken {
        static final int VALUE = 1 / zero();

        static int zero() {
            return 0;
        }

        static void use() {}
    }

    static class Rude extends RuntimeException {
        @Override
        public String getMessage() {
            throw new IllegalStateException();
        }
    }

    private static final List<Object> KEPT = new ArrayList<>();

    static int divide(int a, int b) {
        return a / b;
    }

    static void fail(String message) throws Exception {
        throw message == null ? new Exception() : new Exception(message);
    }

    static void beRude() {
        throw new Rude();
    }

    static int mutateAndFail(int[] array) {
        array[0] = 5;
        return array[array.length];
    }

    static void loop() {
        while (true) {}
    }

    static void loopCatchingAll() {
        while (true) {
            try {
                Thread.sleep(1000);
            } catch (Throwable ignored) {
                // Not to be stopped.
            }
        }
    }

    static void leave() {
        System.setProperty("petrel.replay.leave", "");
    }

    static String folder() {
        return new java.io.File("").getAbsolutePath();
    }

    static void exit(int status) {
        System.exit(status);
    }

    static void halt(int status) {
        Runtime.getRuntime().halt(status);
    }

    static int recurse(int depth) {
        return recurse(depth + 1) + 1;
    }

    static int exhaust() {
        List<long[]> all = new ArrayList<>();
        while (true) {
            all.add(new long[1 << 16]);
        }
    }

    static int exhaustForEver() {
        while (true) {
            KEPT.add(new long[1 << 10]);
        }
    }

    static int print(String text) {
        System.out.print(text);
        System.err.println("to err");
        return System.out == System.err ? 1 : 0;
    }

    static void printMuch(int lines) {
        for (int i = 0; i < lines; i++) {
            System.out.println("0123456789");
        }
    }

    static void replaceStreams() {
        System.setOut(null);
        System.setErr(null);
        System.setIn(null);
    }

    static int closeStreams() throws IOException {
        int first = System.in.read();
        System.out.print("before");
        System.in.close();
        System.out.close();
        System.err.close();
        System.out.print(" after");
        return first;
    }

    static void abuseDescriptors() throws IOException {
        FileOutputStream output = new FileOutputStream(FileDescriptor.out);
        new PrintStream(output, true).println("this is no answer");
        output.close();
        FileInputStream input = new FileInputStream(FileDescriptor.in);
        try {
            input.skip(1);
            input.read();
        } finally {
            input.close();
        }
    }

    static void leaveThread() {
        new Thread(() -> {
            while (true) {
                try {
                    Thread.sleep(1000);
                } catch (InterruptedException ignored) {
                    // It stays.
                }
            }
        }).start();
    }

    static void exitLater(int status) {
        new Thread(() -> System.exit(status)).start();
    }

    /** Sends a signal to the JVM itself. */
    static void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("sh", "-c", "kill -" + name + " $PPID").start().waitFor();
        Thread.sleep(60000);
    }

    static void interrupt() {
        Thread.currentThread().interrupt();
    }

    static boolean isInterrupted() {
        return Thread.currentThread().isInterrupted();
    }
}
