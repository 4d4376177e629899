package petrel.replay;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Describes objects and all that can be reached from them, in the order in which they are found:
 * breadth first, so that deep structures need no stack.
 */
final class Graph {
    private final FrameWriter frame;
    private final int maxObjects;
    private int valuesLeft;
    private final Map<Object, Integer> indices = new IdentityHashMap<>();
    private final List<Object> found = new ArrayList<>();
    private boolean isCut;

    Graph(FrameWriter frame, int maxObjects, int maxValues) {
        this.frame = frame;
        this.maxObjects = maxObjects;
        this.valuesLeft = maxValues;
    }

    /** Writes a value of a type, which says whether a box is a primitive value. */
    void writeValue(Object value, Class<?> type) {
        if (type.isPrimitive()) {
            writePrimitive(value);
        } else if (value == null) {
            frame.writeByte('N');
        } else {
            Integer index = indices.get(value);
            if (index == null) {
                index = found.size();
                found.add(value);
                indices.put(value, index);
            }
            frame.writeByte('L');
            frame.writeInt(index);
        }
    }

    /** Writes the objects that were found, and those found on the way. */
    void writeObjects() {
        int cutPlace = frame.size();
        frame.writeBoolean(false);
        int countPlace = frame.size();
        frame.writeInt(0);
        for (int i = 0; i < found.size(); i++) {
            writeObject(found.get(i), i < maxObjects);
        }
        frame.putInt(countPlace, found.size());
        frame.putBoolean(cutPlace, isCut);
    }

    private void writePrimitive(Object value) {
        if (value instanceof Integer) {
            frame.writeByte('I');
            frame.writeInt((Integer) value);
        } else if (value instanceof Boolean) {
            frame.writeByte('Z');
            frame.writeBoolean((Boolean) value);
        } else if (value instanceof Byte) {
            frame.writeByte('B');
            frame.writeByte((Byte) value);
        } else if (value instanceof Short) {
            frame.writeByte('S');
            frame.writeShort((Short) value);
        } else if (value instanceof Character) {
            frame.writeByte('C');
            frame.writeShort((Character) value);
        } else if (value instanceof Long) {
            frame.writeByte('J');
            frame.writeLong((Long) value);
        } else if (value instanceof Float) {
            frame.writeByte('F');
            frame.writeInt(Float.floatToRawIntBits((Float) value));
        } else {
            frame.writeByte('D');
            frame.writeLong(Double.doubleToRawLongBits((Double) value));
        }
    }

    private static boolean isBox(Object object) {
        return object instanceof Integer
                || object instanceof Boolean
                || object instanceof Byte
                || object instanceof Short
                || object instanceof Character
                || object instanceof Long
                || object instanceof Float
                || object instanceof Double;
    }

    private void writeObject(Object object, boolean isWithin) {
        if (isBox(object)) {
            frame.writeByte('b');
            writePrimitive(object);
        } else if (object instanceof Enum) {
            frame.writeByte('e');
            frame.writeName(Layout.internalName(((Enum<?>) object).getDeclaringClass()));
            frame.writeName(((Enum<?>) object).name());
        } else if (object instanceof String) {
            String text = (String) object;
            if (take(isWithin, text.length())) {
                frame.writeByte('s');
                frame.writeText(text);
            } else {
                writeOpaque(object);
            }
        } else if (object.getClass().isArray()) {
            writeArray(object, isWithin);
        } else {
            writeInstance(object, isWithin);
        }
    }

    private void writeArray(Object array, boolean isWithin) {
        int length = Array.getLength(array);
        if (!take(isWithin, length)) {
            writeOpaque(array);
            return;
        }
        Class<?> component = array.getClass().getComponentType();
        frame.writeByte('a');
        frame.writeName(Layout.descriptor(component));
        frame.writeInt(length);
        for (int i = 0; i < length; i++) {
            writeValue(Array.get(array, i), component);
        }
    }

    private void writeInstance(Object object, boolean isWithin) {
        List<Field> fields = Layout.of(object.getClass()).fields();
        if (fields == null) {
            // Nothing is cut off here: there is nothing to see.
            writeOpaque(object);
            return;
        }
        if (!take(isWithin, fields.size())) {
            writeOpaque(object);
            return;
        }
        frame.writeByte('i');
        frame.writeName(Layout.internalName(object.getClass()));
        frame.writeInt(fields.size());
        for (Field field : fields) {
            frame.writeName(Layout.internalName(field.getDeclaringClass()));
            frame.writeName(field.getName());
            writeValue(Layout.read(field, object), field.getType());
        }
    }

    private void writeOpaque(Object object) {
        frame.writeByte('o');
        frame.writeName(Layout.internalName(object.getClass()));
    }

    /** Whether that many more values may be written. */
    private boolean take(boolean isWithin, int count) {
        if (!isWithin || count > valuesLeft) {
            isCut = true;
            return false;
        }
        valuesLeft -= count;
        return true;
    }
}
