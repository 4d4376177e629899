/** Static state. */
class State {
    static int counter;
    static int[] last = {7};
    static final Object FIXED = "fixed";

    static int next() {
        return ++counter;
    }

    static int[] swapLast(int[] other) {
        int[] before = last;
        last = other;
        return before;
    }

    int own() {
        return counter;
    }
}
