package petrel.replay;

import java.lang.reflect.Array;
import java.lang.reflect.Field;

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

    /** All objects first, and then what they hold: an object may refer to later ones. */
    void readObjects() throws NotCallable {
        objects = new Object[request.readInt()];
        Object[][] contents = new Object[objects.length][];
        String[][] fields = new String[objects.length][];
        for (int i = 0; i < objects.length; i++) {
            char kind = (char) request.readByte();
            switch (kind) {
                case 's':
                    objects[i] = request.readText();
                    break;
                case 'b':
                    // Java gives the boxes of small numbers an identity.
                    objects[i] = readRaw();
                    if (objects[i] == null || objects[i] instanceof Reference) {
                        throw new NotCallable("there is no primitive value in a box");
                    }
                    break;
                case 'e':
                    objects[i] = constant(world.type(request.readName()), request.readName());
                    break;
                case 'a':
                    Class<?> component = world.types("()" + request.readName()).returnType();
                    contents[i] = readRaws(request.readInt());
                    objects[i] = Array.newInstance(component, contents[i].length);
                    break;
                case 'i':
                    objects[i] = Layout.allocate(world.type(request.readName()));
                    int count = request.readInt();
                    fields[i] = new String[2 * count];
                    contents[i] = new Object[count];
                    for (int field = 0; field < count; field++) {
                        fields[i][2 * field] = request.readName();
                        fields[i][2 * field + 1] = request.readName();
                        contents[i][field] = readRaw();
                    }
                    break;
                default:
                    String name = request.readName().replace('/', '.');
                    throw new NotCallable("an object of class " + name + " cannot be built");
            }
        }
        for (int i = 0; i < objects.length; i++) {
            if (fields[i] != null) {
                fillInstance(objects[i], fields[i], contents[i]);
            } else if (contents[i] != null) {
                fillArray(objects[i], contents[i]);
            }
        }
    }

    Object readValue() throws NotCallable {
        return resolved(readRaw());
    }

    Object[] readValues() throws NotCallable {
        Object[] values = readRaws(request.readInt());
        for (int i = 0; i < values.length; i++) {
            values[i] = resolved(values[i]);
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
        if (index < 0 || index >= objects.length) {
            throw new NotCallable("there is no object " + index);
        }
        return objects[index];
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
