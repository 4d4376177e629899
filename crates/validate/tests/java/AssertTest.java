import static org.junit.Assert.*;

import org.junit.Test;

/** Each assertion, once holding and once not, through each of its overloads. */
public class AssertTest {
    interface Code {
        void run() throws Throwable;
    }

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

    @Test
    public void conditionsHoldOrNot() {
        assertTrue(true);
        fails(() -> assertTrue(false));
        assertFalse(false);
        fails(() -> assertFalse(true));
        assertNull(null);
        fails(() -> assertNull("x"));
        assertNotNull("x");
        fails(() -> assertNotNull(null));
        assertTrue("why", true);
        fails(() -> assertTrue("why", false));
        assertFalse("why", false);
        fails(() -> assertFalse("why", true));
        assertNull("why", null);
        fails(() -> assertNull("why", "x"));
        assertNotNull("why", "x");
        fails(() -> assertNotNull("why", null));
    }

    @Test
    public void identityIsNotEquality() {
        assertSame("a", "a");
        fails(() -> assertSame("a", new String("a")));
        assertNotSame("a", new String("a"));
        fails(() -> assertNotSame("a", "a"));
        assertSame("why", "a", "a");
        fails(() -> assertSame("why", "a", new String("a")));
        assertNotSame("why", "a", new String("a"));
        fails(() -> assertNotSame("why", "a", "a"));
    }

    @Test
    public void objectsAndIntegersAreEqualOrNot() {
        assertEquals("a", new String("a"));
        fails(() -> assertEquals("a", (Object) "b"));
        assertEquals(5, 5L);
        fails(() -> assertEquals(5, 6));
        assertEquals('a', 97);
        assertEquals((Object) null, null);
        fails(() -> assertEquals((Object) 1, (Object) 1L));
        assertNotEquals(1, 2);
        fails(() -> assertNotEquals(1, 1L));
        assertNotEquals((Object) "a", "b");
        fails(() -> assertNotEquals((Object) "a", "a"));
        assertEquals("why", "a", new String("a"));
        fails(() -> assertEquals("why", "a", (Object) "b"));
        assertEquals("why", 5, 5L);
        fails(() -> assertEquals("why", 5, 6));
        assertEquals("why", 'a', 97);
        assertEquals("why", (Object) null, null);
        fails(() -> assertEquals("why", (Object) 1, (Object) 1L));
        assertNotEquals("why", 1, 2);
        fails(() -> assertNotEquals("why", 1, 1L));
        assertNotEquals("why", (Object) "a", "b");
        fails(() -> assertNotEquals("why", (Object) "a", "a"));
    }

    @Test
    public void floatsAreNearOrNot() {
        assertEquals(1.0f, 1.25f, 0.25f);
        fails(() -> assertEquals(1.0f, 1.25f, 0.125f));
        assertNotEquals(1.0f, 1.25f, 0.125f);
        fails(() -> assertNotEquals(1.0f, 1.25f, 0.25f));
        assertEquals(0.0f, -0.0f, 0.0f);
        assertEquals(Float.NaN, Float.NaN, 0.0f);
        fails(() -> assertEquals(Float.NaN, 1.0f, 9.0f));
        fails(() -> assertEquals(Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 9.0f));
        assertEquals("why", 1.0f, 1.25f, 0.25f);
        fails(() -> assertEquals("why", 1.0f, 1.25f, 0.125f));
        assertNotEquals("why", 1.0f, 1.25f, 0.125f);
        fails(() -> assertNotEquals("why", 1.0f, 1.25f, 0.25f));
        assertEquals("why", 0.0f, -0.0f, 0.0f);
        assertEquals("why", Float.NaN, Float.NaN, 0.0f);
        fails(() -> assertEquals("why", Float.NaN, 1.0f, 9.0f));
        fails(() -> assertEquals("why", Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 9.0f));
    }

    @Test
    public void doublesAreNearOrNot() {
        assertEquals(1.0, 1.25, 0.25);
        fails(() -> assertEquals(1.0, 1.25, 0.125));
        assertNotEquals(1.0, 1.25, 0.125);
        fails(() -> assertNotEquals(1.0, 1.25, 0.25));
        assertEquals(0.0, -0.0, 0.0);
        assertEquals(Double.NaN, Double.NaN, 0.0);
        fails(() -> assertEquals(Double.NaN, 1.0, 9.0));
        fails(() -> assertEquals(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 9.0));
        assertEquals("why", 1.0, 1.25, 0.25);
        fails(() -> assertEquals("why", 1.0, 1.25, 0.125));
        assertNotEquals("why", 1.0, 1.25, 0.125);
        fails(() -> assertNotEquals("why", 1.0, 1.25, 0.25));
        assertEquals("why", 0.0, -0.0, 0.0);
        assertEquals("why", Double.NaN, Double.NaN, 0.0);
        fails(() -> assertEquals("why", Double.NaN, 1.0, 9.0));
        fails(() -> assertEquals("why", Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 9.0));
    }

