import static org.junit.jupiter.api.Assertions.*;

import java.util.Arrays;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Each assertion, once holding and once not, through each of its overloads. */
class AssertionsTest {
    interface Code {
        void run() throws Throwable;
    }

    static final Supplier<String> WHY = () -> "why";

    /** Not by an assertion of those that are tested. */
    static void fails(Code code) {
        try {
            code.run();
        } catch (AssertionError expected) {
            return;
        } catch (Throwable other) {
            throw new IllegalStateException(other);
        }
        throw new IllegalStateException("the assertion holds");
    }

    static void says(String message, Code code) {
        try {
            code.run();
        } catch (Throwable thrown) {
            if (thrown.getMessage() != null && thrown.getMessage().contains(message)) {
                return;
            }
            throw new IllegalStateException(thrown);
        }
        throw new IllegalStateException("the assertion holds");
    }

    @Test
    void bytesAreEqualOrNot() {
        byte x = (byte) 1;
        byte y = (byte) 2;
        Byte bx = x;
        Byte by = y;
        assertEquals(x, x);
        fails(() -> assertEquals(x, y));
        assertNotEquals(x, y);
        fails(() -> assertNotEquals(x, x));
        assertEquals(x, x, "why");
        fails(() -> assertEquals(x, y, "why"));
        assertNotEquals(x, y, "why");
        fails(() -> assertNotEquals(x, x, "why"));
        assertEquals(x, x, WHY);
        fails(() -> assertEquals(x, y, WHY));
        assertNotEquals(x, y, WHY);
        fails(() -> assertNotEquals(x, x, WHY));
        assertEquals(x, bx);
        fails(() -> assertEquals(x, by));
        assertNotEquals(x, by);
        fails(() -> assertNotEquals(x, bx));
        assertEquals(x, bx, "why");
        fails(() -> assertEquals(x, by, "why"));
        assertNotEquals(x, by, "why");
        fails(() -> assertNotEquals(x, bx, "why"));
        assertEquals(x, bx, WHY);
        fails(() -> assertEquals(x, by, WHY));
        assertNotEquals(x, by, WHY);
        fails(() -> assertNotEquals(x, bx, WHY));
        assertEquals(bx, x);
        fails(() -> assertEquals(bx, y));
        assertNotEquals(bx, y);
        fails(() -> assertNotEquals(bx, x));
        assertEquals(bx, x, "why");
        fails(() -> assertEquals(bx, y, "why"));
        assertNotEquals(bx, y, "why");
        fails(() -> assertNotEquals(bx, x, "why"));
        assertEquals(bx, x, WHY);
        fails(() -> assertEquals(bx, y, WHY));
        assertNotEquals(bx, y, WHY);
        fails(() -> assertNotEquals(bx, x, WHY));
        assertEquals(bx, bx);
        fails(() -> assertEquals(bx, by));
        assertNotEquals(bx, by);
        fails(() -> assertNotEquals(bx, bx));
        assertEquals(bx, bx, "why");
        fails(() -> assertEquals(bx, by, "why"));
        assertNotEquals(bx, by, "why");
        fails(() -> assertNotEquals(bx, bx, "why"));
        assertEquals(bx, bx, WHY);
        fails(() -> assertEquals(bx, by, WHY));
        assertNotEquals(bx, by, WHY);
        fails(() -> assertNotEquals(bx, bx, WHY));
        fails(() -> assertEquals(x, (Byte) null));
    }

    @Test
    void shortsAreEqualOrNot() {
        short x = (short) 1;
        short y = (short) 2;
        Short bx = x;
        Short by = y;
        assertEquals(x, x);
        fails(() -> assertEquals(x, y));
        assertNotEquals(x, y);
        fails(() -> assertNotEquals(x, x));
        assertEquals(x, x, "why");
        fails(() -> assertEquals(x, y, "why"));
        assertNotEquals(x, y, "why");
        fails(() -> assertNotEquals(x, x, "why"));
        assertEquals(x, x, WHY);
        fails(() -> assertEquals(x, y, WHY));
        assertNotEquals(x, y, WHY);
        fails(() -> assertNotEquals(x, x, WHY));
        assertEquals(x, bx);
        fails(() -> assertEquals(x, by));
        assertNotEquals(x, by);
        fails(() -> assertNotEquals(x, bx));
        assertEquals(x, bx, "why");
        fails(() -> assertEquals(x, by, "why"));
        assertNotEquals(x, by, "why");
        fails(() -> assertNotEquals(x, bx, "why"));
        assertEquals(x, bx, WHY);
        fails(() -> assertEquals(x, by, WHY));
        assertNotEquals(x, by, WHY);
        fails(() -> assertNotEquals(x, bx, WHY));
        assertEquals(bx, x);
        fails(() -> assertEquals(bx, y));
        assertNotEquals(bx, y);
        fails(() -> assertNotEquals(bx, x));
        assertEquals(bx, x, "why");
        fails(() -> assertEquals(bx, y, "why"));
        assertNotEquals(bx, y, "why");
        fails(() -> assertNotEquals(bx, x, "why"));
        assertEquals(bx, x, WHY);
        fails(() -> assertEquals(bx, y, WHY));
        assertNotEquals(bx, y, WHY);
        fails(() -> assertNotEquals(bx, x, WHY));
        assertEquals(bx, bx);
        fails(() -> assertEquals(bx, by));
        assertNotEquals(bx, by);
        fails(() -> assertNotEquals(bx, bx));
        assertEquals(bx, bx, "why");
        fails(() -> assertEquals(bx, by, "why"));
        assertNotEquals(bx, by, "why");
        fails(() -> assertNotEquals(bx, bx, "why"));
        assertEquals(bx, bx, WHY);
        fails(() -> assertEquals(bx, by, WHY));
        assertNotEquals(bx, by, WHY);
        fails(() -> assertNotEquals(bx, bx, WHY));
        fails(() -> assertEquals(x, (Short) null));
    }

