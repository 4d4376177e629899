package petrel.refuter;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;

/** A method or constructor that can be called, or a field that can be written. */
final class Target {
    final Class<?> declaring;
    final String name;
    /** Class, name and descriptor. */
    final String key;
    final Class<?>[] parameters;
    final Type[] genericParameters;
    final Class<?> result;
    final boolean isStatic;
    private final Member member;
    /** First of its probes and their end; null if it has none. */
    int[] probes;
    /** What is known of its calls in all worlds. */
    Record record = new Record();
    /** Arguments of calls that took a branch for the first time. */
    final java.util.ArrayList<Step> fruitful = new java.util.ArrayList<>();

    Target(Member member) {
        this.member = member;
        declaring = member.getDeclaringClass();
        ((java.lang.reflect.AccessibleObject) member).setAccessible(true);
        if (member instanceof Constructor) {
            Constructor<?> constructor = (Constructor<?>) member;
            name = "<init>";
            parameters = constructor.getParameterTypes();
            genericParameters = generic(parameters, constructor.getGenericParameterTypes());
            result = declaring;
            isStatic = true;
        } else if (member instanceof Method) {
            Method method = (Method) member;
            name = method.getName();
            parameters = method.getParameterTypes();
            genericParameters = generic(parameters, method.getGenericParameterTypes());
            result = method.getReturnType();
            isStatic = Modifier.isStatic(method.getModifiers());
        } else {
            Field field = (Field) member;
            name = field.getName();
            parameters = new Class<?>[] {field.getType()};
            genericParameters = new Type[] {field.getGenericType()};
            result = void.class;
            isStatic = Modifier.isStatic(field.getModifiers());
        }
        key = declaring.getName() + "." + name + (isField() ? "" : descriptor());
    }

    /** Constructors of inner classes and enums may have fewer generic parameters than parameters. */
    private static Type[] generic(Class<?>[] erased, Type[] generic) {
        return generic.length == erased.length ? generic : erased;
    }

    private String descriptor() {
        StringBuilder out = new StringBuilder("(");
        for (Class<?> parameter : parameters) out.append(descriptor(parameter));
        return out.append(')').append(isConstructor() ? "V" : descriptor(result)).toString();
    }

    private static String descriptor(Class<?> type) {
        if (type == void.class) return "V";
        // The name of an array class is its descriptor, with dots.
        String array = java.lang.reflect.Array.newInstance(type, 0).getClass().getName();
        return array.substring(1).replace('.', '/');
    }

    boolean isConstructor() {
        return member instanceof Constructor;
    }

    boolean isField() {
        return member instanceof Field;
    }

    boolean needsReceiver() {
        return !isStatic;
    }

    Object call(Step step) throws Throwable {
        Object[] values = new Object[step.arguments.length];
        for (int i = 0; i < values.length; i++) values[i] = step.arguments[i].value;
        Object receiver = step.receiver == null ? null : step.receiver.value;
        try {
            if (member instanceof Constructor) return ((Constructor<?>) member).newInstance(values);
            if (member instanceof Method) return ((Method) member).invoke(receiver, values);
            ((Field) member).set(receiver, values[0]);
            return null;
        } catch (InvocationTargetException error) {
            throw error.getCause();
        }
    }
}
