package petrel.refuter;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Reads a request, makes calls, and tells at once what they take: the process may end at any time. */
public final class Driver {
    private static final int TAKEN = 1;
    private static final int NOTE = 2;
    private static final int CALLS = 3;
    private static final int ENDED_BY = 4;
    private static final int END = 5;
    /** Status of a process that gives itself up. */
    private static final int HANGS = 77;
    /** Branches that a call may take: mostly, and at times. */
    private static final int FEW = 200_000;
    private static final int MANY = 20_000_000;
    private static final int AT_TIMES = 500;
    private static final int TICK = 20;
    private static final long FIRST_WORLD = 20_000;
    private static final long LARGEST_WORLD = 400_000;

    private final Request request;
    private final DataOutputStream out;
    final URL[] classPath;
    private final Map<String, Record> records = new HashMap<>();
    private final Set<String> notes = new HashSet<>();
    private final long deadline;
    private volatile Target current;
    private volatile long calls;
    private volatile long numberOfCall;
    private volatile boolean isDone;
    private int nested;

    private Driver(Request request, DataOutputStream out) throws IOException {
        this.request = request;
        this.out = out;
        deadline = System.nanoTime() + request.time * 1_000_000;
        classPath = new URL[request.classPath.length];
        for (int i = 0; i < classPath.length; i++) classPath[i] = new File(request.classPath[i]).toURI().toURL();
    }

    public static void main(String[] arguments) throws Exception {
        DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(FileDescriptor.in)));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)));
        System.setIn(new ByteArrayInputStream(new byte[0]));
        PrintStream nowhere = new PrintStream(new Nowhere());
        System.setOut(nowhere);
        System.setErr(nowhere);
        Request request = Request.read(in);
        Driver driver = new Driver(request, out);
        Thread worker = new Thread(null, driver::drive, "calls", 16 << 20);
        worker.setDaemon(true);
        Runtime.getRuntime().addShutdownHook(new Thread(driver::tellWhoEnds));
        worker.start();
        driver.watch(worker);
        driver.isDone = true;
        driver.tell(END, String.valueOf(driver.calls));
        Runtime.getRuntime().halt(0);
    }

    private void drive() {
        Probe.taken = new byte[request.probes];
        for (int probe : request.known) Probe.taken[probe] = 1;
        boolean[] isWanted = new boolean[request.probes];
        for (int probe : request.wanted) isWanted[probe] = true;
        Constants all = Constants.joined(request.targets.values());
        long size = FIRST_WORLD;
        for (long number = 0; calls < request.calls && !isOver(); number++) {
            long before = calls;
            try {
                World world = new World(this, request, all, isWanted, request.seed + number * 7919);
                world.run(Math.min(size, request.calls - calls));
            } catch (Expired | VirtualMachineError error) {
                // Outside of a call, in a collection that asks its elements; the next world starts with an empty heap.
                if (error instanceof VirtualMachineError) Probe.dropFresh();
            } catch (RuntimeException | LinkageError | AssertionError error) {
                note("a world ends: " + error + " at " + java.util.Arrays.asList(error.getStackTrace()));
            }
            leave();
            if (calls == before) calls++;
            size = Math.min(size * 2, LARGEST_WORLD);
        }
    }

    /** Waits for the worker, ends calls that take too long, and gives up if that does not help. */
    private void watch(Thread worker) throws InterruptedException {
        long seen = -1;
        long since = 0;
        long told = System.nanoTime();
        while (worker.isAlive()) {
            worker.join(TICK);
            long now = System.nanoTime();
            long number = numberOfCall;
            if (number != seen || current == null) {
                seen = number;
                since = now;
            } else if (now - since > request.hangTime * 1_000_000) {
                isDone = true;
                tellWho();
                Runtime.getRuntime().halt(HANGS);
            } else if (now - since > request.callTime * 1_000_000) {
                Probe.expired = true;
            }
            if (now - told > 500_000_000) {
                told = now;
                tell(CALLS, String.valueOf(calls));
            }
        }
    }

    /** A call begins; whether it is not inside of another one. */
    boolean enter(Target target) {
        calls++;
        if (nested++ > 0) return false;
        Probe.expired = false;
        Probe.left = calls % AT_TIMES == 0 ? MANY : FEW;
        current = target;
        numberOfCall++;
        return true;
    }

    void leave() {
        nested = 0;
        current = null;
        Probe.expired = false;
        Probe.left = FEW;
    }

    long calls() {
        return calls;
    }

    boolean isOver() {
        return System.nanoTime() > deadline;
    }

    Record record(String key) {
        return records.computeIfAbsent(key, any -> new Record());
    }

    void found(int[] probes, Step step) {
        String text = step.toString();
        synchronized (out) {
            for (int probe : probes) tell(TAKEN, probe + " " + text);
        }
    }

    void note(String text) {
        if (notes.add(text)) tell(NOTE, text);
    }

    private void tellWhoEnds() {
        if (!isDone) tellWho();
    }

    private void tellWho() {
        Target target = current;
        tell(CALLS, String.valueOf(calls));
        if (target != null) tell(ENDED_BY, target.key);
    }

    private void tell(int kind, String text) {
        byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        synchronized (out) {
            try {
                out.writeByte(kind);
                out.writeInt(bytes.length);
                out.write(bytes);
                out.flush();
            } catch (IOException nobodyListens) {
                Runtime.getRuntime().halt(1);
            }
        }
    }

    private static final class Nowhere extends OutputStream {
        @Override
        public void write(int octet) {}

        @Override
        public void write(byte[] octets, int start, int length) {}
    }
}
