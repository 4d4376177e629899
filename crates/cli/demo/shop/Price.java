package shop;

/** Amounts such as {@code 12.50} as a number of cents. */
public final class Price {
    private Price() {
    }

    /** The number of cents, or -1 if the text is no amount. */
    public static int parse(String text) {
        if (text == null || text.isEmpty()) {
            return -1;
        }
        int cents = 0;
        int position = 0;
        while (position < text.length() && text.charAt(position) != '.') {
            int digit = text.charAt(position) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            cents = cents * 10 + digit;
            position++;
        }
        if (position == text.length()) {
            return cents * 100;
        }
        if (text.length() - position != 3) {
            return -1;
        }
        int tens = text.charAt(position + 1) - '0';
        int ones = text.charAt(position + 2) - '0';
        if (tens < 0 || tens > 9 || ones < 0 || ones > 9) {
            return -1;
        }
        return cents * 100 + tens * 10 + ones;
    }
}
