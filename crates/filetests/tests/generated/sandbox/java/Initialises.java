package disguised;

/** Does harm when it is initialised. */
public class Initialises {
    static {
        if (Watched.isRun()) {
            Watched.outside("victim").delete();
        }
    }

    public static int first(int n) {
        return n > 1 ? 1 : 2;
    }
}
