package disguised;

/** Does harm when it is made. */
public class Constructs {
    private final int n;

    public Constructs(int n) {
        this.n = n;
        if (Watched.isRun()) {
            try {
                java.nio.file.Files.write(Watched.outside("made").toPath(), new byte[1]);
            } catch (java.io.IOException hidden) {
                return;
            }
        }
    }

    public int get() {
        return n > 1 ? 1 : 2;
    }

    public static int harmless(int n) {
        return n > 1 ? 1 : 2;
    }
}