    @Test
    public void numbersWithoutDeltaNeverAre() {
        fails(() -> assertEquals(1.5, 1.5));
        fails(() -> assertEquals("why", 1.5, 1.5));
    }

    @Test
    public void arraysOfBooleanAreEqualOrNot() {
        assertArrayEquals(new boolean[] {true, false}, new boolean[] {true, false});
        fails(() -> assertArrayEquals(new boolean[] {true, false}, new boolean[] {true, true}));
        fails(() -> assertArrayEquals(new boolean[] {true, false}, new boolean[] {true}));
        fails(() -> assertArrayEquals(new boolean[] {true}, (boolean[]) null));
        fails(() -> assertArrayEquals((boolean[]) null, new boolean[] {true}));
        assertArrayEquals((boolean[]) null, (boolean[]) null);
        assertArrayEquals("why", new boolean[] {true, false}, new boolean[] {true, false});
        fails(() -> assertArrayEquals("why", new boolean[] {true, false}, new boolean[] {true, true}));
        fails(() -> assertArrayEquals("why", new boolean[] {true, false}, new boolean[] {true}));
        fails(() -> assertArrayEquals("why", new boolean[] {true}, (boolean[]) null));
        fails(() -> assertArrayEquals("why", (boolean[]) null, new boolean[] {true}));
        assertArrayEquals("why", (boolean[]) null, (boolean[]) null);
    }

    @Test
    public void arraysOfByteAreEqualOrNot() {
        assertArrayEquals(new byte[] {1, 2}, new byte[] {1, 2});
        fails(() -> assertArrayEquals(new byte[] {1, 2}, new byte[] {1, 1}));
        fails(() -> assertArrayEquals(new byte[] {1, 2}, new byte[] {1}));
        fails(() -> assertArrayEquals(new byte[] {1}, (byte[]) null));
        fails(() -> assertArrayEquals((byte[]) null, new byte[] {1}));
        assertArrayEquals((byte[]) null, (byte[]) null);
        assertArrayEquals("why", new byte[] {1, 2}, new byte[] {1, 2});
        fails(() -> assertArrayEquals("why", new byte[] {1, 2}, new byte[] {1, 1}));
        fails(() -> assertArrayEquals("why", new byte[] {1, 2}, new byte[] {1}));
        fails(() -> assertArrayEquals("why", new byte[] {1}, (byte[]) null));
        fails(() -> assertArrayEquals("why", (byte[]) null, new byte[] {1}));
        assertArrayEquals("why", (byte[]) null, (byte[]) null);
    }

    @Test
    public void arraysOfShortAreEqualOrNot() {
        assertArrayEquals(new short[] {1, 2}, new short[] {1, 2});
        fails(() -> assertArrayEquals(new short[] {1, 2}, new short[] {1, 1}));
        fails(() -> assertArrayEquals(new short[] {1, 2}, new short[] {1}));
        fails(() -> assertArrayEquals(new short[] {1}, (short[]) null));
        fails(() -> assertArrayEquals((short[]) null, new short[] {1}));
        assertArrayEquals((short[]) null, (short[]) null);
        assertArrayEquals("why", new short[] {1, 2}, new short[] {1, 2});
        fails(() -> assertArrayEquals("why", new short[] {1, 2}, new short[] {1, 1}));
        fails(() -> assertArrayEquals("why", new short[] {1, 2}, new short[] {1}));
        fails(() -> assertArrayEquals("why", new short[] {1}, (short[]) null));
        fails(() -> assertArrayEquals("why", (short[]) null, new short[] {1}));
        assertArrayEquals("why", (short[]) null, (short[]) null);
    }

