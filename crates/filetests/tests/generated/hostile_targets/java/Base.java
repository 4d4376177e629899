package hostile;

/** Is removed after everything is compiled. */
public class Base {
    public int base(int n) {
        return n;
    }
}
