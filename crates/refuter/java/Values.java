package petrel.refuter;

import java.lang.reflect.Array;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Values of all types. */
final class Values {
    /** Values of values go no deeper. */
    static final int DEEP = 3;
    private static final int LONGEST_ARRAY = 300;

    final Chance chance;
    final Numbers numbers;
    final Strings strings;
    final Pool pool;
    private final Library library;
    private final Constants all;
    /** What makes objects of the classes under test and of their helpers, by the type that is asked for. */
    private final Map<Class<?>, List<Target>> makers = new HashMap<>();
    private final List<Target> everyMaker;
    private final List<Class<?>> ownClasses;
    private final World world;
    final boolean keepsPremises;

    Values(World world, Chance chance, Constants all, List<Target> makers, List<Class<?>> ownClasses, boolean keepsPremises) {
        this.world = world;
        this.keepsPremises = keepsPremises;
        this.chance = chance;
        this.all = all;
        numbers = new Numbers(chance);
        strings = new Strings(chance, numbers);
        pool = new Pool(chance);
        library = new Library(this);
        everyMaker = makers;
        this.ownClasses = ownClasses;
    }

    Constants allConstants() {
        return all;
    }

    /** A value of a type. `generic` may say more than the class. */
    Made of(Type generic, Class<?> type, Constants own, int depth) {
        if (type.isPrimitive()) return new Made(primitive(type, own), null);
        if (chance.percent(depth == 0 ? 7 : 4)) return Made.NULL;
        if (type == String.class) return new Made(strings.string(own, all), null);
        if (type == Object.class || type == java.io.Serializable.class || type == Comparable.class) {
            return anything(type, own, depth);
        }
        Object box = box(type, own);
        if (box != null) return new Made(box, null);
        if (type.isArray()) return array(generic, type, own, depth);
        if (type.isEnum() || type.getSuperclass() != null && type.getSuperclass().isEnum()) {
            return oneOf(type.isEnum() ? type : type.getSuperclass());
        }
        if (type == Class.class) return new Made(someClass(), null);
        if (chance.percent(depth >= DEEP ? 95 : 60)) {
            Made found = pool.find(type);
            if (found != null) return found;
        }
        if (depth < DEEP) {
            Made made = fresh(generic, type, own, depth);
            if (made != null) return made;
        }
        Made found = pool.find(type);
        return found == null ? Made.NULL : found;
    }

    private Made oneOf(Class<?> type) {
        try {
            Object[] constants = type.getEnumConstants();
            return constants == null || constants.length == 0 ? Made.NULL : new Made(chance.of(constants), null);
        } catch (LinkageError initialiserFails) {
            return Made.NULL;
        }
    }

    Object primitive(Class<?> type, Constants own) {
        if (type == boolean.class) return chance.percent(50);
        if (type == char.class) return numbers.character(own, all);
        if (type == double.class) return numbers.real(own, all);
        if (type == float.class) return (float) numbers.real(own, all);
        long value = numbers.integer(own, all);
        if (type == int.class) return (int) value;
        if (type == long.class) return value;
        if (type == short.class) return (short) value;
        return (byte) value;
    }

    private Object box(Class<?> type, Constants own) {
        if (type == Integer.class) return primitive(int.class, own);
        if (type == Long.class) return primitive(long.class, own);
        if (type == Boolean.class) return primitive(boolean.class, own);
        if (type == Character.class) return primitive(char.class, own);
        if (type == Double.class) return primitive(double.class, own);
        if (type == Float.class) return primitive(float.class, own);
        if (type == Short.class) return primitive(short.class, own);
        if (type == Byte.class) return primitive(byte.class, own);
        if (type == Number.class) return box(chance.of(BOXES), own);
        return null;
    }

    private static final Class<?>[] BOXES = {
        Integer.class, Long.class, Double.class, Float.class, Short.class, Byte.class
    };