    @Test
    public void arraysOfCharAreEqualOrNot() {
        assertArrayEquals(new char[] {'a', 'b'}, new char[] {'a', 'b'});
        fails(() -> assertArrayEquals(new char[] {'a', 'b'}, new char[] {'a', 'a'}));
        fails(() -> assertArrayEquals(new char[] {'a', 'b'}, new char[] {'a'}));
        fails(() -> assertArrayEquals(new char[] {'a'}, (char[]) null));
        fails(() -> assertArrayEquals((char[]) null, new char[] {'a'}));
        assertArrayEquals((char[]) null, (char[]) null);
        assertArrayEquals("why", new char[] {'a', 'b'}, new char[] {'a', 'b'});
        fails(() -> assertArrayEquals("why", new char[] {'a', 'b'}, new char[] {'a', 'a'}));
        fails(() -> assertArrayEquals("why", new char[] {'a', 'b'}, new char[] {'a'}));
        fails(() -> assertArrayEquals("why", new char[] {'a'}, (char[]) null));
        fails(() -> assertArrayEquals("why", (char[]) null, new char[] {'a'}));
        assertArrayEquals("why", (char[]) null, (char[]) null);
    }

    @Test
    public void arraysOfIntAreEqualOrNot() {
        assertArrayEquals(new int[] {1, 2}, new int[] {1, 2});
        fails(() -> assertArrayEquals(new int[] {1, 2}, new int[] {1, 1}));
        fails(() -> assertArrayEquals(new int[] {1, 2}, new int[] {1}));
        fails(() -> assertArrayEquals(new int[] {1}, (int[]) null));
        fails(() -> assertArrayEquals((int[]) null, new int[] {1}));
        assertArrayEquals((int[]) null, (int[]) null);
        assertArrayEquals("why", new int[] {1, 2}, new int[] {1, 2});
        fails(() -> assertArrayEquals("why", new int[] {1, 2}, new int[] {1, 1}));
        fails(() -> assertArrayEquals("why", new int[] {1, 2}, new int[] {1}));
        fails(() -> assertArrayEquals("why", new int[] {1}, (int[]) null));
        fails(() -> assertArrayEquals("why", (int[]) null, new int[] {1}));
        assertArrayEquals("why", (int[]) null, (int[]) null);
    }

    @Test
    public void arraysOfLongAreEqualOrNot() {
        assertArrayEquals(new long[] {1, 2}, new long[] {1, 2});
        fails(() -> assertArrayEquals(new long[] {1, 2}, new long[] {1, 1}));
        fails(() -> assertArrayEquals(new long[] {1, 2}, new long[] {1}));
        fails(() -> assertArrayEquals(new long[] {1}, (long[]) null));
        fails(() -> assertArrayEquals((long[]) null, new long[] {1}));
        assertArrayEquals((long[]) null, (long[]) null);
        assertArrayEquals("why", new long[] {1, 2}, new long[] {1, 2});
        fails(() -> assertArrayEquals("why", new long[] {1, 2}, new long[] {1, 1}));
        fails(() -> assertArrayEquals("why", new long[] {1, 2}, new long[] {1}));
        fails(() -> assertArrayEquals("why", new long[] {1}, (long[]) null));
        fails(() -> assertArrayEquals("why", (long[]) null, new long[] {1}));
        assertArrayEquals("why", (long[]) null, (long[]) null);
    }

    @Test
    public void arraysOfFloatAreEqualOrNot() {
        assertArrayEquals(new float[] {1f, 2f}, new float[] {1f, 2f}, 0.5f);
        fails(() -> assertArrayEquals(new float[] {1f, 2f}, new float[] {1f, 1f}, 0.5f));
        fails(() -> assertArrayEquals(new float[] {1f, 2f}, new float[] {1f}, 0.5f));
        fails(() -> assertArrayEquals(new float[] {1f}, (float[]) null, 0.5f));
        fails(() -> assertArrayEquals((float[]) null, new float[] {1f}, 0.5f));
        assertArrayEquals((float[]) null, (float[]) null, 0.5f);
        assertArrayEquals(new float[] {1f}, new float[] {1.25f}, 0.5f);
        assertArrayEquals("why", new float[] {1f, 2f}, new float[] {1f, 2f}, 0.5f);
        fails(() -> assertArrayEquals("why", new float[] {1f, 2f}, new float[] {1f, 1f}, 0.5f));
        fails(() -> assertArrayEquals("why", new float[] {1f, 2f}, new float[] {1f}, 0.5f));
        fails(() -> assertArrayEquals("why", new float[] {1f}, (float[]) null, 0.5f));
        fails(() -> assertArrayEquals("why", (float[]) null, new float[] {1f}, 0.5f));
        assertArrayEquals("why", (float[]) null, (float[]) null, 0.5f);
        assertArrayEquals("why", new float[] {1f}, new float[] {1.25f}, 0.5f);
    }

