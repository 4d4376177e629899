package petrel.replay;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;

/**
 * Counts the instructions and calls of the classes of a world, by means of an agent in the JVM,
 * which has the native methods of this class.
 */
final class ExecutionMeter extends Meter {
    private int methods;
    /** An empty method that the JVM did not care to call, or null. */
    private Method skipped;

    ExecutionMeter() {
        // It shows now whether the agent is there.
        start(ExecutionMeter.class.getClassLoader());
        stop();
    }

    @Override
    boolean needsRehearsal() {
        return false;
    }

    @Override
    Object invoke(Worlds.World world, AccessibleObject member, Object receiver, Object[] arguments)
            throws NotCallable, InvocationTargetException {
        skipped = null;
        start(world.loader());
        Object result;
        try {
            result = Calls.invoke(member, receiver, arguments);
        } finally {
            methods = stop();
        }
        if (methods == 0 && member instanceof Method) {
            skipped = skipped(world, (Method) member, receiver);
        }
        return result;
    }

    /**
     * The method that was selected, if it is one that has instructions. That none was executed
     * means that it is empty: older JVMs skip such a method when native code calls it.
     */
    private static Method skipped(Worlds.World world, Method member, Object receiver) {
        Method selected = Worlds.World.select(member, receiver);
        boolean isCounted = selected.getDeclaringClass().getClassLoader() == world.loader();
        return isCounted && !Modifier.isNative(selected.getModifiers()) ? selected : null;
    }

    @Override
    void writeTo(FrameWriter frame) {
        frame.writeBoolean(false);
        int countPlace = frame.size();
        frame.writeInt(0);
        int count = 0;
        for (int i = 0; i < methods; i++) {
            Class<?> owner = owner(i);
            if (isOfClassPath(owner)) {
                String signature = signature(i);
                int dot = signature.indexOf('.');
                frame.writeName(Layout.internalName(owner));
                frame.writeName(signature.substring(0, dot));
                frame.writeName(signature.substring(dot + 1));
                frame.writeLong(instructions(i));
                frame.writeLong(calls(i));
                count++;
            }
        }
        if (skipped != null) {
            frame.writeName(Layout.internalName(skipped.getDeclaringClass()));
            frame.writeName(skipped.getName());
            frame.writeName(Worlds.typesOf(skipped).toMethodDescriptorString());
            frame.writeLong(1);
            frame.writeLong(1);
            count++;
        }
        frame.putInt(countPlace, count);
    }

    /** The JDK defines classes of its own in other loaders: those of lambdas, and proxies. */
    private static boolean isOfClassPath(Class<?> type) {
        return type.getName().indexOf('/') < 0 && !Proxy.isProxyClass(type);
    }

    /** Starts to count what this thread does in methods of classes of a loader. */
    private static native void start(ClassLoader loader);

    /** Ends that, and answers how many such methods there were. */
    private static native int stop();

    /** The class that a method was met in. */
    private static native Class<?> owner(int place);

    /** Its name, a dot and its descriptor. */
    private static native String signature(int place);

    /** How many of its instructions were executed. */
    private static native long instructions(int place);

    /** How often it was called. */
    private static native long calls(int place);
}