    /** A value of a type that has values of nearly all classes. */
    private Made anything(Class<?> type, Constants own, int depth) {
        int kind = chance.below(100);
        if (kind < 35) {
            // What is compared has often the class of what it is compared with.
            Class<?> wanted = ownClasses.isEmpty() ? type : chance.of(ownClasses);
            Made found = pool.find(type.isAssignableFrom(wanted) ? wanted : type);
            if (found != null) return found;
        }
        if (kind < 45) {
            Made found = pool.find(type);
            if (found != null) return found;
        }
        if (kind < 65) return new Made(strings.string(own, all), null);
        if (kind < 85) return new Made(box(chance.of(MANY_BOXES), own), null);
        if (type != Comparable.class && kind < 90) return array(Object[].class, chance.of(ARRAYS), own, depth);
        if (type == Object.class && depth < DEEP) {
            if (kind < 93) return new Made(new Object(), null);
            Made made = library.make(chance.of(Library.CONTAINERS), Object.class, own, depth);
            if (made != null) return made;
        }
        return new Made(strings.string(own, all), null);
    }

    private static final Class<?>[] MANY_BOXES = {
        Integer.class, Integer.class, Long.class, Double.class, Float.class, Short.class, Byte.class, Boolean.class,
        Character.class
    };
    private static final Class<?>[] ARRAYS = {
        Object[].class, String[].class, int[].class, long[].class, byte[].class, char[].class, double[].class, boolean[].class,
        int[][].class, Integer[].class, short[].class, float[].class
    };

    private Made array(Type generic, Class<?> type, Constants own, int depth) {
        if (chance.percent(30)) {
            Made found = pool.find(type);
            if (found != null) return found;
        }
        Class<?> component = type.getComponentType();
        Type genericComponent = generic instanceof java.lang.reflect.GenericArrayType
                ? ((java.lang.reflect.GenericArrayType) generic).getGenericComponentType()
                : component;
        int length = depth >= DEEP ? chance.below(3) : numbers.length(own, component.isPrimitive() ? LONGEST_ARRAY : 40);
        Object array = Array.newInstance(component, length);
        boolean isUniform = chance.percent(15);
        boolean isSorted = chance.percent(15) && component.isPrimitive() && component != boolean.class;
        Object first = null;
        for (int i = 0; i < length; i++) {
            Object element = isUniform && i > 0 ? first : of(genericComponent, component, own, depth + 1).value;
            if (i == 0) first = element;
            if (element != null) {
                try {
                    Array.set(array, i, element);
                } catch (IllegalArgumentException wrongType) {
                    // A stub may be of another class than the element type says.
                    break;
                }
            }
        }
        if (isSorted) sort(array);
        Made made = new Made(array, null);
        pool.add(made);
        return made;
    }

    private static void sort(Object array) {
        if (array instanceof int[]) java.util.Arrays.sort((int[]) array);
        else if (array instanceof long[]) java.util.Arrays.sort((long[]) array);
        else if (array instanceof double[]) java.util.Arrays.sort((double[]) array);
        else if (array instanceof char[]) java.util.Arrays.sort((char[]) array);
    }

    private Class<?> someClass() {
        if (!ownClasses.isEmpty() && chance.percent(40)) return chance.of(ownClasses);
        if (chance.percent(30)) return chance.of(ARRAYS);
        return chance.of(CLASSES);
    }

    private static final Class<?>[] CLASSES = {
        Object.class, String.class, Integer.class, int.class, long.class, boolean.class, void.class, Number.class, List.class,
        Map.class, Runnable.class, Thread.State.class, Map.Entry.class, double.class, char.class, byte.class, Enum.class
    };

