package petrel.refuter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Objects that were made before, by class. There is a bound for each class and for all of them. */
final class Pool {
    private static final int MOST_OF_CLASS = 24;
    private static final int MOST_CLASSES = 400;

    private final Chance chance;
    private final Map<Class<?>, List<Made>> byClass = new HashMap<>();
    private final List<Class<?>> classes = new ArrayList<>();
    /** For each type that was asked for, the lists with its objects. */
    private final Map<Class<?>, List<List<Made>>> byType = new HashMap<>();

    Pool(Chance chance) {
        this.chance = chance;
    }

    void add(Made made) {
        Class<?> type = made.value.getClass();
        List<Made> list = byClass.get(type);
        if (list == null) {
            if (classes.size() >= MOST_CLASSES) return;
            list = new ArrayList<>();
            byClass.put(type, list);
            classes.add(type);
            byType.clear();
        }
        if (list.size() < MOST_OF_CLASS) list.add(made);
        else list.set(chance.below(MOST_OF_CLASS), made);
    }

    /** An object of a type; null if there is none. */
    Made find(Class<?> type) {
        List<List<Made>> lists = byType.get(type);
        if (lists == null) {
            lists = new ArrayList<>();
            for (Class<?> known : classes) {
                if (type.isAssignableFrom(known)) lists.add(byClass.get(known));
            }
            byType.put(type, lists);
        }
        return lists.isEmpty() ? null : chance.of(chance.of(lists));
    }
}
