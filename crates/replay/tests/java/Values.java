/** Returns what it is given. */
class Values {
    static boolean same(boolean value) {
        return value;
    }

    static byte same(byte value) {
        return value;
    }

    static short same(short value) {
        return value;
    }

    static char same(char value) {
        return value;
    }

    static int same(int value) {
        return value;
    }

    static long same(long value) {
        return value;
    }

    static float same(float value) {
        return value;
    }

    static double same(double value) {
        return value;
    }

    static Object same(Object value) {
        return value;
    }

    static String all(
            boolean a, byte b, short c, char d, int e, long f, float g, double h, String i) {
        return a + " " + b + " " + c + " " + d + " " + e + " " + f + " " + g + " " + h + " " + i;
    }

    static boolean isSmallBoxShared(Integer value) {
        return value == Integer.valueOf(value.intValue());
    }

    static void nothing() {}
}
