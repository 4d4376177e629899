package petrel.replay;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.InvocationTargetException;

/** Measures what calls cost, one after the other. */
abstract class Meter {
    /** Whether a call is performed once, on equal inputs, before it is measured. */
    abstract boolean needsRehearsal();

    /** Makes a call that is measured. */
    abstract Object invoke(
            Worlds.World world, AccessibleObject member, Object receiver, Object[] arguments)
            throws NotCallable, InvocationTargetException;

    /** Writes what the last call has cost. */
    abstract void writeTo(FrameWriter frame);

    /** The meter of a setting, or null. */
    static Meter of(char setting) throws NotCallable {
        switch (setting) {
            case 'a':
                return new AllocationMeter();
            case 'x':
                return new ExecutionMeter();
            default:
                return null;
        }
    }
}
