package hostile;

/** Ends the process when it is initialised. */
public class Exits {
    static int answer = 1;

    static {
        if (answer > 0) {
            System.exit(3);
        }
    }

    public static int next(int n) {
        return n > 5 ? n + answer : n - answer;
    }

    public boolean isAnswer(int n) {
        return n == answer;
    }
}
