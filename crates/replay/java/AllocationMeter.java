package petrel.replay;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;

/**
 * Measures how many bytes a call allocates.
 *
 * <p>The JVM is started so that a reflective call always goes through its native code, which makes
 * one new box for a primitive result, one wrapper for an exception, and nothing else. How many
 * bytes these are is found out on methods of this class, and subtracted.
 */
final class AllocationMeter extends Meter {
    /** After so many calls, two in a row have cost the same. */
    private static final int MOST_TRIES = 10;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final long thread = Thread.currentThread().getId();
    /** What a call costs that allocates nothing, for each type of results. */
    private final Map<Class<?>, Long> ofResults = new HashMap<>();
    private final long ofException;
    private final long ofConstructor;
    private long allocated;

    /** Methods and a constructor that allocate nothing. */
    @SuppressWarnings("unused")
    static final class Samples {
        static final RuntimeException PREPARED = new RuntimeException();

        static void ofVoid() {}

        static boolean ofBoolean() {
            return true;
        }

        static byte ofByte() {
            return 1;
        }

        static char ofChar() {
            return 1;
        }

        static short ofShort() {
            return 1;
        }

        static int ofInt() {
            return 1;
        }

        static long ofLong() {
            return 1;
        }

        static float ofFloat() {
            return 1;
        }

        static double ofDouble() {
            return 1;
        }

        static Object ofReference() {
            return PREPARED;
        }
    }

    /** A method that throws. */
    @SuppressWarnings("unused")
    static final class Thrower {
        static void ofException() {
            throw Samples.PREPARED;
        }
    }

    AllocationMeter() throws NotCallable {
        if (!threads.isThreadAllocatedMemorySupported()) {
            throw new NotCallable("this JVM does not count the bytes that threads allocate");
        }
        threads.setThreadAllocatedMemoryEnabled(true);
        for (Method sample : Samples.class.getDeclaredMethods()) {
            ofResults.put(sample.getReturnType(), steady(sample, null));
        }
        ofException = steady(Thrower.class.getDeclaredMethods()[0], null);
        Constructor<?> constructor = Samples.class.getDeclaredConstructors()[0];
        long ofSample = steady(Layout.ALLOCATE, Layout.UNSAFE, Samples.class);
        ofConstructor = steady(constructor, null) - ofSample + ofResults.get(Object.class);
    }

    @Override
    boolean needsRehearsal() {
        // The first call also loads classes, links call sites and makes constants.
        return true;
    }

    @Override
    Object invoke(Worlds.World world, AccessibleObject member, Object receiver, Object[] arguments)
            throws NotCallable, InvocationTargetException {
        long ofObject = 0;
        long ofResult = ofConstructor;
        if (member instanceof Constructor) {
            // The new object is not the constructor's: it is up to the caller to allocate it.
            ofObject = size(((Constructor<?>) member).getDeclaringClass());
        } else {
            Class<?> type = ((Method) member).getReturnType();
            ofResult = ofResults.get(type.isPrimitive() ? type : Object.class);
        }
        long before = threads.getThreadAllocatedBytes(thread);
        try {
            Object result = Calls.invoke(member, receiver, arguments);
            allocated = threads.getThreadAllocatedBytes(thread) - before - ofResult - ofObject;
            return result;
        } catch (InvocationTargetException wrapper) {
            allocated = threads.getThreadAllocatedBytes(thread) - before - ofException - ofObject;
            throw wrapper;
        }
    }

    @Override
    void writeTo(FrameWriter frame) {
        frame.writeBoolean(true);
        frame.writeLong(allocated);
        frame.writeInt(0);
    }

    /** What a call costs once everything is linked. */
    private long steady(AccessibleObject sample, Object receiver, Object... arguments)
            throws NotCallable {
        sample.setAccessible(true);
        long last = -1;
        for (int i = 0; i < MOST_TRIES; i++) {
            long cost = cost(sample, receiver, arguments);
            if (cost == last) {
                return cost;
            }
            last = cost;
        }
        throw new NotCallable("this JVM allocates other numbers of bytes for equal calls");
    }

    /** How many bytes an instance of a class has. */
    private long size(Class<?> type) throws NotCallable {
        Object[] arguments = {type};
        long cost = cost(Layout.ALLOCATE, Layout.UNSAFE, arguments);
        return cost - ofResults.get(Object.class);
    }

    private long cost(AccessibleObject member, Object receiver, Object[] arguments)
            throws NotCallable {
        long before = threads.getThreadAllocatedBytes(thread);
        try {
            Calls.invoke(member, receiver, arguments);
        } catch (InvocationTargetException expected) {
            // Its wrapper is what is measured.
        }
        return threads.getThreadAllocatedBytes(thread) - before;
    }
}