    @Test
    void charactersAreEqualOrNot() {
        char x = 'a';
        char y = 'b';
        Character bx = x;
        Character by = y;
        assertEquals(x, x);
        fails(() -> assertEquals(x, y));
        assertNotEquals(x, y);
        fails(() -> assertNotEquals(x, x));
        assertEquals(x, x, "why");
        fails(() -> assertEquals(x, y, "why"));
        assertNotEquals(x, y, "why");
        fails(() -> assertNotEquals(x, x, "why"));
        assertEquals(x, x, WHY);
        fails(() -> assertEquals(x, y, WHY));
        assertNotEquals(x, y, WHY);
        fails(() -> assertNotEquals(x, x, WHY));
        assertEquals(x, bx);
        fails(() -> assertEquals(x, by));
        assertNotEquals(x, by);
        fails(() -> assertNotEquals(x, bx));
        assertEquals(x, bx, "why");
        fails(() -> assertEquals(x, by, "why"));
        assertNotEquals(x, by, "why");
        fails(() -> assertNotEquals(x, bx, "why"));
        assertEquals(x, bx, WHY);
        fails(() -> assertEquals(x, by, WHY));
        assertNotEquals(x, by, WHY);
        fails(() -> assertNotEquals(x, bx, WHY));
        assertEquals(bx, x);
        fails(() -> assertEquals(bx, y));
        assertNotEquals(bx, y);
        fails(() -> assertNotEquals(bx, x));
        assertEquals(bx, x, "why");
        fails(() -> assertEquals(bx, y, "why"));
        assertNotEquals(bx, y, "why");
        fails(() -> assertNotEquals(bx, x, "why"));
        assertEquals(bx, x, WHY);
        fails(() -> assertEquals(bx, y, WHY));
        assertNotEquals(bx, y, WHY);
        fails(() -> assertNotEquals(bx, x, WHY));
        assertEquals(bx, bx);
        fails(() -> assertEquals(bx, by));
        assertNotEquals(bx, by);
        fails(() -> assertNotEquals(bx, bx));
        assertEquals(bx, bx, "why");
        fails(() -> assertEquals(bx, by, "why"));
        assertNotEquals(bx, by, "why");
        fails(() -> assertNotEquals(bx, bx, "why"));
        assertEquals(bx, bx, WHY);
        fails(() -> assertEquals(bx, by, WHY));
        assertNotEquals(bx, by, WHY);
        fails(() -> assertNotEquals(bx, bx, WHY));
        fails(() -> assertEquals(x, (Character) null));
    }

