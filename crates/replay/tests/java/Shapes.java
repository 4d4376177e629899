import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Objects that share, contain themselves, or are kept from reflection. */
class Shapes {
    enum Colour {
        RED,
        GREEN {
            @Override
            Colour other() {
                return RED;
            }
        };

        Colour other() {
            return GREEN;
        }
    }

    static class Node {
        private final int value;
        Node next;

        Node(int value) {
            this.value = value;
        }

        int sum() {
            int sum = 0;
            Node node = this;
            do {
                sum += node.value;
                node = node.next;
            } while (node != null && node != this);
            return sum;
        }

        void prepend(Node node) {
            node.next = this.next;
            this.next = node;
        }
    }

    /** Has a field of the same name as its superclass. */
    static class Named extends Node {
        String next = "mine";

        Named() {
            super(7);
        }
    }

    record Point(int x, long y, String name) {
        Point {
            if (x > 100) {
                throw new IllegalArgumentException("x");
            }
        }
    }

    static abstract class Shape {}

    static int[] increment(int[] array) {
        array[0]++;
        return array;
    }

    static Object[] twice(Object element) {
        return new Object[] {element, element, new Object[] {element}};
    }

    static boolean areSame(Object one, Object other) {
        return one == other;
    }

    static int[][] grid(int[][] grid) {
        grid[1] = grid[0];
        return grid;
    }

    static Node cycle(int length) {
        Node first = new Node(0);
        Node last = first;
        for (int i = 1; i < length; i++) {
            last.next = new Node(i);
            last = last.next;
        }
        last.next = first;
        return first;
    }

    static Colour other(Colour colour) {
        return colour.other();
    }

    static String show(Point point) {
        return point.toString();
    }

    static Object opaque() {
        Runnable lambda = () -> {};
        return new Object[] {lambda, String.class, Thread.currentThread()};
    }

    static List<Object> list(Object element) {
        List<Object> list = new ArrayList<>();
        list.add(element);
        return list;
    }

    static int size(ArrayList<?> list) {
        return list.size();
    }

    static Map<String, Integer> map() {
        Map<String, Integer> map = new HashMap<>();
        map.put("one", 1);
        return map;
    }

    static String ofAbstract(Shape shape) {
        return "built";
    }
}
