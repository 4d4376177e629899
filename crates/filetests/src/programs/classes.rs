//! Methods and classes with random bodies.

use super::expressions::TEXTS;
use super::*;

impl Writer {
    /// A method with a random body.
    pub(super) fn method(
        &mut self,
        head: &str,
        parameters: &[(String, Primitive)],
        result: Primitive,
    ) {
        let count = 2 + self.below(5);
        self.budget = 6;
        let listed: Vec<String> =
            parameters.iter().map(|(name, of)| format!("{} {name}", of.name())).collect();
        self.open(&format!("{head}({})", listed.join(", ")));
        self.line("if (--fuel < 0) throw new IllegalStateException(\"fuel\");");
        for (name, of) in parameters {
            self.declare(name, Type::Of(*of), Access::Assign);
        }
        self.place.result = Some(result);
        let visible = self.scope.len();
        for _ in 0..1 + self.below(5) {
            self.declaration();
        }
        for _ in 0..count {
            self.statement();
        }
        self.mix_variables(visible);
        let value = self.primitive(result, 3);
        self.line(&format!("return {value};"));
        self.close();
        self.scope.clear();
        self.place = Place::default();
    }

    pub(super) fn mix_variables(&mut self, from: usize) {
        let names: Vec<String> = self.scope[from..].iter().map(|v| v.name.clone()).collect();
        for name in names {
            self.line(&format!("mix({name});"));
        }
    }

    /// Many variables that are all alive, moved around in loops.
    pub(super) fn wide(&mut self) {
        let count = 257 + self.below(60);
        self.open("static long wide(int a, long b)");
        for number in 0..count {
            let of = if number % 5 == 0 { "long" } else { "int" };
            self.line(&format!("{of} w{number} = a + {number};"));
        }
        let trips = 2 + self.below(4);
        self.open(&format!("for (int i = 0; i < {trips}; i++)"));
        for _ in 0..30 + self.below(40) {
            let (first, second, third) = (self.below(count), self.below(count), self.below(count));
            let line = match self.below(6) {
                0 => format!("w{first} += w{second} * i;"),
                1 => format!("w{first} -= plus(w{second}, w{third});"),
                2 => format!("if (w{first} > w{second}) {{ w{third} ^= w{first}; continue; }}"),
                3 => format!("w{first} += text(\"x\" + w{second}).length();"),
                _ => {
                    let start = 1 + self.below(count / 5 - 1) * 5;
                    format!(
                        "{{ int t = w{0}; w{0} = w{1}; w{1} = w{2}; w{2} = w{3}; w{3} = t; }}",
                        start,
                        start + 1,
                        start + 2,
                        start + 3
                    )
                }
            };
            self.line(&line);
        }
        self.close();
        self.line("long h = b;");
        for number in 0..count {
            self.line(&format!("h = h * 31 + w{number};"));
        }
        self.line("return h;");
        self.close();
    }

    pub(super) fn lazy_classes(&mut self) {
        let all = self.n_lazy;
        for number in 0..all {
            let parent = match number {
                0 => String::new(),
                _ if self.once_in(2) => format!(" extends Lazy{}", self.below(number)),
                _ => String::new(),
            };
            let interface =
                if self.once_in(3) { format!(" implements LazyI{number}") } else { String::new() };
            let x = self.primitive(Int, 3);
            let get = self.primitive(Int, 3);
            if !interface.is_empty() {
                let value = self.primitive(Int, 3);
                self.open(&format!("interface LazyI{number}"));
                self.line(&format!("int Z = tick({value});"));
                if !self.once_in(3) {
                    self.line(&format!("default int plus{number}(int k) {{ return k + Z; }}"));
                }
                self.close();
            }
            self.open(&format!("static class Lazy{number}{parent}{interface}"));
            if self.once_in(5) {
                self.line("static int x;");
            } else {
                self.line(&format!("static int x = tick({x});"));
            }
            self.line("int y = 3;");
            if self.once_in(2) {
                self.open("static");
                self.budget = 6;
                self.block(2);
                self.close();
            }
            self.open("static int get(int k)");
            self.line("if (--fuel < 0) throw new IllegalStateException(\"fuel\");");
            self.line(&format!("x += k; return {get};"));
            self.close();
            self.close();
        }
    }