    @Test
    void integersAreEqualOrNot() {
        int x = 1;
        int y = 2;
        Integer bx = x;
        Integer by = y;
        assertEquals(x, x);
        fails(() -> assertEquals(x, y));
        assertNotEquals(x, y);
        fails(() -> assertNotEquals(x, x));
        assertEquals(x, x, "why");
        fails(() -> assertEquals(x, y, "why"));
        assertNotEquals(x, y, "why");
        fails(() -> assertNotEquals(x, x, "why"));
        assertEquals(x, x, WHY);
        fails(() -> assertEquals(x, y, WHY));
        assertNotEquals(x, y, WHY);
        fails(() -> assertNotEquals(x, x, WHY));
        assertEquals(x, bx);
        fails(() -> assertEquals(x, by));
        assertNotEquals(x, by);
        fails(() -> assertNotEquals(x, bx));
        assertEquals(x, bx, "why");
        fails(() -> assertEquals(x, by, "why"));
        assertNotEquals(x, by, "why");
        fails(() -> assertNotEquals(x, bx, "why"));
        assertEquals(x, bx, WHY);
        fails(() -> assertEquals(x, by, WHY));
        assertNotEquals(x, by, WHY);
        fails(() -> assertNotEquals(x, bx, WHY));
        assertEquals(bx, x);
        fails(() -> assertEquals(bx, y));
        assertNotEquals(bx, y);
        fails(() -> assertNotEquals(bx, x));
        assertEquals(bx, x, "why");
        fails(() -> assertEquals(bx, y, "why"));
        assertNotEquals(bx, y, "why");
        fails(() -> assertNotEquals(bx, x, "why"));
        assertEquals(bx, x, WHY);
        fails(() -> assertEquals(bx, y, WHY));
        assertNotEquals(bx, y, WHY);
        fails(() -> assertNotEquals(bx, x, WHY));
        assertEquals(bx, bx);
        fails(() -> assertEquals(bx, by));
        assertNotEquals(bx, by);
        fails(() -> assertNotEquals(bx, bx));
        assertEquals(bx, bx, "why");
        fails(() -> assertEquals(bx, by, "why"));
        assertNotEquals(bx, by, "why");
        fails(() -> assertNotEquals(bx, bx, "why"));
        assertEquals(bx, bx, WHY);
        fails(() -> assertEquals(bx, by, WHY));
        assertNotEquals(bx, by, WHY);
        fails(() -> assertNotEquals(bx, bx, WHY));
        fails(() -> assertEquals(x, (Integer) null));
    }

    @Test
    void longsAreEqualOrNot() {
        long x = 1L;
        long y = 2L;
        Long bx = x;
        Long by = y;
        assertEquals(x, x);
        fails(() -> assertEquals(x, y));
        assertNotEquals(x, y);
        fails(() -> assertNotEquals(x, x));
        assertEquals(x, x, "why");
        fails(() -> assertEquals(x, y, "why"));
        assertNotEquals(x, y, "why");
        fails(() -> assertNotEquals(x, x, "why"));
        assertEquals(x, x, WHY);
        fails(() -> assertEquals(x, y, WHY));
        assertNotEquals(x, y, WHY);
        fails(() -> assertNotEquals(x, x, WHY));
        assertEquals(x, bx);
        fails(() -> assertEquals(x, by));
        assertNotEquals(x, by);
        fails(() -> assertNotEquals(x, bx));
        assertEquals(x, bx, "why");
        fails(() -> assertEquals(x, by, "why"));
        assertNotEquals(x, by, "why");
        fails(() -> assertNotEquals(x, bx, "why"));
        assertEquals(x, bx, WHY);
        fails(() -> assertEquals(x, by, WHY));
        assertNotEquals(x, by, WHY);
        fails(() -> assertNotEquals(x, bx, WHY));
        assertEquals(bx, x);
        fails(() -> assertEquals(bx, y));
        assertNotEquals(bx, y);
        fails(() -> assertNotEquals(bx, x));
        assertEquals(bx, x, "why");
        fails(() -> assertEquals(bx, y, "why"));
        assertNotEquals(bx, y, "why");
        fails(() -> assertNotEquals(bx, x, "why"));
        assertEquals(bx, x, WHY);
        fails(() -> assertEquals(bx, y, WHY));
        assertNotEquals(bx, y, WHY);
        fails(() -> assertNotEquals(bx, x, WHY));
        assertEquals(bx, bx);
        fails(() -> assertEquals(bx, by));
        assertNotEquals(bx, by);
        fails(() -> assertNotEquals(bx, bx));
        assertEquals(bx, bx, "why");
        fails(() -> assertEquals(bx, by, "why"));
        assertNotEquals(bx, by, "why");
        fails(() -> assertNotEquals(bx, bx, "why"));
        assertEquals(bx, bx, WHY);
        fails(() -> assertEquals(bx, by, WHY));
        assertNotEquals(bx, by, WHY);
        fails(() -> assertNotEquals(bx, bx, WHY));
        fails(() -> assertEquals(x, (Long) null));
    }

