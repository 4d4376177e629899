package petrel.refuter;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.*;

/** Objects of the class library. */
final class Library {
    static final Class<?>[] CONTAINERS = {
        ArrayList.class, LinkedList.class, HashMap.class, LinkedHashMap.class, TreeMap.class, HashSet.class, TreeSet.class,
        Iterator.class, Optional.class, StringBuilder.class, Map.Entry.class, BigInteger.class, BigDecimal.class, Date.class,
        ArrayDeque.class, Locale.class
    };
    /** Packages whose classes do nothing to the world outside. */
    private static final List<String> HARMLESS = Arrays.asList(
            "java.util", "java.math", "java.text", "java.time", "java.util.regex", "java.util.concurrent.atomic",
            "java.time.temporal", "java.time.chrono", "java.time.zone", "java.nio");
    private static final List<String> HARMFUL = Arrays.asList("Scanner", "Timer", "Formatter", "ServiceLoader", "ResourceBundle");

    private final Values values;
    private final Chance chance;

    Library(Values values) {
        this.values = values;
        chance = values.chance;
    }

    /** An object of a type; null if it is none that is known here. */
    Made make(Class<?> type, Type generic, Constants own, int depth) {
        if (type.getClassLoader() instanceof Loader) return null;
        Object made = container(type, generic, own, depth);
        if (made == null) made = simple(type, own);
        if (made == null) return null;
        Made result = new Made(made, null);
        values.pool.add(result);
        return result;
    }

    private Object container(Class<?> type, Type generic, Constants own, int depth) {
        if (Map.class.isAssignableFrom(type)) return map(type, generic, own, depth);
        if (type == Iterable.class || Collection.class.isAssignableFrom(type)) {
            Collection<Object> filled = collection(type);
            if (filled == null) return null;
            fill(filled, argument(generic, 0), own, depth);
            if (type.isInterface() && chance.percent(12)) {
                if (type == Set.class) return Collections.unmodifiableSet((Set<?>) filled);
                if (type == List.class) return Collections.unmodifiableList((List<?>) filled);
                if (type == Collection.class || type == Iterable.class) return Arrays.asList(filled.toArray());
            }
            return filled;
        }
        if (type == Iterator.class || type == ListIterator.class || type == Enumeration.class) {
            List<Object> list = new ArrayList<>();
            fill(list, argument(generic, 0), own, depth);
            return type == Enumeration.class ? Collections.enumeration(list) : list.listIterator();
        }
        if (type == Optional.class) return Optional.ofNullable(element(argument(generic, 0), own, depth));
        if (type == Map.Entry.class) {
            return new AbstractMap.SimpleEntry<>(element(argument(generic, 0), own, depth), element(argument(generic, 1), own, depth));
        }
        return null;
    }

    private static Type argument(Type generic, int number) {
        if (!(generic instanceof ParameterizedType)) return Object.class;
        Type[] arguments = ((ParameterizedType) generic).getActualTypeArguments();
        return number < arguments.length ? arguments[number] : Object.class;
    }

    private Object element(Type type, Constants own, int depth) {
        return values.of(type, Values.erased(type), own, depth + 1).value;
    }

    private void fill(Collection<Object> into, Type type, Constants own, int depth) {
        int size = depth > 0 ? chance.below(3) : values.numbers.length(own, 60);
        for (int i = 0; i < size; i++) {
            try {
                into.add(element(type, own, depth));
            } catch (RuntimeException | AssertionError refused) {
                // Sorted collections do not take everything, and elements may refuse to be compared.
            }
        }
    }

    private Collection<Object> collection(Class<?> type) {
        boolean isPlain = chance.percent(60);
        if (type == ArrayList.class) return new ArrayList<>();
        if (type == LinkedList.class) return new LinkedList<>();
        if (type == Vector.class) return new Vector<>();
        if (type == Stack.class) return new Stack<>();
        if (type == HashSet.class) return new HashSet<>();
        if (type == LinkedHashSet.class) return new LinkedHashSet<>();
        if (type == TreeSet.class || type == SortedSet.class || type == NavigableSet.class) return new TreeSet<>();
        if (type == ArrayDeque.class) return new ArrayDeque<>();
        if (type == PriorityQueue.class) return new PriorityQueue<>();
        if (type == Deque.class || type == Queue.class) return isPlain ? new ArrayDeque<>() : new LinkedList<>();
        if (type == Set.class || type == AbstractSet.class) {
            return isPlain ? new LinkedHashSet<>() : chance.percent(50) ? new TreeSet<>() : new HashSet<>();
        }
        if (type == List.class || type == AbstractList.class || type == Collection.class || type == Iterable.class
                || type == AbstractCollection.class) {
            if (isPlain) return new ArrayList<>();
            boolean isSet = type == Collection.class || type == Iterable.class;
            if (isSet && chance.percent(40)) return new LinkedHashSet<>();
            return type == AbstractList.class ? new Vector<>() : new LinkedList<>();
        }
        return null;
    }

