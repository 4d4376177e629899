package petrel.validate;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that have parameters. */
final class Parameterized {
    private Parameterized() {}

    /** The test of this name, which is the only method that has it. */
    static Method find(Class<?> type, String name) throws NoSuchMethodException {
        for (Method method : type.getDeclaredMethods()) {
            boolean isIt = method.getName().equals(name);
            if (isIt && method.isAnnotationPresent(MethodSource.class)) {
                method.setAccessible(true);
                return method;
            }
        }
        throw new NoSuchMethodException(type.getName() + "." + name);
    }

    /** Calls a test with all of its arguments, each time on a new object of its class. */
    static void run(Method test, Constructor<?> constructor) throws Throwable {
        int calls = 0;
        for (String name : test.getAnnotation(MethodSource.class).value()) {
            Method source = test.getDeclaringClass().getDeclaredMethod(name);
            source.setAccessible(true);
            Iterator<?> given = ((Stream<?>) source.invoke(null)).iterator();
            while (given.hasNext()) {
                Object[] arguments = ((Arguments) given.next()).get();
                call(test, constructor.newInstance(), arguments);
                calls++;
            }
        }
        if (calls == 0) {
            throw new AssertionError("the test has no arguments");
        }
    }

    private static void call(Method test, Object object, Object[] arguments) throws Throwable {
        try {
            test.invoke(object, arguments);
        } catch (IllegalArgumentException mismatch) {
            // JUnit would not call it, either.
            throw new AssertionError("arguments that do not fit: " + Arrays.toString(arguments));
        }
    }
}
