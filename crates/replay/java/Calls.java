package petrel.replay;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** Makes calls and describes how they end. */
final class Calls {
    private final Worlds worlds;
    private final Capture out;
    private final Capture err;
    private final InputStream in = System.in;
    private final int maxObjects;
    private final int maxValues;
    /** What measures calls, or null. */
    private final Meter meter;
    private boolean ranOutOfMemory;
    /** Whether the call came to its method, and the meter has seen that. */
    private boolean wasMeasured;

    Calls(Worlds worlds, Capture out, Capture err, int maxObjects, int maxValues, Meter meter) {
        this.worlds = worlds;
        this.out = out;
        this.err = err;
        this.maxObjects = maxObjects;
        this.maxValues = maxValues;
        this.meter = meter;
    }

    FrameWriter answer(FrameReader request) throws IOException {
        ranOutOfMemory = false;
        out.clear();
        err.clear();
        resetStreams();
        Worlds.World fresh = null;
        try {
            char kind = (char) request.readByte();
            String[] path = request.readBoolean() ? request.readNames() : null;
            Worlds.World world = worlds.find(kind, path);
            fresh = kind == 'f' ? world : null;
            return measured(request, world);
        } catch (NotCallable reason) {
            return FrameWriter.notCallable(reason.getMessage());
        } finally {
            resetStreams();
            if (fresh != null) {
                fresh.close();
            }
        }
    }

    /** Whether what calls have left behind fills the memory. */
    boolean isOutOfMemory() {
        if (!ranOutOfMemory) {
            return false;
        }
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        long used = runtime.totalMemory() - runtime.freeMemory();
        return used > runtime.maxMemory() / 2;
    }

    /** Whether a call has left behind what must not disturb others, and says so by a property. */
    boolean isLeavingWanted() {
        try {
            return System.getProperty("petrel.replay.leave") != null;
        } catch (SecurityException forbidden) {
            return false;
        }
    }

    /** A call may have put other streams in their places. */
    private void resetStreams() {
        if (System.in != in) {
            System.setIn(in);
        }
        if (System.out != out.stream()) {
            System.setOut(out.stream());
        }
        if (System.err != err.stream()) {
            System.setErr(err.stream());
        }
    }

    /** The answer to a call, with what the call has cost if that is measured. */
    private FrameWriter measured(FrameReader request, Worlds.World world) throws NotCallable {
        boolean rehearses = meter != null && meter.needsRehearsal();
        FrameReader again = rehearses ? request.copy() : null;
        wasMeasured = false;
        FrameWriter answer = call(request, world, rehearses ? null : meter);
        boolean isAlike = true;
        if (rehearses && !ranOutOfMemory) {
            out.clear();
            err.clear();
            resetStreams();
            isAlike = answer.isSameAs(call(again, world, meter));
        }
        answer.writeBoolean(wasMeasured);
        if (wasMeasured) {
            answer.writeBoolean(isAlike);
            meter.writeTo(answer);
        }
        return answer;
    }

    private FrameWriter call(FrameReader request, Worlds.World world, Meter by)
            throws NotCallable {
        Thread thread = Thread.currentThread();
        ClassLoader loader = thread.getContextClassLoader();
        thread.setContextClassLoader(world.loader());
        Ending ending;
        try {
            ending = end(request, world, by);
        } finally {
            thread.setContextClassLoader(loader);
            // It is not the next call that was interrupted.
            Thread.interrupted();
        }
        ranOutOfMemory = ending.thrown instanceof OutOfMemoryError;
        try {
            return ending.describe(maxObjects, maxValues);
        } catch (OutOfMemoryError tooLarge) {
            ranOutOfMemory = true;
            return ending.describe(0, 0);
        }
    }

