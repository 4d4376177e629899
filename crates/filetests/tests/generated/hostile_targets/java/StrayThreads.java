package hostile;

/** Leaves threads behind, and disturbs others. */
public class StrayThreads {
    public static int leavesOne(int n) {
        if (n > 0) {
            new Thread(() -> {
                for (;;) {
                    Thread.onSpinWait();
                }
            }).start();
        }
        return n;
    }

    public static int failsElsewhere(int n) throws InterruptedException {
        Thread thread = new Thread(() -> {
            throw new IllegalStateException("in another thread");
        });
        thread.start();
        thread.join();
        return n == 2 ? 1 : 0;
    }

    public static boolean replacesStreams(boolean close) {
        if (close) {
            System.out.close();
            System.setOut(null);
            System.setErr(null);
        }
        return close;
    }

    public static int interrupts(int n) {
        Thread.currentThread().interrupt();
        return n + 1;
    }

    public static void addsHook(int n) {
        if (n == 1) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                for (;;) {
                    Thread.onSpinWait();
                }
            }));
        }
    }
}
