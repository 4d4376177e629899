package petrel.replay;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Reads the parts of a frame. */
final class FrameReader {
    private final ByteBuffer bytes;
    /** Names are sent once for each frame. */
    private final List<String> names;

    FrameReader(byte[] frame) {
        this(ByteBuffer.wrap(frame), new ArrayList<String>());
    }

    private FrameReader(ByteBuffer bytes, List<String> names) {
        this.bytes = bytes;
        this.names = names;
    }

    /** Another reader of what is not read yet. */
    FrameReader copy() {
        return new FrameReader(bytes.duplicate(), new ArrayList<>(names));
    }

    boolean readBoolean() {
        return bytes.get() != 0;
    }

    byte readByte() {
        return bytes.get();
    }

    short readShort() {
        return bytes.getShort();
    }

    int readInt() {
        return bytes.getInt();
    }

    long readLong() {
        return bytes.getLong();
    }

    String readText() {
        char[] units = new char[bytes.getInt()];
        for (int i = 0; i < units.length; i++) {
            units[i] = bytes.getChar();
        }
        return new String(units);
    }

    String readName() {
        int index = bytes.getInt();
        if (index == names.size()) {
            names.add(readText());
        }
        return names.get(index);
    }

    String[] readNames() {
        String[] read = new String[bytes.getInt()];
        for (int i = 0; i < read.length; i++) {
            read[i] = readName();
        }
        return read;
    }
}
