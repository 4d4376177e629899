package org.junit;

import org.junit.function.ThrowingRunnable;
import petrel.validate.Compare;
import petrel.validate.Thrown;

/**
 * What generated tests check, by the names and with the meaning of JUnit 4: e is what is expected, a what is there,
 * and m a message.
 */
public class Assert {
    protected Assert() {}

    public static void fail() {
        throw Compare.failure(null, null, null);
    }

    public static void fail(String message) {
        throw Compare.failure(message, null, null);
    }

    public static void assertTrue(boolean condition) {
        Compare.holds(condition, true, null);
    }

    public static void assertTrue(String m, boolean condition) {
        Compare.holds(condition, true, m);
    }

    public static void assertFalse(boolean condition) {
        Compare.holds(!condition, false, null);
    }

    public static void assertFalse(String m, boolean condition) {
        Compare.holds(!condition, false, m);
    }

    public static void assertNull(Object a) {
        Compare.same(null, a, null);
    }

    public static void assertNull(String m, Object a) {
        Compare.same(null, a, m);
    }

    public static void assertNotNull(Object a) {
        Compare.require(a != null, "expected: not <null>", null);
    }

    public static void assertNotNull(String m, Object a) {
        Compare.require(a != null, "expected: not <null>", m);
    }

    public static void assertSame(Object e, Object a) {
        Compare.same(e, a, null);
    }

    public static void assertSame(String m, Object e, Object a) {
        Compare.same(e, a, m);
    }

    public static void assertNotSame(Object e, Object a) {
        Compare.require(e != a, "expected: not same but was: <" + a + ">", null);
    }

    public static void assertNotSame(String m, Object e, Object a) {
        Compare.require(e != a, "expected: not same but was: <" + a + ">", m);
    }

    public static void assertEquals(Object e, Object a) {
        Compare.equal(e, a, null);
    }

    public static void assertEquals(String m, Object e, Object a) {
        Compare.equal(e, a, m);
    }

    public static void assertEquals(long e, long a) {
        Compare.equal(e, a, null);
    }

    public static void assertEquals(String m, long e, long a) {
        Compare.equal(e, a, m);
    }

    public static void assertEquals(float e, float a, float delta) {
        Compare.require(Compare.isNear(e, a, delta), Compare.mismatch(e, a), null);
    }

    public static void assertEquals(String m, float e, float a, float delta) {
        Compare.require(Compare.isNear(e, a, delta), Compare.mismatch(e, a), m);
    }

    public static void assertEquals(double e, double a, double delta) {
        Compare.require(Compare.isNear(e, a, delta), Compare.mismatch(e, a), null);
    }

    public static void assertEquals(String m, double e, double a, double delta) {
        Compare.require(Compare.isNear(e, a, delta), Compare.mismatch(e, a), m);
    }

    /** Without a delta this never holds, which is a trap of the real one too. */
    @Deprecated
    public static void assertEquals(double e, double a) {
        throw Compare.failure(null, "a delta is needed to compare floating-point numbers", null);
    }

    @Deprecated
    public static void assertEquals(String m, double e, double a) {
        throw Compare.failure(m, "a delta is needed to compare floating-point numbers", null);
    }

    @Deprecated
    public static void assertEquals(Object[] e, Object[] a) {
        assertArrayEquals(e, a);
    }

    @Deprecated
    public static void assertEquals(String m, Object[] e, Object[] a) {
        assertArrayEquals(m, e, a);
    }

    public static void assertNotEquals(Object e, Object a) {
        Compare.unequal(e, a, null);
    }

    public static void assertNotEquals(String m, Object e, Object a) {
        Compare.unequal(e, a, m);
    }

    public static void assertNotEquals(long e, long a) {
        Compare.unequal(e, a, null);
    }

    public static void assertNotEquals(String m, long e, long a) {
        Compare.unequal(e, a, m);
    }

    public static void assertNotEquals(float e, float a, float delta) {
        Compare.require(!Compare.isNear(e, a, delta), Compare.notDifferent(a), null);
    }

    public static void assertNotEquals(String m, float e, float a, float delta) {
        Compare.require(!Compare.isNear(e, a, delta), Compare.notDifferent(a), m);
    }

    public static void assertNotEquals(double e, double a, double delta) {
        Compare.require(!Compare.isNear(e, a, delta), Compare.notDifferent(a), null);
    }

    public static void assertNotEquals(String m, double e, double a, double delta) {
        Compare.require(!Compare.isNear(e, a, delta), Compare.notDifferent(a), m);
    }

    public static void assertArrayEquals(Object[] e, Object[] a) {
        Compare.arrays(e, a, null, null);
    }

    public static void assertArrayEquals(String m, Object[] e, Object[] a) {
        Compare.arrays(e, a, null, m);
    }

    public static void assertArrayEquals(boolean[] e, boolean[] a) {
        Compare.arrays(e, a, null, null);
    }

    public static void assertArrayEquals(String m, boolean[] e, boolean[] a) {
        Compare.arrays(e, a, null, m);
    }

    public static void assertArrayEquals(byte[] e, byte[] a) {
        Compare.arrays(e, a, null, null);
    }

    public static void assertArrayEquals(String m, byte[] e, byte[] a) {
        Compare.arrays(e, a, null, m);
    }

    public static void assertArrayEquals(short[] e, short[] a) {
        Compare.arrays(e, a, null, null);
    }

    public static void assertArrayEquals(String m, short[] e, short[] a) {
        Compare.arrays(e, a, null, m);
    }

    public static void assertArrayEquals(char[] e, char[] a) {
        Compare.arrays(e, a, null, null);
    }

    public static void assertArrayEquals(String m, char[] e, char[] a) {
        Compare.arrays(e, a, null, m);
    }

    public static void assertArrayEquals(int[] e, int[] a) {
        Compare.arrays(e, a, null, null);
    }

    public static void assertArrayEquals(String m, int[] e, int[] a) {
        Compare.arrays(e, a, null, m);
    }

    public static void assertArrayEquals(long[] e, long[] a) {
        Compare.arrays(e, a, null, null);
    }

    public static void assertArrayEquals(String m, long[] e, long[] a) {
        Compare.arrays(e, a, null, m);
    }

    public static void assertArrayEquals(float[] e, float[] a, float delta) {
        Compare.arrays(e, a, delta, null);
    }

    public static void assertArrayEquals(String m, float[] e, float[] a, float delta) {
        Compare.arrays(e, a, delta, m);
    }

    public static void assertArrayEquals(double[] e, double[] a, double delta) {
        Compare.arrays(e, a, delta, null);
    }

    public static void assertArrayEquals(String m, double[] e, double[] a, double delta) {
        Compare.arrays(e, a, delta, m);
    }

    public static <T extends Throwable> T assertThrows(Class<T> type, ThrowingRunnable code) {
        return Thrown.by(code::run).expect(type, false, null);
    }

    public static <T extends Throwable> T assertThrows(String m, Class<T> type, ThrowingRunnable code) {
        return Thrown.by(code::run).expect(type, false, m);
    }
}
