package petrel.replay;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/** Builds the objects of a request. */
final class Builder {
    private final FrameReader request;
    private final Worlds.World world;
    private Object[] objects = new Object[0];

    Builder(FrameReader request, Worlds.World world) {
        this.request = request;
        this.world = world;
    }

    /** A reference to an object that may not be there yet. */
    private static final class Reference {
        private final int index;

        Reference(int index) {
            this.index = index;
        }
    }

    /** What goes into an object when its turn comes. */
    private static final class Content {
        /** Elements or fields. */
        Object[] values;
        /** Owners and names of the fields; null for an array. */
        String[] fields;
        /** The class of an object that is built by calls. */
        Class<?> type;
        /** What makes such an object, and what is called on it then. */
        BuildingCall[] calls;
    }

    /** All objects first, and then what they hold: an object may refer to later ones. */
    void readObjects() throws NotCallable {
        objects = new Object[request.readInt()];
        Content[] contents = new Content[objects.length];
        for (int i = 0; i < objects.length; i++) {
            contents[i] = new Content();
            objects[i] = readObject(contents[i]);
        }
        for (int steps = request.readInt(); steps > 0; steps--) {
            char kind = (char) request.readByte();
            int index = request.readInt();
            takeStep(kind, index, contents[index]);
        }
    }

    /** An object that holds nothing yet; null if it is built by calls. */
    private Object readObject(Content content) throws NotCallable {
        char kind = (char) request.readByte();
        switch (kind) {
            case 's':
                return request.readText();
            case 'b':
                // Java gives the boxes of small numbers an identity.
                Object box = readRaw();
                if (box == null || box instanceof Reference) {
                    throw new NotCallable("there is no primitive value in a box");
                }
                return box;
            case 'e':
                return constant(world.type(request.readName()), request.readName());
            case 'k':
                return request.readText().intern();
            case 'f':
                return staticObject(world.type(request.readName()), request.readName(), request.readInt());
            case 'a':
                Class<?> component = world.types("()" + request.readName()).returnType();
                content.values = readRaws(request.readInt());
                return Array.newInstance(component, content.values.length);
            case 'i':
                Object instance = Layout.allocate(world.type(request.readName()));
                readFields(content, request.readInt());
                return instance;
            case 'c':
                content.type = world.type(request.readName());
                BuildingCall by = readCall();
                content.calls = new BuildingCall[1 + request.readInt()];
                content.calls[0] = by;
                for (int i = 1; i < content.calls.length; i++) {
                    content.calls[i] = readCall();
                }
                return null;
            default:
                String name = request.readName().replace('/', '.');
                throw new NotCallable("an object of class " + name + " cannot be built");
        }
    }

    private void readFields(Content content, int count) throws NotCallable {
        content.fields = new String[2 * count];
        content.values = new Object[count];
        for (int field = 0; field < count; field++) {
            content.fields[2 * field] = request.readName();
            content.fields[2 * field + 1] = request.readName();
            content.values[field] = readRaw();
        }
    }

    private BuildingCall readCall() throws NotCallable {
        String owner = request.readName();
        String name = request.readName();
        String descriptor = request.readName();
        return new BuildingCall(owner, name, descriptor, readRaws(request.readInt()));
    }

    private void takeStep(char kind, int index, Content content) throws NotCallable {
        switch (kind) {
            case 'm':
                objects[index] = made(content);
                break;
            case 'f':
                if (content.fields == null) {
                    fillArray(objects[index], content.values);
                } else {
                    fillInstance(objects[index], content.fields, content.values);
                }
                break;
            case 'c':
                for (int i = 1; i < content.calls.length; i++) {
                    BuildingCall call = content.calls[i];
                    call.call(world, objects[index], allResolved(call.arguments()));
                }
                break;
            default:
                throw new NotCallable("there is no step of kind " + kind);
        }
    }

    private Object made(Content content) throws NotCallable {
        BuildingCall by = content.calls[0];
        Object made = by.make(world, allResolved(by.arguments()));
        // A factory may give an object of a class that is nobody else's affair.
        if (!content.type.isInstance(made)) {
            String what = made == null ? "null" : "a " + made.getClass().getName();
            throw new NotCallable(by + " makes " + what + ", no " + content.type.getName());
        }
        return made;
    }

