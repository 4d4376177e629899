package petrel.replay;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/** Static fields that have other values while a call runs. */
final class Statics {
    private final Field[] fields;
    private final Object[] values;
    private final Object[] before;
    private int set;

    Statics(FrameReader request, Builder builder, Worlds.World world) throws NotCallable {
        fields = new Field[request.readInt()];
        values = new Object[fields.length];
        before = new Object[fields.length];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = find(world.type(request.readName()), request.readName());
            values[i] = builder.readValue();
        }
    }

    private static Field find(Class<?> owner, String name) throws NotCallable {
        try {
            Field field = owner.getDeclaredField(name);
            if (Modifier.isStatic(field.getModifiers())) {
                Layout.open(field, owner);
                return field;
            }
        } catch (NoSuchFieldException missing) {
            // It is told below.
        } catch (LinkageError broken) {
            throw new NotCallable(broken.toString());
        }
        throw new NotCallable(owner.getName() + " has no static field " + name);
    }

    /** Initialises their classes, and then gives them their values. */
    void set() throws NotCallable {
        // All initialisers run first: one may change a field of another class.
        for (int i = 0; i < fields.length; i++) {
            Layout.read(fields[i], null);
        }
        for (; set < fields.length; set++) {
            before[set] = Layout.read(fields[set], null);
            write(fields[set], values[set]);
        }
    }

    private static void write(Field field, Object value) throws NotCallable {
        try {
            field.set(null, value);
        } catch (RuntimeException | IllegalAccessException fault) {
            throw new NotCallable("static field " + field.getName() + ": " + fault);
        }
    }

    void restore() throws NotCallable {
        while (set > 0) {
            set--;
            write(fields[set], before[set]);
        }
    }
}
