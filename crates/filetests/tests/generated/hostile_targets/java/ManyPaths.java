package hostile;

/** Has so many paths on one side of its first branch that whoever takes one after the other does not get to the other side. */
public final class ManyPaths {
    private ManyPaths() {
    }

    private static int negative(int number) {
        return number < 0 ? 1 : 0;
    }

    public static int count(int kind, int a, int b, int c, int d, int e, int f, int g, int h, int i) {
        int first = kind == 7 ? 1 : 2;
        int count = negative(a) + negative(b) + negative(c) + negative(d) + negative(e)
                + negative(f) + negative(g) + negative(h) + negative(i);
        return first == 1 ? count : -count;
    }
}
