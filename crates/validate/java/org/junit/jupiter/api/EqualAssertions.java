package org.junit.jupiter.api;

import java.util.function.Supplier;
import petrel.validate.Compare;

/**
 * The assertEquals methods of Assertions.
 * All overloads are here, because they decide what a call means: e is what is expected, a what is there, and m
 * a message.
 */
class EqualAssertions {
    public static void assertEquals(byte e, byte a) { Compare.equal(e, a, null); }
    public static void assertEquals(byte e, byte a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(byte e, byte a, Supplier<String> m) { Compare.equal(e, a, m); }
    public static void assertEquals(byte e, Byte a) { Compare.equal(e, a, null); }
    public static void assertEquals(byte e, Byte a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(byte e, Byte a, Supplier<String> m) { Compare.equal(e, a, m); }
    public static void assertEquals(Byte e, byte a) { Compare.equal(e, a, null); }
    public static void assertEquals(Byte e, byte a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(Byte e, byte a, Supplier<String> m) { Compare.equal(e, a, m); }
    public static void assertEquals(Byte e, Byte a) { Compare.equal(e, a, null); }
    public static void assertEquals(Byte e, Byte a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(Byte e, Byte a, Supplier<String> m) { Compare.equal(e, a, m); }

    public static void assertEquals(short e, short a) { Compare.equal(e, a, null); }
    public static void assertEquals(short e, short a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(short e, short a, Supplier<String> m) { Compare.equal(e, a, m); }
    public static void assertEquals(short e, Short a) { Compare.equal(e, a, null); }
    public static void assertEquals(short e, Short a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(short e, Short a, Supplier<String> m) { Compare.equal(e, a, m); }
    public static void assertEquals(Short e, short a) { Compare.equal(e, a, null); }
    public static void assertEquals(Short e, short a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(Short e, short a, Supplier<String> m) { Compare.equal(e, a, m); }
    public static void assertEquals(Short e, Short a) { Compare.equal(e, a, null); }
    public static void assertEquals(Short e, Short a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(Short e, Short a, Supplier<String> m) { Compare.equal(e, a, m); }

    public static void assertEquals(char e, char a) { Compare.equal(e, a, null); }
    public static void assertEquals(char e, char a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(char e, char a, Supplier<String> m) { Compare.equal(e, a, m); }
    public static void assertEquals(char e, Character a) { Compare.equal(e, a, null); }
    public static void assertEquals(char e, Character a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(char e, Character a, Supplier<String> m) { Compare.equal(e, a, m); }
    public static void assertEquals(Character e, char a) { Compare.equal(e, a, null); }
    public static void assertEquals(Character e, char a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(Character e, char a, Supplier<String> m) { Compare.equal(e, a, m); }
    public static void assertEquals(Character e, Character a) { Compare.equal(e, a, null); }
    public static void assertEquals(Character e, Character a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(Character e, Character a, Supplier<String> m) { Compare.equal(e, a, m); }

    public static void assertEquals(int e, int a) { Compare.equal(e, a, null); }
    public static void assertEquals(int e, int a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(int e, int a, Supplier<String> m) { Compare.equal(e, a, m); }
    public static void assertEquals(int e, Integer a) { Compare.equal(e, a, null); }
    public static void assertEquals(int e, Integer a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(int e, Integer a, Supplier<String> m) { Compare.equal(e, a, m); }
    public static void assertEquals(Integer e, int a) { Compare.equal(e, a, null); }
    public static void assertEquals(Integer e, int a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(Integer e, int a, Supplier<String> m) { Compare.equal(e, a, m); }
    public static void assertEquals(Integer e, Integer a) { Compare.equal(e, a, null); }
    public static void assertEquals(Integer e, Integer a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(Integer e, Integer a, Supplier<String> m) { Compare.equal(e, a, m); }

    public static void assertEquals(long e, long a) { Compare.equal(e, a, null); }
    public static void assertEquals(long e, long a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(long e, long a, Supplier<String> m) { Compare.equal(e, a, m); }
    public static void assertEquals(long e, Long a) { Compare.equal(e, a, null); }
    public static void assertEquals(long e, Long a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(long e, Long a, Supplier<String> m) { Compare.equal(e, a, m); }
    public static void assertEquals(Long e, long a) { Compare.equal(e, a, null); }
    public static void assertEquals(Long e, long a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(Long e, long a, Supplier<String> m) { Compare.equal(e, a, m); }
    public static void assertEquals(Long e, Long a) { Compare.equal(e, a, null); }
    public static void assertEquals(Long e, Long a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(Long e, Long a, Supplier<String> m) { Compare.equal(e, a, m); }

    public static void assertEquals(float e, float a) { Compare.equal(e, a, null); }
    public static void assertEquals(float e, float a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(float e, float a, Supplier<String> m) { Compare.equal(e, a, m); }
    public static void assertEquals(float e, Float a) { Compare.equal(e, a, null); }
    public static void assertEquals(float e, Float a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(float e, Float a, Supplier<String> m) { Compare.equal(e, a, m); }
    public static void assertEquals(Float e, float a) { Compare.equal(e, a, null); }
    public static void assertEquals(Float e, float a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(Float e, float a, Supplier<String> m) { Compare.equal(e, a, m); }
    public static void assertEquals(Float e, Float a) { Compare.equal(e, a, null); }
    public static void assertEquals(Float e, Float a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(Float e, Float a, Supplier<String> m) { Compare.equal(e, a, m); }
    public static void assertEquals(float e, float a, float delta) {
        Compare.near(e, a, delta, null);
    }
    public static void assertEquals(float e, float a, float delta, String m) {
        Compare.near(e, a, delta, m);
    }
    public static void assertEquals(float e, float a, float delta, Supplier<String> m) {
        Compare.near(e, a, delta, m);
    }

    public static void assertEquals(double e, double a) { Compare.equal(e, a, null); }
    public static void assertEquals(double e, double a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(double e, double a, Supplier<String> m) { Compare.equal(e, a, m); }
    public static void assertEquals(double e, Double a) { Compare.equal(e, a, null); }
    public static void assertEquals(double e, Double a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(double e, Double a, Supplier<String> m) { Compare.equal(e, a, m); }
    public static void assertEquals(Double e, double a) { Compare.equal(e, a, null); }
    public static void assertEquals(Double e, double a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(Double e, double a, Supplier<String> m) { Compare.equal(e, a, m); }
    public static void assertEquals(Double e, Double a) { Compare.equal(e, a, null); }
    public static void assertEquals(Double e, Double a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(Double e, Double a, Supplier<String> m) { Compare.equal(e, a, m); }
    public static void assertEquals(double e, double a, double delta) {
        Compare.near(e, a, delta, null);
    }
    public static void assertEquals(double e, double a, double delta, String m) {
        Compare.near(e, a, delta, m);
    }
    public static void assertEquals(double e, double a, double delta, Supplier<String> m) {
        Compare.near(e, a, delta, m);
    }

    public static void assertEquals(Object e, Object a) { Compare.equal(e, a, null); }
    public static void assertEquals(Object e, Object a, String m) { Compare.equal(e, a, m); }
    public static void assertEquals(Object e, Object a, Supplier<String> m) { Compare.equal(e, a, m); }
}