    Object readValue() throws NotCallable {
        return resolved(readRaw());
    }

    Object[] readValues() throws NotCallable {
        return allResolved(readRaws(request.readInt()));
    }

    private Object[] allResolved(Object[] raws) throws NotCallable {
        Object[] values = new Object[raws.length];
        for (int i = 0; i < raws.length; i++) {
            values[i] = resolved(raws[i]);
        }
        return values;
    }

    private Object[] readRaws(int count) throws NotCallable {
        Object[] raws = new Object[count];
        for (int i = 0; i < count; i++) {
            raws[i] = readRaw();
        }
        return raws;
    }

    private Object resolved(Object raw) throws NotCallable {
        if (!(raw instanceof Reference)) {
            return raw;
        }
        int index = ((Reference) raw).index;
        if (!isMade(raw)) {
            throw new NotCallable("object " + index + " is needed to make itself");
        }
        return objects[index];
    }

    /** Whether a value is there already. */
    private boolean isMade(Object raw) throws NotCallable {
        if (!(raw instanceof Reference)) {
            return true;
        }
        int index = ((Reference) raw).index;
        if (index < 0 || index >= objects.length) {
            throw new NotCallable("there is no object " + index);
        }
        return objects[index] != null;
    }

    private Object readRaw() throws NotCallable {
        char kind = (char) request.readByte();
        switch (kind) {
            case 'N':
                return null;
            case 'Z':
                return request.readBoolean();
            case 'B':
                return request.readByte();
            case 'S':
                return request.readShort();
            case 'C':
                return (char) request.readShort();
            case 'I':
                return request.readInt();
            case 'J':
                return request.readLong();
            case 'F':
                return Float.intBitsToFloat(request.readInt());
            case 'D':
                return Double.longBitsToDouble(request.readLong());
            case 'L':
                return new Reference(request.readInt());
            default:
                throw new NotCallable("there is no value of kind " + kind);
        }
    }

    /** What a static field refers to, or an element of the array that it refers to. */
    private static Object staticObject(Class<?> type, String name, int element) throws NotCallable {
        try {
            for (Field field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) && field.getName().equals(name)) {
                    Layout.open(field, type);
                    Object held = Layout.read(field, null);
                    return element < 0 ? held : Array.get(held, element);
                }
            }
        } catch (LinkageError | RuntimeException broken) {
            throw new NotCallable(broken.toString());
        }
        throw new NotCallable(type.getName() + " has no static field " + name);
    }

    /**
     * The constant of an enum. The class is not asked for its constants, because it would keep them, and
     * the call would find them.
     */
    private static Object constant(Class<?> type, String name) throws NotCallable {
        try {
            for (Field field : type.getDeclaredFields()) {
                if (field.isEnumConstant()) {
                    Layout.open(field, type);
                    Object constant = Layout.read(field, null);
                    if (((Enum<?>) constant).name().equals(name)) {
                        return constant;
                    }
                }
            }
        } catch (LinkageError broken) {
            throw new NotCallable(broken.toString());
        }
        throw new NotCallable(type.getName() + " has no constant " + name);
    }

    private void fillArray(Object array, Object[] elements) throws NotCallable {
        for (int i = 0; i < elements.length; i++) {
            if (!isMade(elements[i])) {
                continue;
            }
            try {
                Array.set(array, i, resolved(elements[i]));
            } catch (IllegalArgumentException | NullPointerException fault) {
                String type = array.getClass().getComponentType().getName();
                throw new NotCallable("element " + i + " of an array is no " + type);
            }
        }
    }

    private void fillInstance(Object object, String[] names, Object[] values) throws NotCallable {
        for (int i = 0; i < values.length; i++) {
            if (!isMade(values[i])) {
                continue;
            }
            Class<?> owner = world.type(names[2 * i]);
            String name = names[2 * i + 1];
            Field field = Layout.of(owner).own(name);
            if (field == null) {
                throw new NotCallable(owner.getName() + " has no field " + name + " to write");
            }
            try {
                Layout.write(field, object, resolved(values[i]));
            } catch (RuntimeException | ReflectiveOperationException fault) {
                String what = "field " + name + " of " + owner.getName();
                throw new NotCallable(what + ": " + fault);
            }
        }
    }
}