    @Test
    void floatsAreEqualOrNot() {
        float x = 1.5f;
        float y = 2.5f;
        Float bx = x;
        Float by = y;
        assertEquals(x, x);
        fails(() -> assertEquals(x, y));
        assertNotEquals(x, y);
        fails(() -> assertNotEquals(x, x));
        assertEquals(x, x, "why");
        fails(() -> assertEquals(x, y, "why"));
        assertNotEquals(x, y, "why");
        fails(() -> assertNotEquals(x, x, "why"));
        assertEquals(x, x, WHY);
        fails(() -> assertEquals(x, y, WHY));
        assertNotEquals(x, y, WHY);
        fails(() -> assertNotEquals(x, x, WHY));
        assertEquals(x, bx);
        fails(() -> assertEquals(x, by));
        assertNotEquals(x, by);
        fails(() -> assertNotEquals(x, bx));
        assertEquals(x, bx, "why");
        fails(() -> assertEquals(x, by, "why"));
        assertNotEquals(x, by, "why");
        fails(() -> assertNotEquals(x, bx, "why"));
        assertEquals(x, bx, WHY);
        fails(() -> assertEquals(x, by, WHY));
        assertNotEquals(x, by, WHY);
        fails(() -> assertNotEquals(x, bx, WHY));
        assertEquals(bx, x);
        fails(() -> assertEquals(bx, y));
        assertNotEquals(bx, y);
        fails(() -> assertNotEquals(bx, x));
        assertEquals(bx, x, "why");
        fails(() -> assertEquals(bx, y, "why"));
        assertNotEquals(bx, y, "why");
        fails(() -> assertNotEquals(bx, x, "why"));
        assertEquals(bx, x, WHY);
        fails(() -> assertEquals(bx, y, WHY));
        assertNotEquals(bx, y, WHY);
        fails(() -> assertNotEquals(bx, x, WHY));
        assertEquals(bx, bx);
        fails(() -> assertEquals(bx, by));
        assertNotEquals(bx, by);
        fails(() -> assertNotEquals(bx, bx));
        assertEquals(bx, bx, "why");
        fails(() -> assertEquals(bx, by, "why"));
        assertNotEquals(bx, by, "why");
        fails(() -> assertNotEquals(bx, bx, "why"));
        assertEquals(bx, bx, WHY);
        fails(() -> assertEquals(bx, by, WHY));
        assertNotEquals(bx, by, WHY);
        fails(() -> assertNotEquals(bx, bx, WHY));
        fails(() -> assertEquals(x, (Float) null));
    }

    @Test
    void doublesAreEqualOrNot() {
        double x = 1.5;
        double y = 2.5;
        Double bx = x;
        Double by = y;
        assertEquals(x, x);
        fails(() -> assertEquals(x, y));
        assertNotEquals(x, y);
        fails(() -> assertNotEquals(x, x));
        assertEquals(x, x, "why");
        fails(() -> assertEquals(x, y, "why"));
        assertNotEquals(x, y, "why");
        fails(() -> assertNotEquals(x, x, "why"));
        assertEquals(x, x, WHY);
        fails(() -> assertEquals(x, y, WHY));
        assertNotEquals(x, y, WHY);
        fails(() -> assertNotEquals(x, x, WHY));
        assertEquals(x, bx);
        fails(() -> assertEquals(x, by));
        assertNotEquals(x, by);
        fails(() -> assertNotEquals(x, bx));
        assertEquals(x, bx, "why");
        fails(() -> assertEquals(x, by, "why"));
        assertNotEquals(x, by, "why");
        fails(() -> assertNotEquals(x, bx, "why"));
        assertEquals(x, bx, WHY);
        fails(() -> assertEquals(x, by, WHY));
        assertNotEquals(x, by, WHY);
        fails(() -> assertNotEquals(x, bx, WHY));
        assertEquals(bx, x);
        fails(() -> assertEquals(bx, y));
        assertNotEquals(bx, y);
        fails(() -> assertNotEquals(bx, x));
        assertEquals(bx, x, "why");
        fails(() -> assertEquals(bx, y, "why"));
        assertNotEquals(bx, y, "why");
        fails(() -> assertNotEquals(bx, x, "why"));
        assertEquals(bx, x, WHY);
        fails(() -> assertEquals(bx, y, WHY));
        assertNotEquals(bx, y, WHY);
        fails(() -> assertNotEquals(bx, x, WHY));
        assertEquals(bx, bx);
        fails(() -> assertEquals(bx, by));
        assertNotEquals(bx, by);
        fails(() -> assertNotEquals(bx, bx));
        assertEquals(bx, bx, "why");
        fails(() -> assertEquals(bx, by, "why"));
        assertNotEquals(bx, by, "why");
        fails(() -> assertNotEquals(bx, bx, "why"));
        assertEquals(bx, bx, WHY);
        fails(() -> assertEquals(bx, by, WHY));
        assertNotEquals(bx, by, WHY);
        fails(() -> assertNotEquals(bx, bx, WHY));
        fails(() -> assertEquals(x, (Double) null));
    }

