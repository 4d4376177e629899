package petrel.refuter;

/** Numbers and characters: edges, constants of the code and their neighbours, and anything. */
final class Numbers {
    private static final long[] EDGES = {
        0, 1, -1, 2, 7, 8, 9, 10, 15, 16, 31, 32, 33, 63, 64, 65, 99, 100, 127, 128, -128, -129, 255, 256, 1000, 1024,
        32767, 32768, -32768, 65535, 65536, Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MAX_VALUE - 1L,
        Integer.MIN_VALUE + 1L, Integer.MAX_VALUE + 1L, Integer.MIN_VALUE - 1L, 0xffffffffL, Long.MAX_VALUE,
        Long.MIN_VALUE, Long.MAX_VALUE - 1, Long.MIN_VALUE + 1
    };
    private static final double[] REAL_EDGES = {
        0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.0, 10.0, 100.0, 1e-10, 1e10, 1e300, -1e300, 1e-300, Double.MAX_VALUE,
        -Double.MAX_VALUE, Double.MIN_VALUE, -Double.MIN_VALUE, Double.MIN_NORMAL, Double.NaN, Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY, Float.MAX_VALUE, Float.MIN_VALUE, Integer.MAX_VALUE, Integer.MIN_VALUE,
        Long.MAX_VALUE, Long.MIN_VALUE, Math.PI, Math.E, 0.1, 1.0 / 3, 1 - 1e-16, 1 + 1e-15
    };
    private static final long MODEST = 12;
    private static final String CHARACTERS =
            "abcxyzABCXYZ0123456789 \t\n\r.,:;-+*/\\_#$%&@!?()[]{}<>='\"`^~|\u00e4\u00df\u0130\u03a3\u4e2d\ud83d\ude00\0\uffff";

    private final Chance chance;
    /** Whether numbers are mostly small: for members that large ones have cost much time or memory. */
    boolean isModest;

    Numbers(Chance chance) {
        this.chance = chance;
    }

    long integer(Constants own, Constants all) {
        long value = any(own, all);
        boolean isLarge = value > MODEST || value < -MODEST;
        return isModest && isLarge && !chance.percent(1) ? value % MODEST : value;
    }

    private long any(Constants own, Constants all) {
        int kind = chance.below(100);
        if (kind < 30) return chance.below(14) - 3;
        if (kind < 45) return EDGES[chance.below(EDGES.length)];
        if (kind < 60 && own.integers.length > 0) return near(own.integers);
        if (kind < 70 && own.integers.length > 0) {
            long first = near(own.integers);
            long second = near(own.integers);
            switch (chance.below(4)) {
                case 0: return first + second;
                case 1: return first * second;
                case 2: return first - second;
                default: return first | second;
            }
        }
        if (kind < 82 && all.integers.length > 0) return near(all.integers);
        if (kind < 90) return chance.bits() >> chance.below(64);
        return chance.below(300) - 20;
    }

    private long near(long[] constants) {
        long constant = constants[chance.below(constants.length)];
        switch (chance.below(8)) {
            case 0: return constant - 1;
            case 1: return constant + 1;
            case 2: return -constant;
            default: return constant;
        }
    }

    char character(Constants own, Constants all) {
        int kind = chance.below(100);
        if (kind < 45) return CHARACTERS.charAt(chance.below(CHARACTERS.length()));
        if (kind < 60 && own.strings.length > 0) {
            String text = chance.of(own.strings);
            if (!text.isEmpty()) return text.charAt(chance.below(text.length()));
        }
        if (kind < 80) return (char) integer(own, all);
        if (kind < 95) return (char) (32 + chance.below(95));
        return (char) chance.bits();
    }

    double real(Constants own, Constants all) {
        int kind = chance.below(100);
        if (kind < 25) return REAL_EDGES[chance.below(REAL_EDGES.length)];
        if (kind < 45 && own.reals.length > 0) return near(own.reals);
        if (kind < 55 && all.reals.length > 0) return near(all.reals);
        if (kind < 75) return integer(own, all);
        if (kind < 90) return (chance.below(2001) - 1000) / 100.0;
        return Double.longBitsToDouble(chance.bits());
    }

    private double near(double[] constants) {
        double constant = constants[chance.below(constants.length)];
        switch (chance.below(8)) {
            case 0: return Math.nextUp(constant);
            case 1: return -Math.nextUp(-constant);
            case 2: return -constant;
            case 3: return constant * 2;
            default: return constant;
        }
    }

    /** A length that is cheap to fill. */
    int length(Constants own, int most) {
        if (chance.percent(85)) return chance.below(5);
        if (chance.percent(50) && own.integers.length > 0) {
            long constant = near(own.integers);
            if (constant >= 0 && constant <= most) return (int) constant;
        }
        return chance.below(Math.min(most, 40));
    }
}
