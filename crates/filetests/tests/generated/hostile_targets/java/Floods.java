package hostile;

/** Prints without an end, and asks for more memory than there is. */
public class Floods {
    private static final java.util.List<long[]> KEPT = new java.util.ArrayList<>();

    public static int printsForever(int n) {
        while (n != 0) {
            System.out.println("and on, and on, and on");
        }
        return n;
    }

    public static int printsMuch(boolean really) {
        for (int i = 0; really && i < 1_000_000; i++) {
            System.err.println("line " + i);
        }
        return 1;
    }

    public static int huge(int n) {
        long[] numbers = new long[n];
        return numbers.length;
    }

    public static long hugeMatrix(int n) {
        long[][][] numbers = new long[n][n][n];
        return numbers.length == 0 ? 0 : numbers[0].length;
    }

    public static int keeps(int n) {
        while (n > 0) {
            KEPT.add(new long[1 << 20]);
        }
        return KEPT.size();
    }

    public static int longText(int n) {
        StringBuilder text = new StringBuilder("x");
        while (text.length() < n) {
            text.append(text);
        }
        return text.length();
    }
}
