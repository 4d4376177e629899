package petrel.refuter;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;

/** An implementation of an interface that answers with any values, or always with the same. */
final class Stub implements InvocationHandler {
    private static final int MOST_ANSWERS = 200;

    private final Values values;
    private final Constants constants;
    private final boolean isSteady;
    private final boolean throwsAtTimes;
    private final java.util.HashMap<Method, Object> answers = new java.util.HashMap<>();
    /** Each stub has an order of its own. */
    private final int seed;
    private int answered;

    Stub(Values values, Constants constants, Chance chance) {
        this.values = values;
        this.constants = constants;
        isSteady = chance.percent(50);
        seed = (int) chance.bits() | 1;
        throwsAtTimes = !values.keepsPremises && chance.percent(10);
    }

    /** The place of a value in an order of all values. */
    private int rank(Object value) {
        boolean isPlain = value instanceof String || value instanceof Number && value.getClass().getClassLoader() == null;
        return (isPlain ? value.hashCode() : System.identityHashCode(value)) * seed >>> 29;
    }

    /** What readers have to know of it. */
    @Override
    public String toString() {
        return (isSteady ? "steady" : "changing") + (throwsAtTimes ? ", throwing stub of " : " stub of ");
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
        if (method.getDeclaringClass() == Object.class) {
            switch (method.getName()) {
                case "equals": return proxy == arguments[0];
                case "hashCode": return System.identityHashCode(this);
                default: return "stub";
            }
        }
        if (values.keepsPremises && proxy instanceof java.util.Comparator && method.getName().equals("compare")) {
            return Integer.compare(rank(arguments[0]), rank(arguments[1]));
        }
        if (values.keepsPremises && proxy instanceof Comparable && method.getName().equals("compareTo")) {
            return Integer.compare(rank(proxy), rank(arguments[0]));
        }
        if (isSteady && answers.containsKey(method)) return answers.get(method);
        Class<?> type = method.getReturnType();
        if (type == void.class) return null;
        // Whoever asks again and again until something is true gets a plain answer in the end.
        boolean isTired = ++answered > MOST_ANSWERS;
        if (throwsAtTimes && !isTired && values.chance.percent(20)) throw new IllegalStateException("stub");
        boolean repeats = arguments != null && arguments.length > 0 && values.chance.percent(25);
        Object answer = null;
        if (repeats) answer = values.chance.of(arguments);
        if (answer == null || !type.isInstance(answer)) {
            answer = isTired ? Values.plain(type) : values.of(method.getGenericReturnType(), type, constants, Values.DEEP - 1).value;
        }
        if (isSteady) answers.put(method, answer);
        return answer;
    }
}
