package petrel.refuter;

/** A value, with the calls that have made it what it is, as far as they are kept. */
final class Made {
    private static final int MOST_DEPTH = 4;
    private static final int MOST_CHANGES = 6;
    static final Made NULL = new Made(null, null);

    final Object value;
    private Step by;
    private Step[] changes;
    private int changeCount;
    private int depth;

    Made(Object value, Step by) {
        this.value = value;
        if (by != null && by.depth() < MOST_DEPTH) {
            this.by = by;
            depth = by.depth() + 1;
        }
    }

    int depth() {
        return depth;
    }

    /** How it was made; null if that is not known. */
    Step by() {
        return by;
    }

    /** A call was made on it. */
    void changedBy(Step step) {
        if (step.depth() > MOST_DEPTH) {
            changeCount++;
            return;
        }
        if (changes == null) changes = new Step[MOST_CHANGES];
        if (changeCount < MOST_CHANGES) changes[changeCount] = step;
        changeCount++;
        depth = Math.max(depth, step.depth());
    }

    void print(StringBuilder out, int levels) {
        if (by == null || levels <= 0) {
            Texts.print(out, value, Math.max(levels, 1));
        } else {
            by.print(out, levels - 1, null);
        }
        if (changes == null || levels <= 0) {
            if (changeCount > 0) out.append("{..}");
            return;
        }
        out.append('{');
        for (int i = 0; i < Math.min(changeCount, MOST_CHANGES); i++) {
            if (changes[i] != null) changes[i].print(out.append(i == 0 ? "" : "; "), levels - 1, this);
        }
        if (changeCount > MOST_CHANGES) out.append("; ..");
        out.append('}');
    }
}
