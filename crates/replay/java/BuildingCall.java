package petrel.replay;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;

/** A call that makes an object of a request, or is made on it. */
final class BuildingCall {
    private final String owner;
    private final String name;
    private final String descriptor;
    /** As they are read: they may refer to objects that are not there yet. */
    private final Object[] arguments;

    BuildingCall(String owner, String name, String descriptor, Object[] arguments) {
        this.owner = owner;
        this.name = name;
        this.descriptor = descriptor;
        this.arguments = arguments;
    }

    Object[] arguments() {
        return arguments;
    }

    /** The new object. The first argument of an instance method is what it is called on. */
    Object make(Worlds.World world, Object[] values) throws NotCallable {
        AccessibleObject member = world.member(owner, name, descriptor);
        if (!(member instanceof Method) || isStatic(member)) {
            return invoke(member, null, values);
        }
        if (values.length == 0 || values[0] == null) {
            throw new NotCallable(this + " has nothing to make an object from");
        }
        return invoke(member, values[0], Arrays.copyOfRange(values, 1, values.length));
    }

    void call(Worlds.World world, Object receiver, Object[] values) throws NotCallable {
        AccessibleObject member = world.member(owner, name, descriptor);
        if (!(member instanceof Method) || isStatic(member)) {
            throw new NotCallable(this + " is no instance method");
        }
        invoke(member, receiver, values);
    }

    private static boolean isStatic(AccessibleObject member) {
        return Modifier.isStatic(((Method) member).getModifiers());
    }

    private Object invoke(AccessibleObject member, Object receiver, Object[] values)
            throws NotCallable {
        try {
            return Calls.invoke(member, receiver, values);
        } catch (InvocationTargetException wrapper) {
            throw new NotCallable(this + " throws " + described(wrapper.getCause()));
        } catch (LinkageError broken) {
            // A class could not be initialised.
            throw new NotCallable(this + " throws " + described(broken));
        }
    }

    /** The description may be code of the program, which may do anything. */
    private static String described(Throwable thrown) {
        try {
            return thrown.toString();
        } catch (Throwable another) {
            return thrown.getClass().getName();
        }
    }

    @Override
    public String toString() {
        return owner.replace('/', '.') + "." + name + descriptor;
    }
}