    @Test
    public void arraysOfDoubleAreEqualOrNot() {
        assertArrayEquals(new double[] {1, 2}, new double[] {1, 2}, 0.5);
        fails(() -> assertArrayEquals(new double[] {1, 2}, new double[] {1, 1}, 0.5));
        fails(() -> assertArrayEquals(new double[] {1, 2}, new double[] {1}, 0.5));
        fails(() -> assertArrayEquals(new double[] {1}, (double[]) null, 0.5));
        fails(() -> assertArrayEquals((double[]) null, new double[] {1}, 0.5));
        assertArrayEquals((double[]) null, (double[]) null, 0.5);
        assertArrayEquals(new double[] {1}, new double[] {1.25}, 0.5);
        assertArrayEquals("why", new double[] {1, 2}, new double[] {1, 2}, 0.5);
        fails(() -> assertArrayEquals("why", new double[] {1, 2}, new double[] {1, 1}, 0.5));
        fails(() -> assertArrayEquals("why", new double[] {1, 2}, new double[] {1}, 0.5));
        fails(() -> assertArrayEquals("why", new double[] {1}, (double[]) null, 0.5));
        fails(() -> assertArrayEquals("why", (double[]) null, new double[] {1}, 0.5));
        assertArrayEquals("why", (double[]) null, (double[]) null, 0.5);
        assertArrayEquals("why", new double[] {1}, new double[] {1.25}, 0.5);
    }

    @Test
    public void arraysOfObjectAreEqualOrNot() {
        assertArrayEquals(new Object[] {"a", "b"}, new Object[] {"a", "b"});
        fails(() -> assertArrayEquals(new Object[] {"a", "b"}, new Object[] {"a", "a"}));
        fails(() -> assertArrayEquals(new Object[] {"a", "b"}, new Object[] {"a"}));
        fails(() -> assertArrayEquals(new Object[] {"a"}, (Object[]) null));
        fails(() -> assertArrayEquals((Object[]) null, new Object[] {"a"}));
        assertArrayEquals((Object[]) null, (Object[]) null);
        assertArrayEquals("why", new Object[] {"a", "b"}, new Object[] {"a", "b"});
        fails(() -> assertArrayEquals("why", new Object[] {"a", "b"}, new Object[] {"a", "a"}));
        fails(() -> assertArrayEquals("why", new Object[] {"a", "b"}, new Object[] {"a"}));
        fails(() -> assertArrayEquals("why", new Object[] {"a"}, (Object[]) null));
        fails(() -> assertArrayEquals("why", (Object[]) null, new Object[] {"a"}));
        assertArrayEquals("why", (Object[]) null, (Object[]) null);
    }

    @Test
    public void arraysInArraysAreCompared() {
        assertArrayEquals(new Object[] {new int[] {1}}, new Object[] {new int[] {1}});
        fails(() -> assertArrayEquals(new Object[] {new int[] {1}}, new Object[] {new int[] {2}}));
        assertEquals(new Object[] {1}, new Object[] {1});
        fails(() -> assertEquals(new Object[] {1}, new Object[] {2}));
        assertArrayEquals("why", new Object[] {new int[] {1}}, new Object[] {new int[] {1}});
        fails(() -> assertArrayEquals("why", new Object[] {new int[] {1}}, new Object[] {new int[] {2}}));
        assertEquals("why", new Object[] {1}, new Object[] {1});
        fails(() -> assertEquals("why", new Object[] {1}, new Object[] {2}));
    }

    @Test
    public void exceptionsAreExpected() {
        assertThrows(RuntimeException.class, () -> Integer.parseInt("x"));
        fails(() -> assertThrows(RuntimeException.class, () -> {}));
        fails(() -> assertThrows(RuntimeException.class, () -> { throw new Exception(); }));
        assertThrows("why", RuntimeException.class, () -> Integer.parseInt("x"));
        fails(() -> assertThrows("why", RuntimeException.class, () -> {}));
        fails(() -> assertThrows("why", RuntimeException.class, () -> { throw new Exception(); }));
        NumberFormatException caught = assertThrows(NumberFormatException.class, () -> Integer.parseInt("x"));
        assertNotNull(caught.getMessage());
    }

    @Test
    public void failuresFail() {
        fails(() -> fail());
        fails(() -> fail());
    }

    @Test
    public void messagesAreShown() {
        assertEquals("why", assertThrows(AssertionError.class, () -> fail("why")).getMessage());
        assertTrue(assertThrows(AssertionError.class, () -> assertEquals("why", 1, 2)).getMessage().startsWith("why"));
    }

    @Test(expected = ArithmeticException.class)
    public void exceptionsAreExpectedByTheAnnotation() {
        assertEquals(0, 1 / Integer.parseInt("0"));
    }
}
