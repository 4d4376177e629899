package org.junit.jupiter.api;

import java.util.function.Supplier;
import petrel.validate.Compare;

/**
 * The assertNotEquals methods of Assertions.
 * All overloads are here, because they decide what a call means: e is what is expected, a what is there, and m
 * a message.
 */
class UnequalAssertions extends EqualAssertions {
    public static void assertNotEquals(byte e, byte a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(byte e, byte a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(byte e, byte a, Supplier<String> m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(byte e, Byte a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(byte e, Byte a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(byte e, Byte a, Supplier<String> m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Byte e, byte a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(Byte e, byte a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Byte e, byte a, Supplier<String> m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Byte e, Byte a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(Byte e, Byte a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Byte e, Byte a, Supplier<String> m) { Compare.unequal(e, a, m); }

    public static void assertNotEquals(short e, short a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(short e, short a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(short e, short a, Supplier<String> m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(short e, Short a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(short e, Short a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(short e, Short a, Supplier<String> m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Short e, short a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(Short e, short a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Short e, short a, Supplier<String> m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Short e, Short a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(Short e, Short a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Short e, Short a, Supplier<String> m) { Compare.unequal(e, a, m); }

    public static void assertNotEquals(char e, char a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(char e, char a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(char e, char a, Supplier<String> m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(char e, Character a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(char e, Character a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(char e, Character a, Supplier<String> m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Character e, char a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(Character e, char a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Character e, char a, Supplier<String> m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Character e, Character a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(Character e, Character a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Character e, Character a, Supplier<String> m) { Compare.unequal(e, a, m); }

    public static void assertNotEquals(int e, int a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(int e, int a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(int e, int a, Supplier<String> m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(int e, Integer a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(int e, Integer a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(int e, Integer a, Supplier<String> m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Integer e, int a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(Integer e, int a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Integer e, int a, Supplier<String> m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Integer e, Integer a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(Integer e, Integer a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Integer e, Integer a, Supplier<String> m) { Compare.unequal(e, a, m); }

    public static void assertNotEquals(long e, long a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(long e, long a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(long e, long a, Supplier<String> m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(long e, Long a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(long e, Long a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(long e, Long a, Supplier<String> m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Long e, long a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(Long e, long a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Long e, long a, Supplier<String> m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Long e, Long a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(Long e, Long a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Long e, Long a, Supplier<String> m) { Compare.unequal(e, a, m); }

    public static void assertNotEquals(float e, float a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(float e, float a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(float e, float a, Supplier<String> m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(float e, Float a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(float e, Float a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(float e, Float a, Supplier<String> m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Float e, float a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(Float e, float a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Float e, float a, Supplier<String> m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Float e, Float a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(Float e, Float a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Float e, Float a, Supplier<String> m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(float e, float a, float delta) {
        Compare.far(e, a, delta, null);
    }
    public static void assertNotEquals(float e, float a, float delta, String m) {
        Compare.far(e, a, delta, m);
    }
    public static void assertNotEquals(float e, float a, float delta, Supplier<String> m) {
        Compare.far(e, a, delta, m);
    }

    public static void assertNotEquals(double e, double a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(double e, double a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(double e, double a, Supplier<String> m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(double e, Double a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(double e, Double a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(double e, Double a, Supplier<String> m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Double e, double a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(Double e, double a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Double e, double a, Supplier<String> m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Double e, Double a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(Double e, Double a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Double e, Double a, Supplier<String> m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(double e, double a, double delta) {
        Compare.far(e, a, delta, null);
    }
    public static void assertNotEquals(double e, double a, double delta, String m) {
        Compare.far(e, a, delta, m);
    }
    public static void assertNotEquals(double e, double a, double delta, Supplier<String> m) {
        Compare.far(e, a, delta, m);
    }

    public static void assertNotEquals(Object e, Object a) { Compare.unequal(e, a, null); }
    public static void assertNotEquals(Object e, Object a, String m) { Compare.unequal(e, a, m); }
    public static void assertNotEquals(Object e, Object a, Supplier<String> m) { Compare.unequal(e, a, m); }
}