    @Test
    void floatsAreNearOrNot() {
        assertEquals(1.0f, 1.25f, 0.25f);
        fails(() -> assertEquals(1.0f, 1.25f, 0.125f));
        assertNotEquals(1.0f, 1.25f, 0.125f);
        fails(() -> assertNotEquals(1.0f, 1.25f, 0.25f));
        assertEquals(1.0f, 1.25f, 0.25f, "why");
        fails(() -> assertEquals(1.0f, 1.25f, 0.125f, "why"));
        assertNotEquals(1.0f, 1.25f, 0.125f, "why");
        fails(() -> assertNotEquals(1.0f, 1.25f, 0.25f, "why"));
        assertEquals(1.0f, 1.25f, 0.25f, WHY);
        fails(() -> assertEquals(1.0f, 1.25f, 0.125f, WHY));
        assertNotEquals(1.0f, 1.25f, 0.125f, WHY);
        fails(() -> assertNotEquals(1.0f, 1.25f, 0.25f, WHY));
        assertEquals(Float.NaN, Float.NaN);
        assertEquals(Float.NaN, Float.NaN, 0.5f);
        fails(() -> assertEquals(Float.NaN, 1.0f, 9.0f));
        fails(() -> assertEquals(0.0f, -0.0f));
        assertEquals(0.0f, -0.0f, 0.0f);
        assertEquals(Float.POSITIVE_INFINITY, Float.POSITIVE_INFINITY, 0.5f);
        fails(() -> assertEquals(1.0f, 1.0f, -1.0f));
        fails(() -> assertEquals(1.0f, 1.0f, Float.NaN));
    }

    @Test
    void doublesAreNearOrNot() {
        assertEquals(1.0, 1.25, 0.25);
        fails(() -> assertEquals(1.0, 1.25, 0.125));
        assertNotEquals(1.0, 1.25, 0.125);
        fails(() -> assertNotEquals(1.0, 1.25, 0.25));
        assertEquals(1.0, 1.25, 0.25, "why");
        fails(() -> assertEquals(1.0, 1.25, 0.125, "why"));
        assertNotEquals(1.0, 1.25, 0.125, "why");
        fails(() -> assertNotEquals(1.0, 1.25, 0.25, "why"));
        assertEquals(1.0, 1.25, 0.25, WHY);
        fails(() -> assertEquals(1.0, 1.25, 0.125, WHY));
        assertNotEquals(1.0, 1.25, 0.125, WHY);
        fails(() -> assertNotEquals(1.0, 1.25, 0.25, WHY));
        assertEquals(Double.NaN, Double.NaN);
        assertEquals(Double.NaN, Double.NaN, 0.5);
        fails(() -> assertEquals(Double.NaN, 1.0, 9.0));
        fails(() -> assertEquals(0.0, -0.0));
        assertEquals(0.0, -0.0, 0.0);
        assertEquals(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, 0.5);
        fails(() -> assertEquals(1.0, 1.0, -1.0));
        fails(() -> assertEquals(1.0, 1.0, Double.NaN));
    }

    @Test
    void arraysOfBooleanAreEqualOrNot() {
        boolean[] one = {true, false};
        boolean[] same = {true, false};
        boolean[] other = {true, true};
        boolean[] shorter = {true};
        assertArrayEquals(one, same);
        fails(() -> assertArrayEquals(one, other));
        assertArrayEquals(one, same, "why");
        fails(() -> assertArrayEquals(one, other, "why"));
        assertArrayEquals(one, same, WHY);
        fails(() -> assertArrayEquals(one, other, WHY));
        assertArrayEquals(one, one);
        assertArrayEquals((boolean[]) null, null);
        fails(() -> assertArrayEquals(one, shorter));
        fails(() -> assertArrayEquals(shorter, one));
        fails(() -> assertArrayEquals(one, null));
        fails(() -> assertArrayEquals(null, one));
    }

    @Test
    void arraysOfByteAreEqualOrNot() {
        byte[] one = {1, 2};
        byte[] same = {1, 2};
        byte[] other = {1, 1};
        byte[] shorter = {1};
        assertArrayEquals(one, same);
        fails(() -> assertArrayEquals(one, other));
        assertArrayEquals(one, same, "why");
        fails(() -> assertArrayEquals(one, other, "why"));
        assertArrayEquals(one, same, WHY);
        fails(() -> assertArrayEquals(one, other, WHY));
        assertArrayEquals(one, one);
        assertArrayEquals((byte[]) null, null);
        fails(() -> assertArrayEquals(one, shorter));
        fails(() -> assertArrayEquals(shorter, one));
        fails(() -> assertArrayEquals(one, null));
        fails(() -> assertArrayEquals(null, one));
    }

    @Test
    void arraysOfShortAreEqualOrNot() {
        short[] one = {1, 2};
        short[] same = {1, 2};
        short[] other = {1, 1};
        short[] shorter = {1};
        assertArrayEquals(one, same);
        fails(() -> assertArrayEquals(one, other));
        assertArrayEquals(one, same, "why");
        fails(() -> assertArrayEquals(one, other, "why"));
        assertArrayEquals(one, same, WHY);
        fails(() -> assertArrayEquals(one, other, WHY));
        assertArrayEquals(one, one);
        assertArrayEquals((short[]) null, null);
        fails(() -> assertArrayEquals(one, shorter));
        fails(() -> assertArrayEquals(shorter, one));
        fails(() -> assertArrayEquals(one, null));
        fails(() -> assertArrayEquals(null, one));
    }