    /** A new object; null if there is no way. */
    private Made fresh(Type generic, Class<?> type, Constants own, int depth) {
        Made made = library.make(type, generic, own, depth);
        if (made != null) return made;
        List<Target> fitting = makersOf(type);
        boolean isOpen = type.isInterface();
        if (isOpen && (fitting.isEmpty() || !keepsPremises && chance.percent(30))) return stub(type, own);
        for (int attempt = 0; attempt < 2 && !fitting.isEmpty(); attempt++) {
            Target maker = chance.of(fitting);
            if (!maker.record.isWorthIt(chance)) continue;
            Made receiver = null;
            if (maker.needsReceiver()) {
                receiver = pool.find(maker.declaring);
                if (receiver == null) continue;
            }
            made = world.make(new Step(maker, receiver, arguments(maker, receiver, own, depth + 1)));
            if (made != null && type.isInstance(made.value)) return made;
        }
        return null;
    }

    private List<Target> makersOf(Class<?> type) {
        List<Target> fitting = makers.get(type);
        if (fitting == null) {
            fitting = new ArrayList<>();
            for (Target maker : everyMaker) {
                if (type.isAssignableFrom(maker.result)) fitting.add(maker);
            }
            if (fitting.isEmpty() && !type.isInterface()) fitting.addAll(library.makersOf(type));
            makers.put(type, fitting);
        }
        return fitting;
    }

    private Made stub(Class<?> type, Constants own) {
        try {
            ClassLoader loader = type.getClassLoader();
            Object stub = Proxy.newProxyInstance(
                    loader == null ? Values.class.getClassLoader() : loader, new Class<?>[] {type}, new Stub(this, own, chance));
            Made made = new Made(stub, null);
            pool.add(made);
            return made;
        } catch (IllegalArgumentException | LinkageError cannotBeImplemented) {
            // It is sealed, or its initialiser fails.
            return null;
        }
    }

    Made[] arguments(Target target, Made receiver, Constants own, int depth) {
        Made[] arguments = new Made[target.parameters.length];
        boolean before = numbers.isModest;
        numbers.isModest |= target.record.isGreedy();
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = argument(target, receiver, arguments, i, own, depth);
        }
        numbers.isModest = before;
        return arguments;
    }

    /** One argument: at times the receiver or another argument once more. */
    Made argument(Target target, Made receiver, Made[] before, int number, Constants own, int depth) {
        Class<?> type = target.parameters[number];
        if (chance.percent(8)) {
            if (receiver != null && type.isInstance(receiver.value) && chance.percent(50)) return receiver;
            if (number > 0) {
                Made other = before[chance.below(number)];
                boolean isSame = type.isPrimitive() && type == target.parameters[number - 1];
                if (isSame) return before[number - 1];
                if (other != null && type.isInstance(other.value)) return other;
            }
        }
        if (receiver != null && type == Object.class && chance.percent(35)) {
            // Equal objects have mostly been made in the same way.
            if (receiver.by() != null && chance.percent(40)) {
                Made again = world.make(receiver.by());
                if (again != null) return again;
            }
            Made other = pool.find(receiver.value.getClass());
            if (other != null) return other;
        }
        return of(target.genericParameters[number], type, own, depth);
    }

    static Object plain(Class<?> type) {
        if (!type.isPrimitive()) return null;
        return Array.get(Array.newInstance(type, 1), 0);
    }

    /** The class that a type argument stands for. */
    static Class<?> erased(Type type) {
        if (type instanceof Class) return (Class<?>) type;
        if (type instanceof ParameterizedType) return erased(((ParameterizedType) type).getRawType());
        if (type instanceof WildcardType) {
            WildcardType wildcard = (WildcardType) type;
            Type[] lower = wildcard.getLowerBounds();
            return erased(lower.length > 0 ? lower[0] : wildcard.getUpperBounds()[0]);
        }
        if (type instanceof java.lang.reflect.TypeVariable) {
            return erased(((java.lang.reflect.TypeVariable<?>) type).getBounds()[0]);
        }
        if (type instanceof java.lang.reflect.GenericArrayType) {
            Class<?> component = erased(((java.lang.reflect.GenericArrayType) type).getGenericComponentType());
            return Array.newInstance(component, 0).getClass();
        }
        return Object.class;
    }

    static boolean isConcrete(Class<?> type) {
        return !type.isInterface() && !Modifier.isAbstract(type.getModifiers());
    }
}
