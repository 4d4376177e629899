package hostile;

/** Ends the process in methods. */
public class ExitsInMethods {
    public static int exitIfNegative(int n) {
        if (n < 0) {
            System.exit(n);
        }
        return n;
    }

    public static int haltIfSeven(int n) {
        if (n == 7) {
            Runtime.getRuntime().halt(0);
        }
        return n;
    }

    public static int exitInFinally(int n) {
        try {
            return 10 / n;
        } finally {
            if (n == 3) {
                System.exit(0);
            }
        }
    }
}