    pub(super) fn node_classes(&mut self) {
        self.open("interface Shape");
        self.line("long area(int k);");
        let value = self.primitive(Long, 2);
        self.line("default long twice(int k) {");
        self.line(&format!("    return 2 * area(k) + {value};"));
        self.line("}");
        self.close();
        self.open("static abstract class Base implements Shape");
        for of in PRIMITIVES {
            self.line(&format!("{} {};", of.name(), of.member()));
        }
        self.line("Base next;");
        self.line(
            "Base(int k) { i = k; b = (byte) k; c = (char) k; s = (short) (k * 3); hook(k); }",
        );
        self.line("void hook(int k) { j += k; }");
        self.line("long both(long x, long y) { return x * 31 + y + i; }");
        self.line("int over(int x) { return x + 1; }");
        self.line("int over(long x) { return (int) x + 2; }");
        self.line("int over(double x) { return (int) x + 3; }");
        self.line("int over(Object x) { return x == null ? 4 : 5; }");
        self.line("int over(Integer x) { return x == null ? 6 : x + 7; }");
        self.line("int over(int... x) { return x.length + 8; }");
        self.line("int over(char x) { return x + 9; }");
        self.place.is_instance = true;
        self.method("public long area", &[("k".to_owned(), Int)], Long);
        self.close();
        self.open("static class Left extends Base");
        self.line("long extra = 17;");
        self.line("Left(int k) { super(k); extra += k; }");
        self.line("@Override void hook(int k) { extra = k; d = k / 2.0; super.hook(k + 1); }");
        if self.once_in(2) {
            self.line("@Override int over(long x) { return super.over(x) * 2; }");
        }
        if self.once_in(2) {
            self.place.is_instance = true;
            self.method("@Override public long area", &[("k".to_owned(), Int)], Long);
        }
        self.place.is_instance = true;
        self.method("long both", &[("x".to_owned(), Long), ("y".to_owned(), Long)], Long);
        self.close();
        self.open("static class Right extends Left");
        self.line("Right(int k) { super(k / 2); f = k; z = k > 3; }");
        self.line("@Override public long area(int k) { return super.area(k + 1) + extra; }");
        self.line("@Override public long twice(int k) { return super.twice(k) - 1; }");
        self.close();
    }

    pub(super) fn class(&mut self) {
        let class = self.class.clone();
        self.n_lazy = 2 + self.below(4);
        for number in 0..2 + self.below(3) {
            let parameters = (0..self.below(5)).map(|_| self.random.one_of(&USUAL)).collect();
            let result = self.random.one_of(&USUAL);
            self.methods.push(Method { name: format!("m{number}"), parameters, result });
        }
        self.line("import java.util.*;");
        self.line("import java.util.function.*;");
        self.line("");
        self.open(&format!("public class {class}"));
        for line in FIXED.lines() {
            self.line(line);
        }
        self.line(&format!(
            "static final Op[] OPS = {{Long::sum, {class}::plus, Math::max, null}};"
        ));
        for of in PRIMITIVES {
            let value = self.literal(of);
            self.line(&format!("static {} {} = {value};", of.name(), of.field()));
        }
        self.node_classes();
        self.lazy_classes();
        for method in self.methods.clone() {
            let parameters: Vec<(String, Primitive)> = method
                .parameters
                .iter()
                .enumerate()
                .map(|(n, &of)| (format!("p{n}_"), of))
                .collect();
            let head = format!("static {} {}", method.result.name(), method.name);
            self.method(&head, &parameters, method.result);
        }
        let has_wide = self.once_in(12);
        if has_wide {
            self.wide();
        }
        self.budget = 18;
        self.open("public static long run(int a, long b, int c)");
        self.line("fuel = 120;");
        for (name, of) in [("a", Int), ("b", Long), ("c", Int)] {
            self.declare(name, Type::Of(of), Access::Assign);
        }
        for _ in 0..4 + self.below(12) {
            self.declaration_in_safety();
        }
        self.place.result = Some(Long);
        if has_wide {
            self.line("mix(wide(a, b));");
        }
        for _ in 0..5 + self.below(7) {
            if self.once_in(4) {
                self.statement();
                continue;
            }
            let visible = self.scope.len();
            self.open("try");
            self.block(2);
            self.next("catch (Throwable e)");
            self.line("note(e);");
            self.close();
            self.scope.truncate(visible);
        }
        self.mix_variables(0);
        for of in PRIMITIVES {
            self.line(&format!("mix({});", of.field()));
        }
        self.line(
            "mix(so); mix(sa); mix(sn); mix(list.size()); mix(map.size()); mix(queue.size());",
        );
        self.line("return acc;");
        self.close();
        self.close();
    }

