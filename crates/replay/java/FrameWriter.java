package petrel.replay;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Writes the parts of a frame. */
final class FrameWriter {
    private byte[] bytes = new byte[256];
    /** The length comes first. */
    private int size = 4;
    /** Names are sent once for each frame. */
    private final Map<String, Integer> names = new HashMap<>();

    private FrameWriter(char kind) {
        writeByte(kind);
    }

    static FrameWriter hello(int protocol) {
        FrameWriter frame = new FrameWriter('H');
        frame.writeInt(protocol);
        return frame;
    }

    static FrameWriter leaving() {
        return new FrameWriter('L');
    }

    static FrameWriter returned() {
        return new FrameWriter('R');
    }

    static FrameWriter threw(Class<?> type, String message) {
        FrameWriter frame = new FrameWriter('E');
        frame.writeName(Layout.internalName(type));
        frame.writeBoolean(message != null);
        if (message != null) {
            frame.writeText(message);
        }
        return frame;
    }

    static FrameWriter timedOut() {
        return new FrameWriter('T');
    }

    static FrameWriter notCallable(String reason) {
        FrameWriter frame = new FrameWriter('N');
        frame.writeText(String.valueOf(reason));
        return frame;
    }

    static FrameWriter died(Throwable fault) {
        FrameWriter frame = new FrameWriter('D');
        frame.writeText(fault.toString());
        return frame;
    }

    void writeTo(OutputStream output) throws IOException {
        putInt(0, size - 4);
        output.write(bytes, 0, size);
        output.flush();
    }

    boolean isSameAs(FrameWriter other) {
        // Not by a method for ranges, which a JDK 8 does not have.
        boolean isSame = size == other.size;
        for (int i = 0; isSame && i < size; i++) {
            isSame = bytes[i] == other.bytes[i];
        }
        return isSame;
    }

    /** How much is written; a place for {@link #putInt} and {@link #putBoolean}. */
    int size() {
        return size;
    }

    void putInt(int place, int value) {
        bytes[place] = (byte) (value >> 24);
        bytes[place + 1] = (byte) (value >> 16);
        bytes[place + 2] = (byte) (value >> 8);
        bytes[place + 3] = (byte) value;
    }

    void putBoolean(int place, boolean value) {
        bytes[place] = (byte) (value ? 1 : 0);
    }

    void writeByte(int value) {
        reserve(1);
        bytes[size++] = (byte) value;
    }

    void writeBoolean(boolean value) {
        writeByte(value ? 1 : 0);
    }

    void writeShort(int value) {
        reserve(2);
        bytes[size++] = (byte) (value >> 8);
        bytes[size++] = (byte) value;
    }

    void writeInt(int value) {
        reserve(4);
        putInt(size, value);
        size += 4;
    }

    void writeLong(long value) {
        writeInt((int) (value >> 32));
        writeInt((int) value);
    }

    void writeBytes(byte[] source) {
        writeInt(source.length);
        reserve(source.length);
        System.arraycopy(source, 0, bytes, size, source.length);
        size += source.length;
    }

    void writeText(String text) {
        int length = text.length();
        writeInt(length);
        reserve(2 * length);
        for (int i = 0; i < length; i++) {
            writeShort(text.charAt(i));
        }
    }

    void writeName(String name) {
        Integer index = names.get(name);
        if (index == null) {
            writeInt(names.size());
            names.put(name, names.size());
            writeText(name);
        } else {
            writeInt(index);
        }
    }

    private void reserve(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
        }
    }
}
