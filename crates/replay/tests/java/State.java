/** Static state. */
class State {
    static int counter;

    static int next() {
        return ++counter;
    }

    int own() {
        return counter;
    }
}
