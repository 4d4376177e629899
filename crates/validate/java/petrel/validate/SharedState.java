package petrel.validate;

import java.io.InputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TimeZone;

/**
 * What all code of a JVM shares, as it is before a test. A test that leaves it changed makes others see something else
 * than they expect.
 */
final class SharedState {
    /** The class library adds properties of these names when parts of it are first used. */
    private static final String[] LIBRARY_PREFIXES = {"java.", "javax.", "sun.", "jdk.", "awt."};

    private final InputStream in = System.in;
    private final PrintStream out = System.out;
    private final PrintStream err = System.err;
    private final Locale locale = Locale.getDefault();
    private final Locale displayLocale = Locale.getDefault(Locale.Category.DISPLAY);
    private final Locale formatLocale = Locale.getDefault(Locale.Category.FORMAT);
    // Asking for it may set a property: this comes before those are looked at.
    private final TimeZone timeZone = TimeZone.getDefault();
    private final Thread.UncaughtExceptionHandler handler =
            Thread.getDefaultUncaughtExceptionHandler();
    private final Properties properties = System.getProperties();
    private final Map<Object, Object> propertyValues = new HashMap<>(properties);
    private final Set<Thread> hooks = new HashSet<>(shutdownHooks().keySet());

    private SharedState() {}

    static SharedState before() {
        return new SharedState();
    }

    /** Puts everything back, and names what was changed; empty if nothing was. */
    String restore() {
        List<String> changed = new ArrayList<>();
        if (System.in != in) {
            System.setIn(in);
            changed.add("System.in");
        }
        if (System.out != out) {
            System.setOut(out);
            changed.add("System.out");
        }
        if (System.err != err) {
            System.setErr(err);
            changed.add("System.err");
        }
        if (!hasSameLocales()) {
            Locale.setDefault(locale);
            Locale.setDefault(Locale.Category.DISPLAY, displayLocale);
            Locale.setDefault(Locale.Category.FORMAT, formatLocale);
            changed.add("the default locale");
        }
        if (!TimeZone.getDefault().equals(timeZone)) {
            TimeZone.setDefault(timeZone);
            changed.add("the default time zone");
        }
        if (Thread.getDefaultUncaughtExceptionHandler() != handler) {
            Thread.setDefaultUncaughtExceptionHandler(handler);
            changed.add("the default handler of uncaught exceptions");
        }
        if (System.getProperties() != properties) {
            System.setProperties(properties);
            changed.add("the system properties");
        }
        restorePropertyValues(changed);
        if (shutdownHooks().keySet().removeIf(hook -> !hooks.contains(hook) && !isOfLibrary(hook))) {
            changed.add("what runs when the JVM ends");
        }
        return String.join(", ", changed);
    }

    private boolean hasSameLocales() {
        return Locale.getDefault().equals(locale)
                && Locale.getDefault(Locale.Category.DISPLAY).equals(displayLocale)
                && Locale.getDefault(Locale.Category.FORMAT).equals(formatLocale);
    }

    private void restorePropertyValues(List<String> changed) {
        Map<Object, Object> now = new HashMap<>(properties);
        for (Map.Entry<Object, Object> entry : propertyValues.entrySet()) {
            if (!Objects.equals(now.remove(entry.getKey()), entry.getValue())) {
                properties.put(entry.getKey(), entry.getValue());
                changed.add("the system property " + entry.getKey());
            }
        }
        for (Object added : now.keySet()) {
            if (!isOfLibrary(added)) {
                properties.remove(added);
                changed.add("the system property " + added);
            }
        }
    }

    /** What the JVM runs when it ends; a copy that nobody else sees if the class library does not show it. */
    @SuppressWarnings("unchecked")
    private static Map<Thread, Thread> shutdownHooks() {
        try {
            Field hooks = Class.forName("java.lang.ApplicationShutdownHooks").getDeclaredField("hooks");
            hooks.setAccessible(true);
            Map<Thread, Thread> all = (Map<Thread, Thread>) hooks.get(null);
            return all == null ? new HashMap<>() : all;
        } catch (ReflectiveOperationException | RuntimeException e) {
            return new HashMap<>();
        }
    }

    /** The class library has hooks of classes of its own. */
    private static boolean isOfLibrary(Thread hook) {
        return hook.getClass() != Thread.class && hook.getClass().getClassLoader() == null;
    }

    private static boolean isOfLibrary(Object property) {
        for (String prefix : LIBRARY_PREFIXES) {
            if (property.toString().startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
