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

/** Initialised before the objects that its method gets. */
class Earlier {
    static final int NUMBER = State.next();

    static int distance(Later later) {
        return Later.NUMBER - NUMBER;
    }
}

class Later {
    static final int NUMBER = State.next();
}
