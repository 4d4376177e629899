package petrel.refuter;

import java.io.DataInputStream;
import java.io.IOException;

/** The constants of code. */
final class Constants {
    long[] integers = new long[0];
    double[] reals = new double[0];
    String[] strings = new String[0];

    static Constants read(DataInputStream in) throws IOException {
        Constants constants = new Constants();
        constants.integers = new long[in.readInt()];
        for (int i = 0; i < constants.integers.length; i++) constants.integers[i] = in.readLong();
        constants.reals = new double[in.readInt()];
        for (int i = 0; i < constants.reals.length; i++) constants.reals[i] = Double.longBitsToDouble(in.readLong());
        constants.strings = new String[in.readInt()];
        for (int i = 0; i < constants.strings.length; i++) constants.strings[i] = Request.text(in);
        return constants;
    }

    /** Those of all these. */
    static Constants joined(Iterable<Constants> parts) {
        java.util.TreeSet<Long> integers = new java.util.TreeSet<>();
        java.util.TreeSet<Double> reals = new java.util.TreeSet<>();
        java.util.TreeSet<String> strings = new java.util.TreeSet<>();
        for (Constants part : parts) {
            for (long value : part.integers) integers.add(value);
            for (double value : part.reals) reals.add(value);
            strings.addAll(java.util.Arrays.asList(part.strings));
        }
        Constants all = new Constants();
        all.integers = new long[integers.size()];
        int at = 0;
        for (long value : integers) all.integers[at++] = value;
        all.reals = new double[reals.size()];
        at = 0;
        for (double value : reals) all.reals[at++] = value;
        all.strings = strings.toArray(new String[0]);
        return all;
    }
}
