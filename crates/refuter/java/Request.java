package petrel.refuter;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** What is to be driven; the order of the fields is the one on the wire. */
final class Request {
    String[] classPath;
    int probes;
    /** Probes that were hit before. */
    int[] known;
    /** Instrumented classes by name, with dots: the targets, and others whose loops have to end, too. */
    final Map<String, byte[]> instrumented = new HashMap<>();
    /** The classes whose members are called, with their constants. */
    final Map<String, Constants> targets = new LinkedHashMap<>();
    /** First probe and end of each method, by class, name and descriptor. */
    final Map<String, int[]> probesOf = new HashMap<>();
    /** Probes that somebody would like to see hit. */
    int[] wanted;
    /** Classes besides the targets whose objects may be of use. */
    String[] helpers;
    /** Members that are not called, since they have ended a process. */
    final Set<String> banned = new HashSet<>();
    long seed;
    long calls;
    /** Milliseconds for everything, for a call until its probes end it, and until the process is given up. */
    long time;
    long callTime;
    long hangTime;
    boolean publicOnly;
    /** Whether stubs are as Petrel says that they are: they throw nothing, keep the contract of comparators, and implement only
     * what no class of the class path does. */
    boolean keepsPremises;

    static Request read(DataInputStream in) throws IOException {
        Request request = new Request();
        request.classPath = texts(in);
        request.probes = in.readInt();
        request.known = numbers(in);
        int classes = in.readInt();
        for (int i = 0; i < classes; i++) {
            String name = text(in);
            byte[] bytes = new byte[in.readInt()];
            in.readFully(bytes);
            request.instrumented.put(name, bytes);
            boolean isTarget = in.readBoolean();
            Constants constants = Constants.read(in);
            if (isTarget) request.targets.put(name, constants);
            int methods = in.readInt();
            for (int j = 0; j < methods; j++) {
                String method = text(in);
                request.probesOf.put(name + "." + method, new int[] {in.readInt(), in.readInt()});
            }
        }
        request.wanted = numbers(in);
        request.helpers = texts(in);
        for (String member : texts(in)) request.banned.add(member);
        request.seed = in.readLong();
        request.calls = in.readLong();
        request.time = in.readLong();
        request.callTime = in.readLong();
        request.hangTime = in.readLong();
        request.publicOnly = in.readBoolean();
        request.keepsPremises = in.readBoolean();
        return request;
    }

    private static int[] numbers(DataInputStream in) throws IOException {
        int[] numbers = new int[in.readInt()];
        for (int i = 0; i < numbers.length; i++) numbers[i] = in.readInt();
        return numbers;
    }

    private static String[] texts(DataInputStream in) throws IOException {
        String[] texts = new String[in.readInt()];
        for (int i = 0; i < texts.length; i++) texts[i] = text(in);
        return texts;
    }

    /** UTF-16 units: constants may have unpaired surrogates. */
    static String text(DataInputStream in) throws IOException {
        char[] units = new char[in.readInt()];
        for (int i = 0; i < units.length; i++) units[i] = in.readChar();
        return new String(units);
    }
}
