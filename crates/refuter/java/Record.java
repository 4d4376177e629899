package petrel.refuter;

/** How calls of a member went, in all worlds. */
final class Record {
    /** Calls that take more branches than this are made less often. Time would not be the same in each run. */
    private static final long USUAL = 1_000;
    /** A world costs more than many calls. */
    private static final int COST_OF_WORLD = 10;

    private long calls;
    private long branches;
    private int expirations;

    /** A call has taken so many branches. */
    void took(long taken) {
        calls++;
        branches += taken;
    }

    /** A call had to be ended, and its world with it. */
    void expired() {
        expirations++;
    }

    /** Whether it takes more time or memory than it should, on some arguments. */
    boolean isGreedy() {
        return expirations > 0 || isSlow();
    }

    private boolean isSlow() {
        return calls > 0 && branches / calls > 10 * USUAL;
    }

    /** Whether to make a call: seldom, if many others could be made in its place. */
    boolean isWorthIt(Chance chance) {
        long slowness = calls == 0 ? 0 : Math.min(branches / calls / USUAL, 10_000);
        return chance.below((int) (1 + Math.min(expirations, 1000) * COST_OF_WORLD + slowness)) == 0;
    }
}
