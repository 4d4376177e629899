import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Calls static methods and prints how each call ends; the other side is jvm.rs.
 *
 * Each line of the input is a call: folder of the class files, class, method, descriptor and
 * arguments, separated by tabs. The arguments are tokens separated by spaces: numbers in decimal,
 * floats by the bits of their double in hexadecimal, strings as a quote and the hexadecimal digits of
 * their units, arrays in braces, and null. Each call has a class loader of its own, so that static
 * state starts anew.
 *
 * Each line of the output is the value as a literal, `void`, `throws Class: message`, or
 * `error: ...` if the method could not be called.
 */
public final class FixtureRunner {
    public static void main(String[] arguments) throws IOException {
        PrintStream answers = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
        // What fixtures print is no answer.
        System.setOut(System.err);
        InputStreamReader input = new InputStreamReader(System.in, StandardCharsets.UTF_8);
        BufferedReader lines = new BufferedReader(input);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            answers.println(answer(line.split("\t", -1)));
        }
    }

    private static String answer(String[] call) {
        try {
            URL[] folder = {Path.of(call[0]).toUri().toURL()};
            ClassLoader loader = new URLClassLoader(folder, ClassLoader.getPlatformClassLoader());
            Class<?>[] types = MethodType.fromMethodDescriptorString(call[3], loader).parameterArray();
            Method method = Class.forName(call[1], false, loader).getDeclaredMethod(call[2], types);
            method.setAccessible(true);
            Object[] values = values(types, call[4]);
            return run(method, values);
        } catch (ReflectiveOperationException | IOException | RuntimeException fault) {
            return "error: " + escaped(fault.toString());
        }
    }

    private static String run(Method method, Object[] values) throws IllegalAccessException {
        try {
            Object result = method.invoke(null, values);
            return method.getReturnType() == void.class ? "void" : literal(result);
        } catch (InvocationTargetException thrown) {
            return thrown(thrown.getCause());
        } catch (LinkageError thrown) {
            // The class itself could not be initialised.
            return thrown(thrown);
        }
    }

    private static String thrown(Throwable thrown) {
        String message = thrown.getMessage();
        String name = thrown.getClass().getName();
        return "throws " + name + (message == null ? "" : ": " + escaped(message));
    }

    private static Object[] values(Class<?>[] types, String text) {
        ArrayDeque<String> tokens = new ArrayDeque<>();
        for (String token : text.split(" ")) {
            if (!token.isEmpty()) {
                tokens.add(token);
            }
        }
        List<Object> values = new ArrayList<>();
        for (Class<?> type : types) {
            values.add(value(type, tokens));
        }
        return values.toArray();
    }

    private static Object value(Class<?> type, ArrayDeque<String> tokens) {
        String token = tokens.remove();
        if (token.equals("null")) {
            return null;
        } else if (token.equals("{")) {
            List<Object> elements = new ArrayList<>();
            while (!tokens.peek().equals("}")) {
                elements.add(value(type.getComponentType(), tokens));
            }
            tokens.remove();
            Object array = Array.newInstance(type.getComponentType(), elements.size());
            for (int i = 0; i < elements.size(); i++) {
                Array.set(array, i, elements.get(i));
            }
            return array;
        } else if (token.startsWith("\"")) {
            StringBuilder string = new StringBuilder();
            for (int i = 1; i < token.length(); i += 4) {
                string.append((char) Integer.parseInt(token.substring(i, i + 4), 16));
            }
            return string.toString();
        }
        return number(type, token);
    }

    private static Object number(Class<?> type, String token) {
        if (type == float.class || type == double.class) {
            double value = Double.longBitsToDouble(Long.parseUnsignedLong(token, 16));
            return type == float.class ? (Object) (float) value : (Object) value;
        }
        long value = Long.parseLong(token);
        if (type == boolean.class) {
            return value != 0;
        } else if (type == byte.class) {
            return (byte) value;
        } else if (type == short.class) {
            return (short) value;
        } else if (type == char.class) {
            return (char) value;
        } else if (type == int.class) {
            return (int) value;
        }
        return value;
    }

    private static String literal(Object value) {
        if (value instanceof String) {
            return '"' + escaped((String) value) + '"';
        } else if (value instanceof Character) {
            String text = value.toString();
            return "'" + (text.equals("'") ? "\\'" : escaped(text).replace("\\\"", "\"")) + "'";
        } else if (value instanceof Float) {
            float number = (Float) value;
            return number + (Float.isNaN(number) || Float.isInfinite(number) ? "" : "f");
        } else if (value != null && value.getClass().isArray()) {
            StringBuilder elements = new StringBuilder();
            for (int i = 0; i < Array.getLength(value); i++) {
                elements.append(i == 0 ? "" : ", ").append(literal(Array.get(value, i)));
            }
            return "{" + elements + "}";
        }
        return String.valueOf(value);
    }

    private static String escaped(String text) {
        StringBuilder out = new StringBuilder();
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c == '\n' || c == '\r') {
                // In a Java file the numeric escape would end the line.
                out.append(c == '\n' ? "\\n" : "\\r");
            } else if (c >= ' ' && c < 127) {
                out.append(c);
            } else {
                out.append(String.format("\\u%04x", (int) c));
            }
        }
        return out.toString();
    }
}
