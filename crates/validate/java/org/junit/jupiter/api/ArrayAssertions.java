package org.junit.jupiter.api;

import java.util.function.Supplier;
import petrel.validate.Compare;

/** The assertArrayEquals methods of Assertions: e is what is expected, a what is there, and m a message. */
class ArrayAssertions extends UnequalAssertions {
    public static void assertArrayEquals(boolean[] e, boolean[] a) {
        Compare.arrays(e, a, null, null);
    }
    public static void assertArrayEquals(boolean[] e, boolean[] a, String m) {
        Compare.arrays(e, a, null, m);
    }
    public static void assertArrayEquals(boolean[] e, boolean[] a, Supplier<String> m) {
        Compare.arrays(e, a, null, m);
    }

    public static void assertArrayEquals(byte[] e, byte[] a) { Compare.arrays(e, a, null, null); }
    public static void assertArrayEquals(byte[] e, byte[] a, String m) {
        Compare.arrays(e, a, null, m);
    }
    public static void assertArrayEquals(byte[] e, byte[] a, Supplier<String> m) {
        Compare.arrays(e, a, null, m);
    }

    public static void assertArrayEquals(short[] e, short[] a) { Compare.arrays(e, a, null, null); }
    public static void assertArrayEquals(short[] e, short[] a, String m) {
        Compare.arrays(e, a, null, m);
    }
    public static void assertArrayEquals(short[] e, short[] a, Supplier<String> m) {
        Compare.arrays(e, a, null, m);
    }

    public static void assertArrayEquals(char[] e, char[] a) { Compare.arrays(e, a, null, null); }
    public static void assertArrayEquals(char[] e, char[] a, String m) {
        Compare.arrays(e, a, null, m);
    }
    public static void assertArrayEquals(char[] e, char[] a, Supplier<String> m) {
        Compare.arrays(e, a, null, m);
    }

    public static void assertArrayEquals(int[] e, int[] a) { Compare.arrays(e, a, null, null); }
    public static void assertArrayEquals(int[] e, int[] a, String m) {
        Compare.arrays(e, a, null, m);
    }
    public static void assertArrayEquals(int[] e, int[] a, Supplier<String> m) {
        Compare.arrays(e, a, null, m);
    }

    public static void assertArrayEquals(long[] e, long[] a) { Compare.arrays(e, a, null, null); }
    public static void assertArrayEquals(long[] e, long[] a, String m) {
        Compare.arrays(e, a, null, m);
    }
    public static void assertArrayEquals(long[] e, long[] a, Supplier<String> m) {
        Compare.arrays(e, a, null, m);
    }

    public static void assertArrayEquals(float[] e, float[] a) { Compare.arrays(e, a, null, null); }
    public static void assertArrayEquals(float[] e, float[] a, String m) {
        Compare.arrays(e, a, null, m);
    }
    public static void assertArrayEquals(float[] e, float[] a, Supplier<String> m) {
        Compare.arrays(e, a, null, m);
    }
    public static void assertArrayEquals(float[] e, float[] a, float delta) {
        Compare.arrays(e, a, Compare.valid(delta), null);
    }
    public static void assertArrayEquals(float[] e, float[] a, float delta, String m) {
        Compare.arrays(e, a, Compare.valid(delta), m);
    }
    public static void assertArrayEquals(float[] e, float[] a, float delta, Supplier<String> m) {
        Compare.arrays(e, a, Compare.valid(delta), m);
    }

    public static void assertArrayEquals(double[] e, double[] a) {
        Compare.arrays(e, a, null, null);
    }
    public static void assertArrayEquals(double[] e, double[] a, String m) {
        Compare.arrays(e, a, null, m);
    }
    public static void assertArrayEquals(double[] e, double[] a, Supplier<String> m) {
        Compare.arrays(e, a, null, m);
    }
    public static void assertArrayEquals(double[] e, double[] a, double delta) {
        Compare.arrays(e, a, Compare.valid(delta), null);
    }
    public static void assertArrayEquals(double[] e, double[] a, double delta, String m) {
        Compare.arrays(e, a, Compare.valid(delta), m);
    }
    public static void assertArrayEquals(double[] e, double[] a, double delta, Supplier<String> m) {
        Compare.arrays(e, a, Compare.valid(delta), m);
    }

    public static void assertArrayEquals(Object[] e, Object[] a) {
        Compare.arrays(e, a, null, null);
    }
    public static void assertArrayEquals(Object[] e, Object[] a, String m) {
        Compare.arrays(e, a, null, m);
    }
    public static void assertArrayEquals(Object[] e, Object[] a, Supplier<String> m) {
        Compare.arrays(e, a, null, m);
    }
}