    private Ending end(FrameReader request, Worlds.World world, Meter by) throws NotCallable {
        AccessibleObject member =
                world.member(request.readName(), request.readName(), request.readName());
        // Before the objects are made: it may matter whose initialiser runs first.
        Throwable thrown = world.initialise(((Member) member).getDeclaringClass());
        Builder builder = new Builder(request, world);
        builder.readObjects();
        boolean hasReceiver = request.readBoolean();
        Object receiver = hasReceiver ? builder.readValue() : null;
        Object[] arguments = builder.readValues();
        Statics statics = new Statics(request, builder, world);
        if (member instanceof Method) {
            boolean isStatic = Modifier.isStatic(((Method) member).getModifiers());
            if (!isStatic && receiver == null) {
                throw new NotCallable("the method is not static and there is no receiver");
            }
        }
        Object result = null;
        if (thrown == null) {
            try {
                statics.set();
                result = invoke(world, member, receiver, arguments, by);
            } catch (InvocationTargetException wrapper) {
                thrown = wrapper.getCause();
            } catch (NotCallable reason) {
                throw reason;
            } catch (Throwable direct) {
                // A class could not be initialised.
                thrown = direct;
            } finally {
                statics.restore();
            }
        }
        return new Ending(member, result, thrown, hasReceiver, receiver, arguments);
    }

    private Object invoke(
            Worlds.World world,
            AccessibleObject member,
            Object receiver,
            Object[] arguments,
            Meter by)
            throws NotCallable, InvocationTargetException {
        if (by == null) {
            return invoke(member, receiver, arguments);
        }
        try {
            Object result = by.invoke(world, member, receiver, arguments);
            wasMeasured = true;
            return result;
        } catch (InvocationTargetException wrapper) {
            wasMeasured = true;
            throw wrapper;
        }
    }

    static Object invoke(AccessibleObject member, Object receiver, Object[] arguments)
            throws NotCallable, InvocationTargetException {
        try {
            if (member instanceof Constructor) {
                return ((Constructor<?>) member).newInstance(arguments);
            }
            return ((Method) member).invoke(receiver, arguments);
        } catch (IllegalArgumentException | IllegalAccessException | InstantiationException fault) {
            throw new NotCallable(fault.toString());
        }
    }

    /** How a call ended. */
    private final class Ending {
        private final AccessibleObject member;
        private final Object result;
        private final Throwable thrown;
        private final boolean hasReceiver;
        private final Object receiver;
        private final Object[] arguments;

        Ending(
                AccessibleObject member,
                Object result,
                Throwable thrown,
                boolean hasReceiver,
                Object receiver,
                Object[] arguments) {
            this.member = member;
            this.result = result;
            this.thrown = thrown;
            this.hasReceiver = hasReceiver;
            this.receiver = receiver;
            this.arguments = arguments;
        }

        FrameWriter describe(int maxObjects, int maxValues) {
            FrameWriter frame;
            if (thrown == null) {
                frame = FrameWriter.returned();
            } else {
                frame = FrameWriter.threw(thrown.getClass(), message());
            }
            out.writeTo(frame);
            err.writeTo(frame);
            Graph graph = new Graph(frame, maxObjects, maxValues);
            if (thrown == null) {
                Class<?> type = resultType();
                frame.writeBoolean(type != void.class);
                if (type != void.class) {
                    graph.writeValue(result, type);
                }
            }
            frame.writeBoolean(hasReceiver);
            if (hasReceiver) {
                graph.writeValue(receiver, Object.class);
            }
            Class<?>[] types = parameterTypes();
            frame.writeInt(types.length);
            for (int i = 0; i < types.length; i++) {
                graph.writeValue(arguments[i], types[i]);
            }
            graph.writeObjects();
            return frame;
        }

        /** The message may be code of the program, which may do anything. */
        private String message() {
            try {
                return thrown.getMessage();
            } catch (Throwable another) {
                return null;
            }
        }

        private Class<?> resultType() {
            return member instanceof Method ? ((Method) member).getReturnType() : Object.class;
        }

        private Class<?>[] parameterTypes() {
            return member instanceof Method
                    ? ((Method) member).getParameterTypes()
                    : ((Constructor<?>) member).getParameterTypes();
        }
    }
}