    @Test
    void arraysOfCharAreEqualOrNot() {
        char[] one = {'a', 'b'};
        char[] same = {'a', 'b'};
        char[] other = {'a', 'a'};
        char[] shorter = {'a'};
        assertArrayEquals(one, same);
        fails(() -> assertArrayEquals(one, other));
        assertArrayEquals(one, same, "why");
        fails(() -> assertArrayEquals(one, other, "why"));
        assertArrayEquals(one, same, WHY);
        fails(() -> assertArrayEquals(one, other, WHY));
        assertArrayEquals(one, one);
        assertArrayEquals((char[]) null, null);
        fails(() -> assertArrayEquals(one, shorter));
        fails(() -> assertArrayEquals(shorter, one));
        fails(() -> assertArrayEquals(one, null));
        fails(() -> assertArrayEquals(null, one));
    }

    @Test
    void arraysOfIntAreEqualOrNot() {
        int[] one = {1, 2};
        int[] same = {1, 2};
        int[] other = {1, 1};
        int[] shorter = {1};
        assertArrayEquals(one, same);
        fails(() -> assertArrayEquals(one, other));
        assertArrayEquals(one, same, "why");
        fails(() -> assertArrayEquals(one, other, "why"));
        assertArrayEquals(one, same, WHY);
        fails(() -> assertArrayEquals(one, other, WHY));
        assertArrayEquals(one, one);
        assertArrayEquals((int[]) null, null);
        fails(() -> assertArrayEquals(one, shorter));
        fails(() -> assertArrayEquals(shorter, one));
        fails(() -> assertArrayEquals(one, null));
        fails(() -> assertArrayEquals(null, one));
    }

    @Test
    void arraysOfLongAreEqualOrNot() {
        long[] one = {1, 2};
        long[] same = {1, 2};
        long[] other = {1, 1};
        long[] shorter = {1};
        assertArrayEquals(one, same);
        fails(() -> assertArrayEquals(one, other));
        assertArrayEquals(one, same, "why");
        fails(() -> assertArrayEquals(one, other, "why"));
        assertArrayEquals(one, same, WHY);
        fails(() -> assertArrayEquals(one, other, WHY));
        assertArrayEquals(one, one);
        assertArrayEquals((long[]) null, null);
        fails(() -> assertArrayEquals(one, shorter));
        fails(() -> assertArrayEquals(shorter, one));
        fails(() -> assertArrayEquals(one, null));
        fails(() -> assertArrayEquals(null, one));
    }

    @Test
    void arraysOfFloatAreEqualOrNot() {
        float[] one = {1f, 2f};
        float[] same = {1f, 2f};
        float[] other = {1f, 1f};
        float[] shorter = {1f};
        assertArrayEquals(one, same);
        fails(() -> assertArrayEquals(one, other));
        assertArrayEquals(one, same, "why");
        fails(() -> assertArrayEquals(one, other, "why"));
        assertArrayEquals(one, same, WHY);
        fails(() -> assertArrayEquals(one, other, WHY));
        assertArrayEquals(one, one);
        assertArrayEquals((float[]) null, null);
        fails(() -> assertArrayEquals(one, shorter));
        fails(() -> assertArrayEquals(shorter, one));
        fails(() -> assertArrayEquals(one, null));
        fails(() -> assertArrayEquals(null, one));
        assertArrayEquals(one, other, 1.0f);
        fails(() -> assertArrayEquals(one, other, 0.5f));
        assertArrayEquals(one, other, 1.0f, "why");
        fails(() -> assertArrayEquals(one, other, 0.5f, "why"));
        assertArrayEquals(one, other, 1.0f, WHY);
        fails(() -> assertArrayEquals(one, other, 0.5f, WHY));
        assertArrayEquals(new float[] {Float.NaN}, new float[] {Float.NaN});
        fails(() -> assertArrayEquals(new float[] {0.0f}, new float[] {-0.0f}));
        fails(() -> assertArrayEquals(one, one, -1.0f));
    }

