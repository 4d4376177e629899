package petrel.replay;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UnsupportedEncodingException;

/** What a call prints, up to a limit. All calls have the same stream, which cannot be closed. */
final class Capture {
    private final int limit;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean isCut;
    private final PrintStream stream;

    Capture(int limit) throws UnsupportedEncodingException {
        this.limit = limit;
        this.stream = new Unclosable(new Sink());
    }

    int limit() {
        return limit;
    }

    PrintStream stream() {
        return stream;
    }

    synchronized void clear() {
        bytes.reset();
        isCut = false;
    }

    synchronized void writeTo(FrameWriter frame) {
        frame.writeBytes(bytes.toByteArray());
        frame.writeBoolean(isCut);
    }

    private synchronized void add(byte[] source, int offset, int length) {
        int fitting = Math.min(length, limit - bytes.size());
        isCut |= fitting < length;
        bytes.write(source, offset, fitting);
    }

    private final class Sink extends OutputStream {
        @Override
        public void write(int value) {
            add(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] source, int offset, int length) {
            add(source, offset, length);
        }
    }

    private static final class Unclosable extends PrintStream {
        Unclosable(OutputStream sink) throws UnsupportedEncodingException {
            super(sink, false, "UTF-8");
        }

        @Override
        public void close() {
            flush();
        }
    }
}
