package petrel.refuter;

/** Strings: constants of the code, parts and mixtures of them, numbers as text, and anything. */
final class Strings {
    private static final int LONGEST = 2000;
    private static final String[] USUAL = {
        "", " ", "a", "A", "b", "ab", "abc", "0", "1", "-1", "12", "007", "-", "+", "0x1F", "1e5", "1.5", "-0.0", ".", "1L",
        "1f", "NaN", "null", "true", "false", "TRUE", "yes", "a b", "a,b,,c", "a=b&c=d", "[]", "{}", "()", "\n", "\r\n",
        "\t", "\u0000", "\ud83d\ude00", "\ud83d", "\ude00", "\u0130", "i\u0307", "\u00df", "en_GB", "en", "UTC",
        "2147483647", "-2147483648", "2147483648", "9223372036854775807", "9223372036854775808", "99999999999999999999",
        "1e400", "1e-400", "2020-02-29", "12:34:56", "2020-02-29T12:34:56Z", "#ff00AA", "%s", "%d", "\\u0041", "&amp;",
        "<a>", "</a>", "http://a.b/c?d#e", "a/b/../c", "Zm9v", "QUJD=", "00ff", "aaaa", "abcabc"
    };

    private final Chance chance;
    private final Numbers numbers;
    /** Strings that calls have returned. */
    private final String[] returned = new String[64];
    private int returnedCount;

    Strings(Chance chance, Numbers numbers) {
        this.chance = chance;
        this.numbers = numbers;
    }

    void keep(String text) {
        if (text.length() > LONGEST) return;
        if (returnedCount < returned.length) returned[returnedCount++] = text;
        else returned[chance.below(returned.length)] = text;
    }

    String string(Constants own, Constants all) {
        String text = basic(own, all);
        int kind = chance.below(100);
        if (kind < 55) return text;
        if (kind < 70) return changed(text, own, all);
        if (kind < 82) return cut(text + basic(own, all));
        if (kind < 90) return cut(text + basic(own, all) + basic(own, all));
        if (kind < 94) return chance.percent(50) ? text.toUpperCase(java.util.Locale.ROOT) : text.toLowerCase(java.util.Locale.ROOT);
        // Equal and not the same.
        if (kind < 97) return new String(text);
        return sized(text, own);
    }

    private String basic(Constants own, Constants all) {
        int kind = chance.below(100);
        if (kind < 35 && own.strings.length > 0) return chance.of(own.strings);
        if (kind < 45 && all.strings.length > 0) return chance.of(all.strings);
        if (kind < 60) return chance.of(USUAL);
        if (kind < 72 && returnedCount > 0) return returned[chance.below(returnedCount)];
        if (kind < 77) return Long.toString(numbers.integer(own, all));
        if (kind < 80) return Double.toString(numbers.real(own, all));
        int length = chance.percent(90) ? chance.below(6) : chance.below(40);
        char[] units = new char[length];
        boolean isUniform = chance.percent(25);
        for (int i = 0; i < length; i++) {
            units[i] = isUniform && i > 0 ? units[0] : numbers.character(own, all);
        }
        return new String(units);
    }

    /** A string with a small difference. */
    String changed(String text, Constants own, Constants all) {
        int length = text.length();
        int at = chance.below(length + 1);
        switch (chance.below(5)) {
            case 0: return text.substring(0, at);
            case 1: return text.substring(at);
            case 2: return cut(text.substring(0, at) + numbers.character(own, all) + text.substring(at));
            case 3:
                return at == length ? text : text.substring(0, at) + numbers.character(own, all) + text.substring(at + 1);
            default:
                return at == length ? text : text.substring(0, at) + text.substring(at + 1);
        }
    }

    /** A string with a length that the code may know. */
    private String sized(String text, Constants own) {
        int length = chance.percent(30) ? chance.of(new Integer[] {8, 16, 32, 40, 64, 255, 256, 1000, 1024}) : -1;
        if (length < 0 && own.integers.length > 0) {
            long constant = own.integers[chance.below(own.integers.length)] + chance.below(3) - 1;
            if (constant >= 0 && constant <= LONGEST) length = (int) constant;
        }
        if (length < 0) return text;
        StringBuilder sized = new StringBuilder(text.isEmpty() ? "x" : text);
        while (sized.length() < length) sized.append(sized.length() * 2 <= length ? sized.toString() : "x");
        sized.setLength(length);
        return sized.toString();
    }

    private static String cut(String text) {
        return text.length() > LONGEST ? text.substring(0, LONGEST) : text;
    }
}
