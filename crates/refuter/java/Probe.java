package petrel.refuter;

/** What instrumented code calls on each of its branches. */
public final class Probe {
    /** For each probe whether its branch was taken. */
    static byte[] taken = new byte[0];
    /** The call under way has to end: it takes too long, or has taken too many branches. */
    static volatile boolean expired;
    /** How many branches may be taken until then. Other than time, it is the same in each run. */
    static int left;
    /** The probes that were hit for the first time since somebody has looked. */
    private static int[] fresh = new int[64];
    private static int freshCount;

    private Probe() {}

    public static void hit(int number) {
        // What happens from now on is our doing, not the program's.
        if (--left < 0 || expired) expire();
        if (taken[number] == 0) first(number);
    }

    private static void expire() {
        expired = true;
        // What catches it and goes on in a loop must not count to the other end of the numbers.
        left = 0;
        throw Expired.INSTANCE;
    }

    private static synchronized void first(int number) {
        if (taken[number] != 0) return;
        taken[number] = 1;
        if (freshCount == fresh.length) fresh = java.util.Arrays.copyOf(fresh, freshCount * 2);
        fresh[freshCount++] = number;
    }

    static boolean hasFresh() {
        return freshCount > 0;
    }

    static synchronized int[] takeFresh() {
        int[] numbers = java.util.Arrays.copyOf(fresh, freshCount);
        freshCount = 0;
        return numbers;
    }

    /** Forgets what was hit for the first time. */
    static synchronized void dropFresh() {
        for (int i = 0; i < freshCount; i++) taken[fresh[i]] = 0;
        freshCount = 0;
    }
}
