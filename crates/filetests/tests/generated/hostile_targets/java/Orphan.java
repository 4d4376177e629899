package hostile;

/** Has no superclass any more. */
public class Orphan extends Base {
    public int twice(int n) {
        return n > 3 ? base(n) : 2 * n;
    }
}
