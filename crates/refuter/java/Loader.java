package petrel.refuter;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.Map;

/** The classes under test, each with a life of its own in each world. */
final class Loader extends URLClassLoader {
    private final Map<String, byte[]> instrumented;

    Loader(URL[] classPath, Map<String, byte[]> instrumented, boolean hasAssertions) {
        super(classPath, Loader.class.getClassLoader());
        this.instrumented = instrumented;
        setDefaultAssertionStatus(hasAssertions);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = instrumented.get(name);
        if (bytes == null) return super.findClass(name);
        int end = name.lastIndexOf('.');
        if (end > 0) {
            String packageName = name.substring(0, end);
            synchronized (this) {
                if (getPackage(packageName) == null) definePackage(packageName, null, null, null, null, null, null, null);
            }
        }
        return defineClass(name, bytes, 0, bytes.length);
    }
}
