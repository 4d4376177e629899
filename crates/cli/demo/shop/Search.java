package shop;

/** Looks for values in sorted arrays. */
public final class Search {
    private Search() {
    }

    /** A place of the key, or -1. */
    public static int find(int[] sorted, int key) {
        int low = 0;
        int high = sorted.length - 1;
        while (low <= high) {
            int middle = middle(low, high);
            if (sorted[middle] == key) {
                return middle;
            }
            if (sorted[middle] < key) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    static int middle(int low, int high) {
        return (low + high) / 2;
    }

    /** How many pages of a size it takes; the sum overflows for large numbers. */
    public static int pages(int items, int size) {
        if (items < 0 || size <= 0) {
            throw new IllegalArgumentException("items and size");
        }
        int pages = (items + size - 1) / size;
        int[] starts = new int[pages];
        for (int page = 0; page < pages && page < 3; page++) {
            starts[page] = page * size;
        }
        return starts.length;
    }
}
