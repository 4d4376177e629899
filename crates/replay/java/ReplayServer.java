package petrel.replay;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Runs calls for the process that started this one, one after the other. What is read and written
 * is described in wire.rs.
 *
 * <p>Calls run on the main thread. A looping thread cannot be stopped, so when a call takes too
 * long a second thread reports that and ends the process.
 */
final class ReplayServer {
    private static final int PROTOCOL = 5;

    private final DataInputStream requests;
    private final OutputStream answers;
    private final Object lock = new Object();
    // Both guarded by the lock, which is also held while the end of the process is announced.
    private boolean running;
    private long runningSince;

    private ReplayServer(InputStream requests, OutputStream answers) {
        this.requests = new DataInputStream(new BufferedInputStream(requests, 1 << 16));
        this.answers = answers;
    }

    public static void main(String[] arguments) {
        int status = 0;
        try {
            ReplayServer server = new ReplayServer(privateInput(), privateOutput());
            System.setIn(new ByteArrayInputStream(new byte[0]));
            server.serve();
        } catch (Throwable fault) {
            System.err.println(fault);
            status = 1;
        }
        // Threads that calls have started do not keep the process alive.
        Runtime.getRuntime().halt(status);
    }

    /**
     * Standard input under another descriptor, so that no call can read or close it. Where the
     * system has no names for descriptors it stays where it is.
     */
    private static InputStream privateInput() {
        try {
            InputStream input = new FileInputStream("/dev/fd/0");
            new FileInputStream(FileDescriptor.in).close();
            return input;
        } catch (IOException noNames) {
            return new FileInputStream(FileDescriptor.in);
        }
    }

    /** Likewise for standard output; what is written there from now on is lost. */
    private static OutputStream privateOutput() {
        try {
            OutputStream output = new FileOutputStream("/dev/fd/1");
            // The JDK redirects a standard descriptor to nowhere instead of closing it.
            new FileOutputStream(FileDescriptor.out).close();
            Layout.setDescriptor(FileDescriptor.out, 1);
            return output;
        } catch (IOException noNames) {
            return new FileOutputStream(FileDescriptor.out);
        }
    }

    private void serve() throws IOException, NotCallable {
        FrameReader settings = new FrameReader(frame());
        long limitNanos = settings.readInt() * 1000000L;
        int maxObjects = settings.readInt();
        int maxValues = settings.readInt();
        Capture out = new Capture(settings.readInt());
        Capture err = new Capture(out.limit());
        Worlds worlds = new Worlds(settings.readNames());
        Meter meter = Meter.of((char) settings.readByte());
        startWatchdog(limitNanos);
        write(FrameWriter.hello(PROTOCOL));
        Calls calls = new Calls(worlds, out, err, maxObjects, maxValues, meter);
        for (byte[] request = frame(); request != null; request = frame()) {
            start();
            FrameWriter answer;
            try {
                answer = calls.answer(new FrameReader(request));
            } catch (Throwable fault) {
                finish();
                write(FrameWriter.died(fault));
                leave();
                return;
            }
            finish();
            write(answer);
            if (calls.isOutOfMemory() || calls.isLeavingWanted()) {
                leave();
                return;
            }
        }
    }

    /** The next frame, or null at the end of the input. */
    private byte[] frame() throws IOException {
        int length;
        try {
            length = requests.readInt();
        } catch (EOFException end) {
            return null;
        }
        byte[] frame = new byte[length];
        requests.readFully(frame);
        return frame;
    }

    private void write(FrameWriter frame) throws IOException {
        // Each answer is sent at once: if the process dies, the call that is not answered did it.
        frame.writeTo(answers);
    }

    private void leave() throws IOException {
        write(FrameWriter.leaving());
    }

    private void start() {
        synchronized (lock) {
            running = true;
            runningSince = System.nanoTime();
        }
    }

    private void finish() {
        synchronized (lock) {
            running = false;
        }
    }

    private void startWatchdog(final long limitNanos) {
        final long pauseMillis = Math.max(1, Math.min(20, limitNanos / 4000000));
        Thread watchdog = new Thread("petrel watchdog") {
            @Override
            public void run() {
                while (true) {
                    try {
                        Thread.sleep(pauseMillis);
                    } catch (InterruptedException ignored) {
                        // A call may interrupt all threads that it finds.
                    }
                    checkTime(limitNanos);
                }
            }
        };
        watchdog.setDaemon(true);
        watchdog.setPriority(Thread.MAX_PRIORITY);
        watchdog.start();
    }

    private void checkTime(long limitNanos) {
        synchronized (lock) {
            if (!running || System.nanoTime() - runningSince <= limitNanos) {
                return;
            }
            try {
                write(FrameWriter.timedOut());
                leave();
            } catch (IOException nobodyListens) {
                // The process ends in any case.
            }
            Runtime.getRuntime().halt(0);
        }
    }
}