    @Test
    void arraysOfDoubleAreEqualOrNot() {
        double[] one = {1, 2};
        double[] same = {1, 2};
        double[] other = {1, 1};
        double[] shorter = {1};
        assertArrayEquals(one, same);
        fails(() -> assertArrayEquals(one, other));
        assertArrayEquals(one, same, "why");
        fails(() -> assertArrayEquals(one, other, "why"));
        assertArrayEquals(one, same, WHY);
        fails(() -> assertArrayEquals(one, other, WHY));
        assertArrayEquals(one, one);
        assertArrayEquals((double[]) null, null);
        fails(() -> assertArrayEquals(one, shorter));
        fails(() -> assertArrayEquals(shorter, one));
        fails(() -> assertArrayEquals(one, null));
        fails(() -> assertArrayEquals(null, one));
        assertArrayEquals(one, other, 1.0);
        fails(() -> assertArrayEquals(one, other, 0.5));
        assertArrayEquals(one, other, 1.0, "why");
        fails(() -> assertArrayEquals(one, other, 0.5, "why"));
        assertArrayEquals(one, other, 1.0, WHY);
        fails(() -> assertArrayEquals(one, other, 0.5, WHY));
        assertArrayEquals(new double[] {Double.NaN}, new double[] {Double.NaN});
        fails(() -> assertArrayEquals(new double[] {0.0}, new double[] {-0.0}));
        fails(() -> assertArrayEquals(one, one, -1.0));
    }

    @Test
    void arraysOfObjectAreEqualOrNot() {
        Object[] one = {"a", "b"};
        Object[] same = {"a", "b"};
        Object[] other = {"a", "a"};
        Object[] shorter = {"a"};
        assertArrayEquals(one, same);
        fails(() -> assertArrayEquals(one, other));
        assertArrayEquals(one, same, "why");
        fails(() -> assertArrayEquals(one, other, "why"));
        assertArrayEquals(one, same, WHY);
        fails(() -> assertArrayEquals(one, other, WHY));
        assertArrayEquals(one, one);
        assertArrayEquals((Object[]) null, null);
        fails(() -> assertArrayEquals(one, shorter));
        fails(() -> assertArrayEquals(shorter, one));
        fails(() -> assertArrayEquals(one, null));
        fails(() -> assertArrayEquals(null, one));
    }

    @Test
    void arraysInArraysAreCompared() {
        Object[] one = {new int[] {1, 2}, new Object[] {"a", new double[] {Double.NaN}}, null};
        Object[] same = {new int[] {1, 2}, new String[][] {{"a"}}[0], null};
        same[1] = new Object[] {"a", new double[] {Double.NaN}};
        Object[] other = {new int[] {1, 3}, same[1], null};
        assertArrayEquals(one, same);
        fails(() -> assertArrayEquals(one, other));
        fails(() -> assertArrayEquals(new Object[] {new int[] {1}}, new Object[] {new long[] {1}}));
        fails(() -> assertArrayEquals(new Object[] {new int[] {1}}, new Object[] {null}));
        fails(() -> assertArrayEquals(new Object[] {1}, new Object[] {1L}));
    }

    @Test
    void objectsAreEqualOrNot() {
        String one = "text";
        String same = new String("text");
        assertEquals(one, same);
        assertEquals(one, same, "why");
        assertEquals(one, same, WHY);
        assertEquals((Object) null, null);
        assertEquals(true, true);
        fails(() -> assertEquals(one, "other"));
        fails(() -> assertEquals(one, "other", "why"));
        fails(() -> assertEquals(one, "other", WHY));
        fails(() -> assertEquals(one, null));
        fails(() -> assertEquals(null, one));
        fails(() -> assertEquals(true, false));
        fails(() -> assertEquals((Object) 1, (Object) 1L));
        fails(() -> assertEquals(new int[] {1}, new int[] {1}));
        assertNotEquals(one, "other");
        assertNotEquals(one, "other", "why");
        assertNotEquals(one, "other", WHY);
        fails(() -> assertNotEquals(one, same));
        fails(() -> assertNotEquals(one, same, "why"));
        fails(() -> assertNotEquals(one, same, WHY));
        fails(() -> assertNotEquals((Object) null, null));
    }

    @Test
    void numbersOfDifferentTypesArePromoted() {
        byte b = 1;
        Integer boxed = 1;
        assertEquals(1L, b);
        assertEquals(1, b);
        assertEquals(1.0, 1);
        assertEquals(boxed, b);
        assertEquals('a', 97);
        fails(() -> assertEquals(2L, b));
    }

    @Test
    void identityIsNotEquality() {
        String one = "text";
        String other = new String("text");
        assertSame(one, one);
        assertSame(one, one, "why");
        assertSame(one, one, WHY);
        assertSame(null, null);
        fails(() -> assertSame(one, other));
        fails(() -> assertSame(one, other, "why"));
        fails(() -> assertSame(one, other, WHY));
        fails(() -> assertSame(one, null));
        assertNotSame(one, other);
        assertNotSame(one, other, "why");
        assertNotSame(one, other, WHY);
        fails(() -> assertNotSame(one, one));
        fails(() -> assertNotSame(one, one, "why"));
        fails(() -> assertNotSame(one, one, WHY));
    }

