package petrel.validate;

import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * The threads that a test leaves behind. What they do would be blamed on later tests, so they get a moment to end
 * by themselves, then an interrupt, and if they still go on the process is given up.
 *
 * <p>Threads that wait for somebody to wake them up do nothing by themselves, and are left alone: those of an idle
 * executor, for instance.
 */
final class StrayThreads {
    private static final long PATIENCE_NANOS = 100000000L;

    private final ThreadGroup group = Thread.currentThread().getThreadGroup();
    private final Set<Thread> before = Collections.newSetFromMap(new IdentityHashMap<>());
    private Thread stray;

    private StrayThreads() {
        before.addAll(Arrays.asList(threads()));
    }

    static StrayThreads before() {
        return new StrayThreads();
    }

    /** Whether no new thread goes on. Else the harness is told to replace the process. */
    boolean areGone() {
        if (waitForThem()) {
            return true;
        }
        for (Thread thread : threads()) {
            if (isActive(thread)) {
                thread.interrupt();
            }
        }
        if (waitForThem()) {
            return true;
        }
        System.setProperty("petrel.replay.leave", "a test has left a thread");
        return false;
    }

    /** The name of a thread that goes on. */
    String name() {
        return stray.getName();
    }

    private boolean waitForThem() {
        long start = System.nanoTime();
        while (findActive()) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                return false;
            }
            try {
                Thread.sleep(1);
            } catch (InterruptedException ignored) {
                // A stray may interrupt all threads that it finds.
            }
        }
        return true;
    }

    private boolean findActive() {
        for (Thread thread : threads()) {
            if (isActive(thread)) {
                stray = thread;
                return true;
            }
        }
        return false;
    }

    private boolean isActive(Thread thread) {
        if (before.contains(thread)) {
            return false;
        }
        switch (thread.getState()) {
            case NEW:
            case WAITING:
            case TERMINATED:
                return false;
            case TIMED_WAITING:
                return !isParked(thread);
            default:
                return true;
        }
    }

    /** A worker of an executor that waits for work parks for a time; who sleeps has something in mind. */
    private static boolean isParked(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        return stack.length == 0 || stack[0].getMethodName().equals("park");
    }

    /** The threads of this thread's group, to which the threads of a test belong, and below. */
    private Thread[] threads() {
        Thread[] threads = new Thread[group.activeCount() + 8];
        int count = group.enumerate(threads);
        return Arrays.copyOf(threads, count);
    }
}
