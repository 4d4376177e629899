package hostile;

/** Calls that do not come back, and calls that go too deep. */
public class Endless {
    private int count;

    public static int forever(int n) {
        int sum = 0;
        while (true) {
            sum += n;
            if (sum == 7 && n == 0) {
                return sum;
            }
        }
    }

    public static void spin() {
        for (;;) {
        }
    }

    public static int deep(int n) {
        return deep(n + 1) + 1;
    }

    public static int deepUnlessNegative(int n) {
        return n < 0 ? n : deepUnlessNegative(n + 1 & Integer.MAX_VALUE) + 1;
    }

    public static long waits(boolean really) throws InterruptedException {
        if (really) {
            Thread.sleep(1_000_000);
        }
        return 1;
    }

    public void locksUp(Object other) throws InterruptedException {
        count++;
        synchronized (other) {
            while (count > 0) {
                other.wait();
            }
        }
    }
}
