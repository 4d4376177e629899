package petrel.refuter;

/** Chance that can be repeated: xorshift. */
final class Chance {
    private long state;

    Chance(long seed) {
        state = (seed * 0x9e3779b97f4a7c15L) | 1;
        for (int i = 0; i < 8; i++) bits();
    }

    long bits() {
        state ^= state >>> 12;
        state ^= state << 25;
        state ^= state >>> 27;
        return state * 0x2545f4914f6cdd1dL;
    }

    /** Below a limit; 0 if that is 0. */
    int below(int limit) {
        return limit <= 1 ? 0 : (int) ((bits() >>> 33) % limit);
    }

    /** So many times of hundred. */
    boolean percent(int share) {
        return below(100) < share;
    }

    <T> T of(T[] values) {
        return values[below(values.length)];
    }

    <T> T of(java.util.List<T> values) {
        return values.get(below(values.size()));
    }
}
