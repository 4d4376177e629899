package petrel.validate;

import java.lang.reflect.Array;
import java.util.Iterator;
import java.util.Objects;
import java.util.function.Supplier;
import org.opentest4j.AssertionFailedError;

/**
 * What the assertions have in common. A message is null, a text or a supplier of one. Numbers are compared as the
 * objects that box them: NaN is NaN, and -0.0 is not 0.0.
 */
public final class Compare {
    private Compare() {}

    /** What a failed assertion throws: the user's message, and what is wrong. */
    public static AssertionError failure(Object message, String problem, Throwable cause) {
        Object given = message instanceof Supplier ? ((Supplier<?>) message).get() : message;
        String text = problem;
        if (given != null) {
            text = problem == null ? given.toString() : given + " ==> " + problem;
        }
        return new AssertionFailedError(text, cause);
    }

    public static void require(boolean holds, String problem, Object message) {
        if (!holds) {
            throw failure(message, problem, null);
        }
    }

    public static void holds(boolean holds, boolean expected, Object message) {
        if (!holds) {
            throw failure(message, mismatch(expected, !expected), null);
        }
    }

    public static void same(Object expected, Object actual, Object message) {
        if (expected != actual) {
            throw failure(message, mismatch(expected, actual), null);
        }
    }

    public static void equal(Object expected, Object actual, Object message) {
        if (!Objects.equals(expected, actual)) {
            throw failure(message, mismatch(expected, actual), null);
        }
    }

    public static void unequal(Object unexpected, Object actual, Object message) {
        if (Objects.equals(unexpected, actual)) {
            throw failure(message, notDifferent(actual), null);
        }
    }

    public static void near(float expected, float actual, float delta, Object message) {
        require(isNear(expected, actual, valid(delta)), mismatch(expected, actual), message);
    }

    public static void near(double expected, double actual, double delta, Object message) {
        require(isNear(expected, actual, valid(delta)), mismatch(expected, actual), message);
    }

    public static void far(float unexpected, float actual, float delta, Object message) {
        require(!isNear(unexpected, actual, valid(delta)), notDifferent(actual), message);
    }

    public static void far(double unexpected, double actual, double delta, Object message) {
        require(!isNear(unexpected, actual, valid(delta)), notDifferent(actual), message);
    }

    public static boolean isNear(float expected, float actual, float delta) {
        return Float.compare(expected, actual) == 0 || Math.abs(expected - actual) <= delta;
    }

    public static boolean isNear(double expected, double actual, double delta) {
        return Double.compare(expected, actual) == 0 || Math.abs(expected - actual) <= delta;
    }

    /** JUnit 5 takes no negative delta. */
    public static float valid(float delta) {
        valid((double) delta);
        return delta;
    }

    public static double valid(double delta) {
        require(delta >= 0, "positive delta expected but was: <" + delta + ">", null);
        return delta;
    }

    public static <T> T instance(Class<T> type, Object actual, Object message) {
        if (type.isInstance(actual)) {
            return type.cast(actual);
        }
        Object found = actual == null ? null : actual.getClass().getName();
        throw failure(message, mismatch(type.getName(), found), null);
    }

    public static void iterables(Iterable<?> expected, Iterable<?> actual, Object message) {
        if (expected == actual) {
            return;
        }
        if (expected == null || actual == null) {
            throw failure(message, mismatch(expected, actual), null);
        }
        Iterator<?> wanted = expected.iterator();
        Iterator<?> found = actual.iterator();
        int index = 0;
        while (wanted.hasNext() && found.hasNext()) {
            Object e = wanted.next();
            Object a = found.next();
            if (e instanceof Iterable && a instanceof Iterable) {
                iterables((Iterable<?>) e, (Iterable<?>) a, message);
            } else if (!Objects.equals(e, a)) {
                throw failure(message, "at index " + index + ": " + mismatch(e, a), null);
            }
            index++;
        }
        String problem = "one of them has only " + index + " elements";
        require(wanted.hasNext() == found.hasNext(), problem, message);
    }

    /** Arrays of any types, and arrays in them; the delta is null for exact comparison. */
    public static void arrays(Object expected, Object actual, Number delta, Object message) {
        String difference = difference(expected, actual, delta);
        require(difference == null, difference, message);
    }

    /** The first difference between two arrays, or null. */
    private static String difference(Object expected, Object actual, Number delta) {
        if (expected == actual) {
            return null;
        }
        if (expected == null || actual == null) {
            return mismatch(expected, actual);
        }
        int length = Array.getLength(expected);
        if (length != Array.getLength(actual)) {
            return "array lengths: " + mismatch(length, Array.getLength(actual));
        }
        for (int i = 0; i < length; i++) {
            Object e = Array.get(expected, i);
            Object a = Array.get(actual, i);
            String difference;
            if (areArraysOfOneKind(e, a)) {
                difference = difference(e, a, delta);
            } else {
                difference = areElementsEqual(e, a, delta) ? null : mismatch(e, a);
            }
            if (difference != null) {
                return "at index " + i + ": " + difference;
            }
        }
        return null;
    }

    private static boolean areArraysOfOneKind(Object e, Object a) {
        if (e instanceof Object[]) {
            return a instanceof Object[];
        }
        return e != null && a != null && e.getClass().isArray() && e.getClass() == a.getClass();
    }

    private static boolean areElementsEqual(Object e, Object a, Number delta) {
        if (delta instanceof Float) {
            return isNear((Float) e, (Float) a, (Float) delta);
        }
        if (delta instanceof Double) {
            return isNear((Double) e, (Double) a, (Double) delta);
        }
        return Objects.equals(e, a);
    }

    public static String notDifferent(Object actual) {
        return "expected: not equal but was: <" + actual + ">";
    }

    /** Says what was expected; with the classes, if nothing else can be seen to differ. */
    public static String mismatch(Object expected, Object actual) {
        String e = String.valueOf(expected);
        String a = String.valueOf(actual);
        if (e.equals(a) && expected != null && actual != null) {
            return "expected: " + typed(expected, e) + " but was: " + typed(actual, a);
        }
        return "expected: <" + e + "> but was: <" + a + ">";
    }

    private static String typed(Object value, String text) {
        return value.getClass().getName() + "<" + text + ">";
    }
}