    private Object map(Class<?> type, Type generic, Constants own, int depth) {
        Map<Object, Object> map;
        if (type == HashMap.class) map = new HashMap<>();
        else if (type == LinkedHashMap.class) map = new LinkedHashMap<>();
        else if (type == TreeMap.class || type == SortedMap.class || type == NavigableMap.class) map = new TreeMap<>();
        else if (type == Hashtable.class) map = new Hashtable<>();
        else if (type == Properties.class) map = new Properties();
        else if (type == java.util.concurrent.ConcurrentMap.class || type == java.util.concurrent.ConcurrentHashMap.class) {
            map = new java.util.concurrent.ConcurrentHashMap<>();
        } else if (type == Map.class || type == AbstractMap.class) {
            map = chance.percent(60) ? new LinkedHashMap<>() : chance.percent(50) ? new HashMap<>() : new TreeMap<>();
        } else {
            return null;
        }
        int size = depth > 0 ? chance.below(3) : values.numbers.length(own, 40);
        for (int i = 0; i < size; i++) {
            try {
                map.put(element(argument(generic, 0), own, depth), element(argument(generic, 1), own, depth));
            } catch (RuntimeException | AssertionError refused) {
                // Sorted and concurrent maps do not take everything, and keys may refuse to be compared.
            }
        }
        return map;
    }

    private Object simple(Class<?> type, Constants own) {
        Constants all = values.allConstants();
        if (type == CharSequence.class) {
            String text = values.strings.string(own, all);
            return chance.percent(60) ? text : chance.percent(50) ? new StringBuilder(text) : java.nio.CharBuffer.wrap(text);
        }
        if (type == StringBuilder.class || type == Appendable.class) return new StringBuilder(values.strings.string(own, all));
        if (type == StringBuffer.class) return new StringBuffer(values.strings.string(own, all));
        if (type == BigInteger.class) {
            BigInteger number = BigInteger.valueOf(values.numbers.integer(own, all));
            return chance.percent(80) ? number : number.pow(chance.below(6)).multiply(BigInteger.valueOf(values.numbers.integer(own, all)));
        }
        if (type == BigDecimal.class) return BigDecimal.valueOf(values.numbers.integer(own, all), chance.below(9) - 2);
        if (type == Date.class) return new Date(values.numbers.integer(own, all));
        if (type == Random.class) return new Random(values.numbers.integer(own, all));
        if (type == Locale.class) return chance.of(LOCALES);
        if (type == TimeZone.class) return TimeZone.getTimeZone(chance.of(ZONES));
        if (type == java.nio.charset.Charset.class) return chance.of(CHARSETS);
        if (type == Calendar.class || type == GregorianCalendar.class) {
            Calendar calendar = new GregorianCalendar(TimeZone.getTimeZone(chance.of(ZONES)), chance.of(LOCALES));
            calendar.setTimeInMillis(values.numbers.integer(own, all));
            return calendar;
        }
        if (type == java.io.Reader.class || type == java.io.StringReader.class) {
            return new java.io.StringReader(values.strings.string(own, all));
        }
        if (type == java.io.Writer.class || type == java.io.StringWriter.class) return new java.io.StringWriter();
        if (type == java.io.PrintWriter.class) return new java.io.PrintWriter(new java.io.StringWriter());
        if (type == java.io.InputStream.class || type == java.io.ByteArrayInputStream.class) {
            return new java.io.ByteArrayInputStream(
                    values.strings.string(own, all).getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        if (type == java.io.OutputStream.class || type == java.io.ByteArrayOutputStream.class) return new java.io.ByteArrayOutputStream();
        if (type == java.io.PrintStream.class) return new java.io.PrintStream(new java.io.ByteArrayOutputStream());
        if (Throwable.class.isAssignableFrom(type)) return exception(type, own);
        if (type == ClassLoader.class) return Library.class.getClassLoader();
        return null;
    }

    private Object exception(Class<?> type, Constants own) {
        String text = chance.percent(20) ? null : values.strings.string(own, values.allConstants());
        if (type == Throwable.class || type == Exception.class) {
            Exception cause = chance.percent(50) ? null : new java.io.IOException(text);
            return chance.percent(50) ? new IllegalStateException(text, cause) : new Exception(text, cause);
        }
        try {
            return chance.percent(30) ? type.getConstructor().newInstance() : type.getConstructor(String.class).newInstance(text);
        } catch (ReflectiveOperationException none) {
            return null;
        }
    }

    private static final Locale[] LOCALES = {
        Locale.ENGLISH, Locale.US, Locale.UK, Locale.GERMANY, Locale.FRANCE, Locale.JAPAN, Locale.ROOT, new Locale("tr", "TR"),
        new Locale("en", "GB", "POSIX"), new Locale("", "CH"), new Locale("de")
    };
    private static final String[] ZONES = {"UTC", "GMT", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "GMT+3", "?"};
    private static final java.nio.charset.Charset[] CHARSETS = {
        java.nio.charset.StandardCharsets.UTF_8, java.nio.charset.StandardCharsets.UTF_16,
        java.nio.charset.StandardCharsets.ISO_8859_1, java.nio.charset.StandardCharsets.US_ASCII
    };

    /** Public constructors and factories of a class of the library. */
    List<Target> makersOf(Class<?> type) {
        List<Target> makers = new ArrayList<>();
        if (type.getClassLoader() instanceof Loader || type.getPackage() == null
                || !HARMLESS.contains(type.getPackage().getName()) || HARMFUL.contains(type.getSimpleName())
                || !Modifier.isPublic(type.getModifiers())) {
            return makers;
        }
        if (Values.isConcrete(type)) {
            for (Constructor<?> constructor : type.getConstructors()) makers.add(new Target(constructor));
        }
        for (Method method : type.getMethods()) {
            boolean isFactory = Modifier.isStatic(method.getModifiers()) && type.isAssignableFrom(method.getReturnType());
            if (isFactory) makers.add(new Target(method));
        }
        // Reflection has no order of its own.
        makers.sort((a, b) -> a.key.compareTo(b.key));
        return makers;
    }
}
