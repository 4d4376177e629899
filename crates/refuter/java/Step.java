package petrel.refuter;

/** A call, or the writing of a field, with what it was given. */
final class Step {
    final Target target;
    final Made receiver;
    final Made[] arguments;
    private final int depth;

    Step(Target target, Made receiver, Made[] arguments) {
        this.target = target;
        this.receiver = receiver;
        this.arguments = arguments;
        int deepest = receiver == null ? 0 : receiver.depth();
        for (Made argument : arguments) deepest = Math.max(deepest, argument.depth());
        depth = deepest;
    }

    int depth() {
        return depth;
    }

    /** As Java would have it; a receiver that the reader knows is left out. */
    void print(StringBuilder out, int levels, Made known) {
        if (out.length() > Texts.LONGEST) {
            out.append("..");
            return;
        }
        if (target.isConstructor()) {
            out.append("new ").append(target.declaring.getName());
        } else if (receiver == null) {
            out.append(target.declaring.getName()).append('.').append(target.name);
        } else {
            if (receiver != known) {
                out.append('(').append(target.declaring.getSimpleName()).append(") ");
                receiver.print(out, levels);
            }
            out.append('.').append(target.name);
        }
        out.append(target.isField() ? " = " : "(");
        for (int i = 0; i < arguments.length; i++) {
            if (i > 0) out.append(", ");
            if (known != null && arguments[i].value == known.value) {
                out.append("itself");
                continue;
            }
            arguments[i].print(out, levels);
            if (isSameAsBefore(i)) out.append(" /* the same object */");
        }
        if (!target.isField()) out.append(')');
    }

    /** Whether an argument is the receiver or another argument once more: values that look alike need not be. */
    private boolean isSameAsBefore(int number) {
        Object value = arguments[number].value;
        if (value == null || target.parameters[number].isPrimitive()) return false;
        if (receiver != null && receiver.value == value) return true;
        for (int i = 0; i < number; i++) {
            if (arguments[i].value == value) return true;
        }
        return false;
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        print(out, 5, null);
        return out.length() > Texts.LONGEST ? out.substring(0, Texts.LONGEST) + ".." : out.toString();
    }
}
