package shop;

/** A queue of fixed size on a ring. */
public class Queue {
    private final int[] ring;
    private int first;
    private int count;

    public Queue(int capacity) {
        if (capacity < 1 || capacity > 1000) {
            throw new IllegalArgumentException("from 1 to 1000");
        }
        ring = new int[capacity];
    }

    public int size() {
        return count;
    }

    public boolean add(int value) {
        if (count == ring.length) {
            return false;
        }
        ring[(first + count) % ring.length] = value;
        count++;
        return true;
    }

    public int take() {
        if (count == 0) {
            throw new IllegalStateException("empty");
        }
        int value = ring[first];
        first = (first + 1) % ring.length;
        count--;
        return value;
    }
}
