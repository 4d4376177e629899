package petrel.refuter;

import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Map;

/** Values as text, with no calls of code under test but those that collections make. */
final class Texts {
    static final int LONGEST = 1500;
    private static final int MOST_ELEMENTS = 12;
    private static final int LONGEST_STRING = 80;

    private Texts() {}

    static void print(StringBuilder out, Object value, int levels) {
        try {
            printAny(out, value, levels);
        } catch (RuntimeException | AssertionError error) {
            // A view of a collection may have to compare what cannot be compared.
            out.append(value.getClass().getName()).append('@');
        }
    }

    private static void printAny(StringBuilder out, Object value, int levels) {
        if (out.length() > LONGEST) {
            out.append("..");
        } else if (value == null) {
            out.append("null");
        } else if (value instanceof CharSequence && isOfPlatform(value)) {
            if (!(value instanceof String)) out.append(value.getClass().getSimpleName()).append(' ');
            quote(out, value.toString());
        } else if (value instanceof Character) {
            out.append("(char) ").append((int) (char) value);
        } else if (value instanceof Long) {
            out.append(value).append('L');
        } else if (value instanceof Float) {
            out.append(value).append('f');
        } else if (value instanceof Byte || value instanceof Short) {
            out.append('(').append(value instanceof Byte ? "byte" : "short").append(") ").append(value);
        } else if ((value instanceof Number || value instanceof Boolean) && isOfPlatform(value)) {
            if (!(value instanceof Integer || value instanceof Double || value instanceof Boolean)) {
                out.append(value.getClass().getSimpleName()).append(' ');
            }
            out.append(value);
        } else if (value instanceof java.util.Locale || value instanceof java.util.Date && isOfPlatform(value)) {
            out.append(value.getClass().getSimpleName()).append(' ').append(value);
        } else if (value instanceof java.util.TimeZone && isOfPlatform(value)) {
            out.append("TimeZone ").append(((java.util.TimeZone) value).getID());
        } else if (value instanceof Class) {
            out.append(((Class<?>) value).getName()).append(".class");
        } else if (value instanceof Enum) {
            out.append(((Enum<?>) value).getDeclaringClass().getSimpleName()).append('.').append(((Enum<?>) value).name());
        } else if (value.getClass().isArray()) {
            printArray(out, value, levels);
        } else if (levels > 0 && value instanceof Collection && isOfPlatform(value)) {
            printAll(out.append(value.getClass().getSimpleName()), ((Collection<?>) value).toArray(), levels);
        } else if (levels > 0 && value instanceof Map && isOfPlatform(value)) {
            Map<?, ?> map = (Map<?, ?>) value;
            out.append(value.getClass().getSimpleName());
            printAll(out, map.keySet().toArray(), levels);
            printAll(out.append("->"), map.values().toArray(), levels);
        } else if (java.lang.reflect.Proxy.isProxyClass(value.getClass())) {
            java.lang.reflect.InvocationHandler stub = java.lang.reflect.Proxy.getInvocationHandler(value);
            String name = value.getClass().getInterfaces()[0].getSimpleName();
            if (stub instanceof Stub) out.append('(').append(stub).append(name).append(')');
            else out.append(name).append('@');
        } else {
            out.append(value.getClass().getName()).append('@');
        }
    }

    private static void printArray(StringBuilder out, Object array, int levels) {
        int length = Array.getLength(array);
        String name = array.getClass().getComponentType().getSimpleName();
        if (levels <= 0 || length > MOST_ELEMENTS) {
            out.append("new ").append(name).append('[').append(length).append("]{..}");
            return;
        }
        out.append("new ").append(name).append("[]{");
        for (int i = 0; i < length; i++) {
            if (i > 0) out.append(", ");
            Object element = Array.get(array, i);
            if (element == array) out.append("itself");
            else print(out, element, levels - 1);
        }
        out.append('}');
    }

    private static void printAll(StringBuilder out, Object[] elements, int levels) {
        out.append('[');
        for (int i = 0; i < Math.min(elements.length, MOST_ELEMENTS); i++) {
            if (i > 0) out.append(", ");
            print(out, elements[i], levels - 1);
        }
        out.append(elements.length > MOST_ELEMENTS ? ", .. " + elements.length + "]" : "]");
    }

    private static void quote(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < Math.min(text.length(), LONGEST_STRING); i++) {
            char unit = text.charAt(i);
            if (unit == '"' || unit == '\\') out.append('\\').append(unit);
            else if (unit >= ' ' && unit < 127) out.append(unit);
            else out.append(String.format("\\u%04x", (int) unit));
        }
        out.append('"');
        if (text.length() > LONGEST_STRING) out.append(".. (").append(text.length()).append(')');
    }

    private static boolean isOfPlatform(Object value) {
        ClassLoader loader = value.getClass().getClassLoader();
        return loader == null || !(loader instanceof Loader);
    }
}
