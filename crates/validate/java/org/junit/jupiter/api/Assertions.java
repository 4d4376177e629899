package org.junit.jupiter.api;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.function.ThrowingSupplier;
import petrel.validate.Compare;
import petrel.validate.Thrown;

/**
 * What generated tests check, by the names and with the meaning of JUnit 5. The superclasses have the rest: a class
 * inherits static methods, and this one would be very long. In all of them e is what is expected, a what is
 * there, and m a message.
 */
public class Assertions extends ArrayAssertions {
    protected Assertions() {}

    public static <V> V fail() {
        throw Compare.failure(null, null, null);
    }

    public static <V> V fail(String message) {
        throw Compare.failure(message, null, null);
    }

    public static <V> V fail(String message, Throwable cause) {
        throw Compare.failure(message, null, cause);
    }

    public static <V> V fail(Throwable cause) {
        throw Compare.failure(null, null, cause);
    }

    public static <V> V fail(Supplier<String> message) {
        throw Compare.failure(message, null, null);
    }

    public static void assertTrue(boolean condition) {
        Compare.holds(condition, true, null);
    }

    public static void assertTrue(boolean condition, String m) {
        Compare.holds(condition, true, m);
    }

    public static void assertTrue(boolean condition, Supplier<String> m) {
        Compare.holds(condition, true, m);
    }

    public static void assertTrue(BooleanSupplier condition) {
        Compare.holds(condition.getAsBoolean(), true, null);
    }

    public static void assertTrue(BooleanSupplier condition, String m) {
        Compare.holds(condition.getAsBoolean(), true, m);
    }

    public static void assertTrue(BooleanSupplier condition, Supplier<String> m) {
        Compare.holds(condition.getAsBoolean(), true, m);
    }

    public static void assertFalse(boolean condition) {
        Compare.holds(!condition, false, null);
    }

    public static void assertFalse(boolean condition, String m) {
        Compare.holds(!condition, false, m);
    }

    public static void assertFalse(boolean condition, Supplier<String> m) {
        Compare.holds(!condition, false, m);
    }

    public static void assertFalse(BooleanSupplier condition) {
        Compare.holds(!condition.getAsBoolean(), false, null);
    }

    public static void assertFalse(BooleanSupplier condition, String m) {
        Compare.holds(!condition.getAsBoolean(), false, m);
    }

    public static void assertFalse(BooleanSupplier condition, Supplier<String> m) {
        Compare.holds(!condition.getAsBoolean(), false, m);
    }

    public static void assertNull(Object a) {
        Compare.same(null, a, null);
    }

    public static void assertNull(Object a, String m) {
        Compare.same(null, a, m);
    }

    public static void assertNull(Object a, Supplier<String> m) {
        Compare.same(null, a, m);
    }

    public static void assertNotNull(Object a) {
        Compare.require(a != null, "expected: not <null>", null);
    }

    public static void assertNotNull(Object a, String m) {
        Compare.require(a != null, "expected: not <null>", m);
    }

    public static void assertNotNull(Object a, Supplier<String> m) {
        Compare.require(a != null, "expected: not <null>", m);
    }

    public static void assertSame(Object e, Object a) {
        Compare.same(e, a, null);
    }

    public static void assertSame(Object e, Object a, String m) {
        Compare.same(e, a, m);
    }

    public static void assertSame(Object e, Object a, Supplier<String> m) {
        Compare.same(e, a, m);
    }

    public static void assertNotSame(Object e, Object a) {
        Compare.require(e != a, "expected: not same but was: <" + a + ">", null);
    }

    public static void assertNotSame(Object e, Object a, String m) {
        Compare.require(e != a, "expected: not same but was: <" + a + ">", m);
    }

    public static void assertNotSame(Object e, Object a, Supplier<String> m) {
        Compare.require(e != a, "expected: not same but was: <" + a + ">", m);
    }

    public static void assertIterableEquals(Iterable<?> e, Iterable<?> a) {
        Compare.iterables(e, a, null);
    }

    public static void assertIterableEquals(Iterable<?> e, Iterable<?> a, String m) {
        Compare.iterables(e, a, m);
    }

    public static void assertIterableEquals(Iterable<?> e, Iterable<?> a, Supplier<String> m) {
        Compare.iterables(e, a, m);
    }

    public static <T> T assertInstanceOf(Class<T> type, Object a) {
        return Compare.instance(type, a, null);
    }

    public static <T> T assertInstanceOf(Class<T> type, Object a, String m) {
        return Compare.instance(type, a, m);
    }

    public static <T> T assertInstanceOf(Class<T> type, Object a, Supplier<String> m) {
        return Compare.instance(type, a, m);
    }

    public static <T extends Throwable> T assertThrows(Class<T> type, Executable code) {
        return Thrown.by(code::execute).expect(type, false, null);
    }

    public static <T extends Throwable> T assertThrows(Class<T> type, Executable code, String m) {
        return Thrown.by(code::execute).expect(type, false, m);
    }

    public static <T extends Throwable> T assertThrows(Class<T> type, Executable code, Supplier<String> m) {
        return Thrown.by(code::execute).expect(type, false, m);
    }

    public static <T extends Throwable> T assertThrowsExactly(Class<T> type, Executable code) {
        return Thrown.by(code::execute).expect(type, true, null);
    }

    public static <T extends Throwable> T assertThrowsExactly(Class<T> type, Executable code, String m) {
        return Thrown.by(code::execute).expect(type, true, m);
    }

    public static <T extends Throwable> T assertThrowsExactly(Class<T> type, Executable code, Supplier<String> m) {
        return Thrown.by(code::execute).expect(type, true, m);
    }

    public static void assertDoesNotThrow(Executable code) {
        Thrown.by(code::execute).expectNothing(null);
    }

    public static void assertDoesNotThrow(Executable code, String m) {
        Thrown.by(code::execute).expectNothing(m);
    }

    public static void assertDoesNotThrow(Executable code, Supplier<String> m) {
        Thrown.by(code::execute).expectNothing(m);
    }

    public static <T> T assertDoesNotThrow(ThrowingSupplier<T> code) {
        Object[] result = new Object[1];
        Thrown.by(() -> result[0] = code.get()).expectNothing(null);
        @SuppressWarnings("unchecked")
        T typed = (T) result[0];
        return typed;
    }

    public static <T> T assertDoesNotThrow(ThrowingSupplier<T> code, String m) {
        Object[] result = new Object[1];
        Thrown.by(() -> result[0] = code.get()).expectNothing(m);
        @SuppressWarnings("unchecked")
        T typed = (T) result[0];
        return typed;
    }

    public static <T> T assertDoesNotThrow(ThrowingSupplier<T> code, Supplier<String> m) {
        Object[] result = new Object[1];
        Thrown.by(() -> result[0] = code.get()).expectNothing(m);
        @SuppressWarnings("unchecked")
        T typed = (T) result[0];
        return typed;
    }
}