    /// A variable whose first value is one that always can be computed.
    pub(super) fn declaration_in_safety(&mut self) {
        let of = self.type_of_variable();
        let name = self.fresh("v");
        let value = match of {
            Type::Of(primitive) => match self.below(3) {
                0 => self.literal(primitive),
                _ if primitive == Boolean => "a < c".to_owned(),
                1 => format!("({}) a", primitive.name()),
                _ => format!("({}) (b + {})", primitive.name(), self.n_names),
            },
            Type::Array(primitive) => format!("new {}[8]", primitive.name()),
            Type::Grid => "new int[8][8]".to_owned(),
            Type::Objects => "new Object[8]".to_owned(),
            Type::Text => self.pick(&TEXTS),
            Type::Boxed => "a".to_owned(),
            Type::Node => "new Right(c)".to_owned(),
            Type::Any => "b".to_owned(),
        };
        self.line(&format!("{} {name} = {value};", of.name()));
        self.declare(&name, of, Access::Assign);
    }
}

/// What all programs have.
const FIXED: &str = r#"static long acc;
static int fuel = 50;
static final Object LOCK = new Object();
static Object so = 5;
static Object[] sa = new Object[8];
static Base sn = new Left(4);
static final ArrayList<Object> list = new ArrayList<>();
static final HashMap<Object, Object> map = new HashMap<>();
static final ArrayDeque<Object> queue = new ArrayDeque<>();
enum Color { RED, GREEN, BLUE, GREY }
interface Op {
    long apply(long x, long y);
    default Op then(Op other) { return (x, y) -> other.apply(apply(x, y), y); }
}
static class E1 extends RuntimeException {
    E1(String text) { super(text); }
    E1(String text, Throwable cause) { super(text, cause); }
}
static class E2 extends E1 {
    E2(String text) { super(text + "!"); }
}
static class Res implements AutoCloseable {
    final int k;
    Res(int k) { this.k = k; if (k % 5 == 4) throw new E1("open " + k); mix(k); }
    @Override public void close() { mix(-k); if (k % 3 == 2) throw new E2("close " + k); }
}
static long plus(long x, long y) { return x + y; }
static int tick(int k) { acc = acc * 7 + k; return k; }
static int total(int... all) { int t = 0; for (int one : all) t += one; return t * 3 + all.length; }
static long apply(Op op, long x, long y) { return op.apply(x, y); }
static String text(String text) { return text == null ? "" : text; }
static boolean same(Object x, Object y) { return x == y; }
static Base make(int k) {
    switch (k & 3) {
        case 0: return new Left(k);
        case 1: return new Right(k);
        case 2: return new Base(k) { @Override public long area(int x) { return x + k + i; } };
        default: return null;
    }
}
static void mix(long x) { acc = (acc ^ x) * 0x100000001b3L + (acc >>> 29); }
static void mix(int x) { mix((long) x + 1); }
static void mix(byte x) { mix((long) x + 2); }
static void mix(short x) { mix((long) x + 3); }
static void mix(char x) { mix((long) x + 4); }
static void mix(float x) { mix((long) Float.floatToIntBits(x) + 5); }
static void mix(double x) { mix(Double.doubleToLongBits(x) + 6); }
static void mix(boolean x) { mix(x ? 7L : 8L); }
static void mix(Object x) {
    if (x == null) mix(9L);
    else if (x instanceof Base n) { mix(n.getClass().getName().length()); mix(n.b); mix(n.c); mix(n.d);
        mix(n.f); mix(n.i); mix(n.j); mix(n.s); mix(n.z); mix(n.next == null); }
    else if (x instanceof int[] all) { for (int one : all) mix(one); }
    else if (x instanceof long[] all) { for (long one : all) mix(one); }
    else if (x instanceof byte[] all) { for (byte one : all) mix(one); }
    else if (x instanceof short[] all) { for (short one : all) mix(one); }
    else if (x instanceof char[] all) { for (char one : all) mix(one); }
    else if (x instanceof float[] all) { for (float one : all) mix(one); }
    else if (x instanceof double[] all) { for (double one : all) mix(one); }
    else if (x instanceof boolean[] all) { for (boolean one : all) mix(one); }
    else if (x instanceof int[][] all) { mix(all.length); for (int[] one : all) mix((Object) one); }
    else if (x instanceof Object[] all) { mix(all.length); for (Object one : all) mixFlat(one); }
    else if (x instanceof Throwable e) note(e);
    else { mix(x.hashCode()); mix(x.getClass().getName().length()); }
}
static void mixFlat(Object x) { if (!(x instanceof Object[])) mix(x); else mix(11L); }
static void note(Throwable e) {
    mix((Object) e.getClass().getName());
    if (!(e instanceof NullPointerException) && !(e instanceof ClassCastException))
        mix((Object) e.getMessage());
    // Whether this error has a cause, and with which text, depends on the JVM.
    if (e.getCause() != null && !(e instanceof NoClassDefFoundError)) note(e.getCause());
    for (Throwable other : e.getSuppressed()) note(other);
}"#;
