package petrel.validate;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.TimeoutException;

/** Runs one test, as JUnit does: on a new object of its class, with what the annotation says. */
public final class TestRun {
    private TestRun() {}

    /** Returns if the test passes, and throws what it throws if not. */
    public static void run(String className, String methodName, boolean hasParameters)
            throws Throwable {
        StrayThreads strays = StrayThreads.before();
        SharedState shared = SharedState.before();
        Refusals refusals = Refusals.before();
        Throwable thrown = null;
        try {
            ClassLoader loader = TestRun.class.getClassLoader();
            Class<?> type = Class.forName(className, true, loader);
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            if (hasParameters) {
                Parameterized.run(Parameterized.find(type, methodName), constructor);
            } else {
                runPlain(type.getDeclaredMethod(methodName), constructor.newInstance());
            }
        } catch (InvocationTargetException wrapper) {
            thrown = wrapper.getCause();
        } catch (Throwable direct) {
            thrown = direct;
        }
        // After a test that fails, too: what else it does must not disturb others.
        boolean areGone = strays.areGone();
        String changed = areGone ? shared.restore() : "";
        String refused = refusals.after(thrown);
        if (refused != null) {
            throw new RefusedError(refused);
        }
        if (thrown != null) {
            throw thrown;
        }
        if (!areGone) {
            throw new StrayThreadError(strays.name());
        }
        if (!changed.isEmpty()) {
            throw new SharedStateError(changed);
        }
    }

    private static void runPlain(final Method method, final Object object) throws Throwable {
        method.setAccessible(true);
        org.junit.Test test = method.getAnnotation(org.junit.Test.class);
        if (test == null) {
            method.invoke(object);
        } else {
            check(test, () -> method.invoke(object));
        }
    }

    /** A test of JUnit 4 may have to throw, or to end in time. */
    private static void check(org.junit.Test test, Thrown.Code code) throws Throwable {
        Throwable thrown = test.timeout() > 0 ? thrownInTime(test.timeout(), code) : thrown(code);
        boolean mustThrow = test.expected() != org.junit.Test.None.class;
        if (mustThrow && thrown == null) {
            throw new AssertionError("Expected exception: " + test.expected().getName());
        }
        if (thrown != null && !(mustThrow && test.expected().isInstance(thrown))) {
            throw thrown;
        }
    }

    private static Throwable thrown(Thrown.Code code) {
        try {
            code.run();
            return null;
        } catch (InvocationTargetException wrapper) {
            return wrapper.getCause();
        } catch (Throwable direct) {
            return direct;
        }
    }

    private static Throwable thrownInTime(long milliseconds, final Thrown.Code code)
            throws InterruptedException {
        final Throwable[] thrown = new Throwable[1];
        Thread thread = new Thread(() -> thrown[0] = thrown(code), "test with a time limit");
        thread.setDaemon(true);
        thread.start();
        thread.join(milliseconds);
        if (thread.isAlive()) {
            String problem = "test timed out after " + milliseconds + " milliseconds";
            return new TimeoutException(problem);
        }
        return thrown[0];
    }
}