    @Test
    void conditionsHoldOrNot() {
        assertTrue(true);
        assertTrue(true, "why");
        assertTrue(true, WHY);
        assertTrue(() -> true);
        assertTrue(() -> true, "why");
        assertTrue(() -> true, WHY);
        fails(() -> assertTrue(false));
        fails(() -> assertTrue(false, "why"));
        fails(() -> assertTrue(false, WHY));
        fails(() -> assertTrue(() -> false));
        assertFalse(false);
        assertFalse(false, "why");
        assertFalse(false, WHY);
        assertFalse(() -> false);
        assertFalse(() -> false, "why");
        assertFalse(() -> false, WHY);
        fails(() -> assertFalse(true));
        fails(() -> assertFalse(true, "why"));
        fails(() -> assertFalse(true, WHY));
        fails(() -> assertFalse(() -> true));
    }

    @Test
    void nullIsNull() {
        assertNull(null);
        assertNull(null, "why");
        assertNull(null, WHY);
        fails(() -> assertNull(""));
        fails(() -> assertNull("", "why"));
        fails(() -> assertNull("", WHY));
        assertNotNull("");
        assertNotNull("", "why");
        assertNotNull("", WHY);
        fails(() -> assertNotNull(null));
        fails(() -> assertNotNull(null, "why"));
        fails(() -> assertNotNull(null, WHY));
    }

    @Test
    void exceptionsAreExpected() {
        IllegalStateException thrown = new IllegalStateException("state");
        RuntimeException caught = assertThrows(RuntimeException.class, () -> { throw thrown; });
        assertSame(thrown, caught);
        assertSame(thrown, assertThrows(Throwable.class, () -> { throw thrown; }, "why"));
        assertSame(thrown, assertThrows(Exception.class, () -> { throw thrown; }, WHY));
        fails(() -> assertThrows(RuntimeException.class, () -> {}));
        fails(() -> assertThrows(RuntimeException.class, () -> {}, "why"));
        fails(() -> assertThrows(RuntimeException.class, () -> {}, WHY));
        fails(() -> assertThrows(Error.class, () -> { throw thrown; }));
        assertThrows(StackOverflowError.class, () -> recurse(1));
        assertThrowsExactly(IllegalStateException.class, () -> { throw thrown; });
        fails(() -> assertThrowsExactly(RuntimeException.class, () -> { throw thrown; }));
    }

    static int recurse(int x) {
        return recurse(x + 1) + 1;
    }

    @Test
    void exceptionsAreNotExpected() {
        assertDoesNotThrow(() -> {});
        assertDoesNotThrow(() -> {}, "why");
        assertDoesNotThrow(() -> {}, WHY);
        int five = assertDoesNotThrow(() -> 5);
        assertEquals(5, five);
        assertEquals(5, (int) assertDoesNotThrow(() -> 5, "why"));
        assertEquals(5, (int) assertDoesNotThrow(() -> 5, WHY));
        fails(() -> assertDoesNotThrow(() -> { throw new Exception(); }));
        fails(() -> assertDoesNotThrow(() -> { throw new Error(); }, "why"));
    }

    @Test
    void typesAndElementsAreCompared() {
        String text = assertInstanceOf(String.class, "text");
        assertEquals("text", text);
        assertInstanceOf(Object.class, text, "why");
        assertInstanceOf(CharSequence.class, text, WHY);
        fails(() -> assertInstanceOf(Integer.class, "text"));
        fails(() -> assertInstanceOf(Integer.class, null));
        assertIterableEquals(Arrays.asList(1, 2), Arrays.asList(1, 2));
        assertIterableEquals(Arrays.asList(1, 2), Arrays.asList(1, 2), "why");
        assertIterableEquals(Arrays.asList(1, Arrays.asList(2)), Arrays.asList(1, Arrays.asList(2)), WHY);
        fails(() -> assertIterableEquals(Arrays.asList(1, 2), Arrays.asList(1, 3)));
        fails(() -> assertIterableEquals(Arrays.asList(1, 2), Arrays.asList(1)));
        fails(() -> assertIterableEquals(Arrays.asList(1), Arrays.asList(1, 2)));
        fails(() -> assertIterableEquals(null, Arrays.asList(1)));
    }

    @Test
    void failuresFail() {
        fails(() -> fail());
        says("why", () -> fail("why"));
        says("why", () -> fail("why", new Exception()));
        fails(() -> fail(new Exception("why")));
        says("why", () -> fail(WHY));
    }

    @Test
    void messagesSayWhatIsWrong() {
        says("expected: <1> but was: <2>", () -> assertEquals(1, 2));
        says("why ==> expected: <1> but was: <2>", () -> assertEquals(1, 2, "why"));
        says("why ==> expected: <1> but was: <2>", () -> assertEquals(1, 2, WHY));
        says("expected: <true> but was: <false>", () -> assertTrue(false));
        says("java.lang.Error", () -> assertThrows(Error.class, () -> {}));
    }
}
