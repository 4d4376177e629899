package hostile;

/** Needs a class that cannot be loaded. */
public class UsesOrphan {
    public static int viaOrphan(int n) {
        return n > 0 ? new Orphan().twice(n) : n;
    }

    public static int takesOrphan(Orphan orphan, int n) {
        return orphan == null ? n : orphan.twice(n);
    }

    public static int alone(int n) {
        return n > 0 ? 1 : 0;
    }
}
