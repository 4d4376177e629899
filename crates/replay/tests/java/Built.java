import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Takes objects that constructors, factories and further calls have built. */
class Built {
    /** Its hash code and equality depend on fields, and on what is in a list. */
    static final class Key {
        private String name;
        private List<String> tags;

        Key(String name, List<String> tags) {
            this.name = name;
            this.tags = tags;
        }

        @Override
        public int hashCode() {
            return 31 * name.hashCode() + tags.hashCode();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key
                    && name.equals(((Key) other).name)
                    && tags.equals(((Key) other).tags);
        }
    }

    /** May be one of its own friends. */
    static final class Person {
        String name;
        Set<Person> friends;

        @Override
        public int hashCode() {
            return name.hashCode();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Person && name.equals(((Person) other).name);
        }

        boolean likesItself() {
            return friends.contains(this);
        }
    }

    /** The longest first, or the shortest. */
    static final class ByLength implements Comparator<String> {
        private boolean longestFirst;

        @Override
        public int compare(String left, String right) {
            int order = Integer.compare(left.length(), right.length());
            return longestFirst ? -order : order;
        }
    }

    /** Tickets have numbers. */
    static final class Ticket {
        private static int issued;
        private final int number;

        private Ticket() {
            issued++;
            number = issued;
        }

        static Ticket none() {
            return null;
        }
    }

    /** Cannot be initialised. */
    static final class Broken {
        static final int FAILS = Integer.parseInt("no number");
    }

    static Collection<Object> kept;

    static String show(Object object) {
        return object + " is a " + object.getClass().getName();
    }

    static boolean contains(Set<Key> keys, Key like) {
        return keys.contains(new Key(like.name, like.tags));
    }

    static int depth(Object list) {
        int depth = 0;
        while (list instanceof List && !((List<?>) list).isEmpty()) {
            list = ((List<?>) list).get(0);
            depth++;
        }
        return depth;
    }

    static boolean isOwnElement(List<?> list) {
        return list.get(0) == list;
    }

    static Object first(List<?> list) {
        return list.get(0);
    }

    static Object add(Collection<Object> all, Object one) {
        all.add(one);
        return all;
    }

    static boolean areShared(Map<String, Object> map, Object value) {
        return map.get("first") == value && map.get("second") == value;
    }

    static int number(Ticket ticket) {
        return ticket.number;
    }

    static int keptSize() {
        return kept.size();
    }
}
