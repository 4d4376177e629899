//! Random expressions.

use super::*;

pub(super) const INTS: [&str; 24] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "5",
    "7",
    "8",
    "31",
    "32",
    "33",
    "-2",
    "-7",
    "100",
    "127",
    "128",
    "-128",
    "255",
    "32767",
    "-32768",
    "65535",
    "1000003",
    "Integer.MAX_VALUE",
    "Integer.MIN_VALUE",
];

const LONGS: [&str; 14] = [
    "0L",
    "1L",
    "-1L",
    "2L",
    "63L",
    "64L",
    "-3L",
    "4294967296L",
    "2147483648L",
    "-2147483649L",
    "1000000007L",
    "Long.MAX_VALUE",
    "Long.MIN_VALUE",
    "0x123456789abcdefL",
];

const FLOATS: [&str; 12] = [
    "0f",
    "-0f",
    "1f",
    "-1.5f",
    "0.1f",
    "1e10f",
    "-3e38f",
    "Float.NaN",
    "Float.MIN_VALUE",
    "16777217f",
    "Float.POSITIVE_INFINITY",
    "Float.NEGATIVE_INFINITY",
];

const DOUBLES: [&str; 12] = [
    "0.0",
    "-0.0",
    "1.0",
    "-1.5",
    "0.1",
    "1e19",
    "-1e300",
    "Double.NaN",
    "Double.MIN_VALUE",
    "2147483648.5",
    "Double.POSITIVE_INFINITY",
    "Double.NEGATIVE_INFINITY",
];

const CHARS: [&str; 6] = ["'a'", "'z'", "'0'", "'\\n'", "'\\uffff'", "'\\u0000'"];

pub(super) const TEXTS: [&str; 10] = [
    "\"\"",
    "\"a\"",
    "\"b\"",
    "\"Aa\"",
    "\"BB\"",
    "\"hello\"",
    "\"\\u20ac\"",
    "null",
    "\"x1\"",
    "\"long text\"",
];

impl Writer {
    pub(super) fn value(&mut self, of: Type, depth: usize) -> String {
        match of {
            Type::Of(primitive) => self.primitive(primitive, depth),
            Type::Array(primitive) => self.array(primitive, depth),
            Type::Grid => self.grid(depth),
            Type::Objects => self.objects(depth),
            Type::Text => self.text(depth),
            Type::Boxed => self.boxed(depth),
            Type::Node => self.node(depth),
            Type::Any => self.any(depth),
        }
    }

    pub(super) fn primitive(&mut self, of: Primitive, depth: usize) -> String {
        if self.once_in(3)
            && let Some(name) = self.variable(Type::Of(of))
        {
            return name;
        }
        if depth == 0 {
            return match self.below(6) {
                0 => of.field().to_owned(),
                1 if self.place.is_instance => format!("this.{}", of.member()),
                2 | 3 => self.literal(of),
                _ => self.variable(Type::Of(of)).unwrap_or_else(|| of.field().to_owned()),
            };
        }
        let depth = depth - 1;
        match self.below(24) {
            0 => return self.literal(of),
            1 => return of.field().to_owned(),
            2 => return format!("{}[{}]", self.array_place(of, depth), self.index(depth)),
            3 | 4 => {
                let condition = self.condition(depth);
                let (yes, no) = (self.primitive(of, depth), self.primitive(of, depth));
                // The type of the whole is that of its parts.
                return format!("({condition} ? {yes} : {no})");
            }
            5 => {
                if let Some(target) = self.target(Type::Of(of)) {
                    return format!("({target} = {})", self.primitive(of, depth));
                }
            }
            6 => return format!("{}.{}", self.node_place(depth), of.member()),
            7 | 8 => {
                let found: Vec<Method> =
                    self.methods.iter().filter(|method| method.result == of).cloned().collect();
                if !found.is_empty() {
                    let method = found[self.below(found.len())].clone();
                    return self.call(&method, depth);
                }
            }
            9 => {
                let from = self.random.one_of(&USUAL);
                if from != Boolean && of != Boolean {
                    return format!("({}) ({})", of.name(), self.primitive(from, depth));
                }
            }
            10 if of != Boolean => {
                if let Some(target) = self.target(Type::Of(of)) {
                    return match self.below(5) {
                        0 => format!("{target}++"),
                        1 => format!("{target}--"),
                        2 => format!("++{target}"),
                        3 => format!("(--{target})"),
                        _ => {
                            format!("({target} {} {})", self.compound(of), self.operand(of, depth))
                        }
                    };
                }
            }
            11 if self.place.is_instance => return format!("this.{}", of.member()),
            12 if depth > 0 => {
                let selector = self.primitive(Int, depth);
                let (first, second, third) =
                    (self.primitive(of, depth), self.primitive(of, depth), self.primitive(of, 0));
                let (name, kept) = (of.name(), self.fresh("y"));
                return format!(
                    "(switch (({selector}) & 3) {{ case 0 -> {first}; case 1, 3 -> {{ \
                     {name} {kept} = {second}; yield {kept}; }} default -> {third}; }})"
                );
            }
            _ => {}
        }
        match of {
            Int => self.int(depth),
            Long => self.long(depth),
            Float => self.floating(Float, depth),
            Double => self.floating(Double, depth),
            Byte | Short | Char => format!("({}) ({})", of.name(), self.int(depth)),
            Boolean => self.condition(depth),
        }
    }

    pub(super) fn literal(&mut self, of: Primitive) -> String {
        match of {
            Int => self.pick(&INTS),
            Long => self.pick(&LONGS),
            Float => self.pick(&FLOATS),
            Double => self.pick(&DOUBLES),
            Byte | Short => format!("({}) {}", of.name(), self.pick(&INTS).replace("-", "- ")),
            Char => self.pick(&CHARS),
            Boolean => self.pick(&["true", "false"]),
        }
    }

    /// An operator that assigns to a number or `boolean`.
    pub(super) fn compound(&mut self, of: Primitive) -> String {
        match of {
            Boolean => self.pick(&["&=", "|=", "^="]),
            Float | Double => self.pick(&["+=", "-=", "*=", "/=", "%="]),
            _ => self.pick(&["+=", "-=", "*=", "+=", "-=", "&=", "|=", "^=", "<<=", ">>=", ">>>="]),
        }
    }

    /// The right side of such an operator.
    pub(super) fn operand(&mut self, of: Primitive, depth: usize) -> String {
        match of {
            Boolean => self.condition(depth),
            _ if of.is_integral() => {
                let from = self.random.one_of(&[Int, Long, Byte, Char, Short]);
                self.primitive(from, depth)
            }
            _ => {
                let from = self.random.one_of(&[Int, Long, Float, Double]);
                self.primitive(from, depth)
            }
        }
    }

    pub(super) fn int(&mut self, depth: usize) -> String {
        let a = |writer: &mut Writer| {
            let of = writer.random.one_of(&[Int, Int, Int, Byte, Short, Char]);
            writer.primitive(of, depth)
        };
        match self.below(30) {
            0..=7 => {
                let operator = self.pick(&["+", "-", "*", "&", "|", "^", "+", "-"]);
                format!("({} {operator} {})", a(self), a(self))
            }
            8 | 9 => {
                let operator = self.pick(&["<<", ">>", ">>>"]);
                let by = self.random.one_of(&[Int, Long, Byte]);
                format!("({} {operator} {})", a(self), self.primitive(by, depth))
            }
            10 | 11 => {
                let operator = self.pick(&["/", "%"]);
                format!("({} {operator} ({} | 1))", a(self), a(self))
            }
            12 => {
                let operator = self.pick(&["/", "%"]);
                format!("({} {operator} {})", a(self), a(self))
            }
            13 => format!("(-({}))", a(self)),
            14 => format!("(~{})", a(self)),
            15 => {
                let name = self.variable_where(|variable| matches!(variable.of, Type::Array(_)));
                name.map_or_else(|| "0".to_owned(), |name| format!("{name}.length"))
            }
            16 => {
                let text = self.text(depth);
                let method = self.pick(&["length()", "hashCode()", "indexOf('a')"]);
                format!("text({text}).{method}")
            }
            17 => format!("((int) text({}).charAt({}))", self.text(depth), self.primitive(Int, 0)),
            18 => format!("((int) {})", self.boxed(depth)),
            19 => format!("{}.over({})", self.node_place(depth), self.overloaded(depth)),
            20 => {
                let first = self.random.one_of(&[Int, Long, Double]);
                let (left, right) = (self.primitive(first, depth), self.primitive(first, depth));
                let boxed = match first {
                    Int => "Integer",
                    Long => "Long",
                    _ => "Double",
                };
                format!("{boxed}.compare({left}, {right})")
            }
            21 => {
                let method =
                    self.pick(&["bitCount", "reverse", "numberOfTrailingZeros", "highestOneBit"]);
                format!("Integer.{method}({})", a(self))
            }
            22 => {
                let count = self.below(4);
                let all: Vec<String> = (0..count).map(|_| self.primitive(Int, depth)).collect();
                format!("total({})", all.join(", "))
            }
            23 => {
                let any = self.any(depth);
                let name = self.fresh("p");
                let (yes, no) = (self.primitive(Int, 0), self.primitive(Int, 0));
                match self.below(3) {
                    0 => format!("({any} instanceof Integer {name} ? {name} + {yes} : {no})"),
                    1 => format!("({any} instanceof String {name} ? {name}.length() : {no})"),
                    _ => format!("({any} instanceof Left {name} && {name}.i > 0 ? {yes} : {no})"),
                }
            }
            24 if self.n_lazy > 0 => {
                let lazy = self.below(self.n_lazy);
                match self.below(3) {
                    0 => format!("Lazy{lazy}.x"),
                    1 => format!("Lazy{lazy}.get({})", a(self)),
                    _ => format!("new Lazy{lazy}().y"),
                }
            }
            25 => format!("Float.floatToIntBits({})", self.primitive(Float, depth)),
            26 => {
                let grid = self.grid_place(depth);
                let (first, second) = (self.index(depth), self.index(0));
                if self.once_in(4) {
                    format!("{grid}[{first}].length")
                } else {
                    format!("{grid}[{first}][{second}]")
                }
            }
            27 => format!("((Integer) {}).intValue()", self.any(depth)),
            28 => format!("Objects.hash({}, {})", self.text(0), self.primitive(Int, depth)),
            _ => format!("Math.max({}, {})", a(self), a(self)),
        }
    }

    pub(super) fn long(&mut self, depth: usize) -> String {
        let a = |writer: &mut Writer| {
            let of = writer.random.one_of(&[Long, Long, Long, Int, Char]);
            writer.primitive(of, depth)
        };
        match self.below(16) {
            0..=4 => {
                let operator = self.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("((long) {} {operator} {})", self.primitive(Long, depth), a(self))
            }
            5 | 6 => {
                let operator = self.pick(&["<<", ">>", ">>>"]);
                format!("({} {operator} {})", self.primitive(Long, depth), a(self))
            }
            7 | 8 => {
                let operator = self.pick(&["/", "%"]);
                format!("({} {operator} ({} | 1))", self.primitive(Long, depth), a(self))
            }
            9 => {
                let operator = self.pick(&["/", "%"]);
                format!("({} {operator} {})", self.primitive(Long, depth), a(self))
            }
            10 => format!("(-({}))", self.primitive(Long, depth)),
            11 => {
                let method = self.pick(&["area", "twice"]);
                format!("{}.{method}({})", self.node_place(depth), self.primitive(Int, depth))
            }
            12 => format!("Double.doubleToLongBits({})", self.primitive(Double, depth)),
            13 => format!("apply({}, {}, {})", self.lambda(depth), a(self), a(self)),
            14 => format!("(long) ({})", self.int(depth)),
            _ => format!("Long.rotateLeft({}, {})", self.primitive(Long, depth), self.int(0)),
        }
    }

    pub(super) fn floating(&mut self, of: Primitive, depth: usize) -> String {
        let name = of.name();
        match self.below(8) {
            0..=3 => {
                let operator = self.pick(&["+", "-", "*", "/", "%"]);
                let other = self.random.one_of(&[of, of, Int, Long]);
                let (left, right) = (self.primitive(of, depth), self.primitive(other, depth));
                format!("({left} {operator} {right})")
            }
            4 => format!("(-({}))", self.primitive(of, depth)),
            5 => format!("({name}) Math.sqrt({})", self.primitive(of, depth)),
            6 => format!("Math.min({}, {})", self.primitive(of, depth), self.primitive(of, depth)),
            _ => {
                let from = self.random.one_of(&[Int, Long, Float, Double]);
                format!("({name}) ({})", self.primitive(from, depth))
            }
        }
    }

    pub(super) fn condition(&mut self, depth: usize) -> String {
        let depth = depth.saturating_sub(1);
        match self.below(14) {
            0..=4 => {
                let operator = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
                let of = self.random.one_of(&[Int, Int, Int, Long, Float, Double, Char, Byte]);
                let (left, right) = (self.primitive(of, depth), self.primitive(of, depth));
                format!("({left} {operator} {right})")
            }
            5 | 6 => {
                let operator = self.pick(&["&&", "||", "&", "|", "^"]);
                format!("({} {operator} {})", self.condition(depth), self.condition(depth))
            }
            7 => format!("!{}", self.condition(depth)),
            8 => self.variable(Type::Of(Boolean)).unwrap_or_else(|| "sz".to_owned()),
            9 => {
                let (left, right) = (self.any(depth), self.any(depth));
                format!("same({left}, {right})")
            }
            10 => {
                let operator = self.pick(&["==", "!="]);
                format!("((Object) {} {operator} null)", self.any(depth))
            }
            11 => {
                let class = self.pick(&["Left", "Right", "Integer", "String", "int[]", "Shape"]);
                format!("((Object) {} instanceof {class})", self.any(depth))
            }
            12 => {
                let (left, right) = (self.boxed(depth), self.boxed(depth));
                format!("((Object) {left} == (Object) {right})")
            }
            _ => {
                let constant = self.pick(&INTS);
                let operator = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("({} {operator} {constant})", self.primitive(Int, depth))
            }
        }
    }

    /// Mostly within the bounds of arrays of eight elements.
    pub(super) fn index(&mut self, depth: usize) -> String {
        match self.below(12) {
            0 => self.primitive(Int, depth),
            1 => self.pick(&["0", "7", "8", "3"]),
            2 => format!("{} & 7", self.primitive(Byte, depth)),
            _ => format!("({}) & 7", self.primitive(Int, depth)),
        }
    }

    /// An array, rarely null.
    pub(super) fn array_place(&mut self, of: Primitive, depth: usize) -> String {
        match self.variable(Type::Array(of)) {
            Some(name) if !self.once_in(8) => name,
            _ => {
                let array = self.array(of, depth);
                if array.starts_with("new") { format!("({array})") } else { array }
            }
        }
    }

    pub(super) fn array(&mut self, of: Primitive, depth: usize) -> String {
        let name = of.name();
        match self.below(12) {
            0..=4 => self.variable(Type::Array(of)).unwrap_or_else(|| format!("new {name}[8]")),
            5 | 6 => format!("new {name}[8]"),
            7 => {
                let all: Vec<String> =
                    (0..8).map(|_| self.primitive(of, depth.saturating_sub(2))).collect();
                format!("new {name}[] {{{}}}", all.join(", "))
            }
            8 => {
                let small = self.primitive(Byte, depth.saturating_sub(1));
                format!("new {name}[{small}]")
            }
            9 => format!("((({name}[]) null))"),
            10 => match self.variable(Type::Array(of)) {
                Some(array) => format!("{array}.clone()"),
                None => format!("new {name}[9]"),
            },
            _ => format!("(({name}[]) (Object) {})", self.array_of_any(of)),
        }
    }

    pub(super) fn array_of_any(&mut self, of: Primitive) -> String {
        if self.once_in(3)
            && let Some(any) = self.variable(Type::Any)
        {
            return any;
        }
        format!("new {}[8]", of.name())
    }

    pub(super) fn grid_place(&mut self, depth: usize) -> String {
        match self.variable(Type::Grid) {
            Some(name) if !self.once_in(8) => name,
            _ => format!("({})", self.grid(depth)),
        }
    }

    pub(super) fn grid(&mut self, depth: usize) -> String {
        match self.below(8) {
            0 => "new int[8][]".to_owned(),
            1 => {
                let (first, second) = (self.primitive(Byte, 0), self.primitive(Int, 0));
                format!("new int[{first}][({second}) % 5]")
            }
            2 => {
                let array = self.array(Int, depth.saturating_sub(1));
                format!("new int[][] {{{array}, new int[3], null, {{1, 2, 3}}, {{}}}}")
            }
            3 => "(new int[2][8][8])[1]".to_owned(),
            4..=5 => "new int[8][8]".to_owned(),
            _ => self.variable(Type::Grid).unwrap_or_else(|| "new int[8][8]".to_owned()),
        }
    }

    pub(super) fn objects(&mut self, depth: usize) -> String {
        match self.below(7) {
            0 => "new Integer[8]".to_owned(),
            1 => "new String[8]".to_owned(),
            2 => "new Base[8]".to_owned(),
            3 => {
                let all: Vec<String> = (0..8).map(|_| self.any(depth.saturating_sub(2))).collect();
                format!("new Object[] {{{}}}", all.join(", "))
            }
            4 => "new int[8][8]".to_owned(),
            _ => self.variable(Type::Objects).unwrap_or_else(|| "new Object[8]".to_owned()),
        }
    }

    pub(super) fn text(&mut self, depth: usize) -> String {
        if depth == 0 {
            let literal = self.pick(&TEXTS);
            let found = self.variable(Type::Text).filter(|_| literal.len() > 4);
            return found.unwrap_or_else(|| format!("((String) {literal})"));
        }
        let depth = depth - 1;
        match self.below(10) {
            0..=2 => self.text(0),
            3..=5 => {
                let count = 1 + self.below(3);
                let mut whole = format!("({}", self.text(0));
                for _ in 0..count {
                    let _ = write!(whole, " + {}", self.shown(depth));
                }
                whole.push(')');
                whole
            }
            6 => {
                let text = self.text(depth);
                format!("text({text}).substring({})", self.pick(&["0", "1", "2", "si & 3"]))
            }
            7 => format!("String.valueOf({})", self.shown(depth)),
            8 => {
                let (first, second) = (self.shown(depth), self.shown(depth));
                format!("new StringBuilder().append({first}).append({second}).reverse().toString()")
            }
            _ => format!("((String) {})", self.any(depth)),
        }
    }

    /// Something whose text is fixed.
    pub(super) fn shown(&mut self, depth: usize) -> String {
        let of = self.random.one_of(&[Int, Int, Long, Char, Boolean, Byte, Double, Float]);
        match self.below(5) {
            0 => self.text(depth),
            1 => format!("(Object) {}", self.boxed(depth)),
            _ => format!("({})", self.primitive(of, depth)),
        }
    }

    pub(super) fn boxed(&mut self, depth: usize) -> String {
        match self.below(6) {
            0 => self.pick(&["((Integer) 127)", "((Integer) 128)", "((Integer) (-129))"]),
            1 => format!("Integer.valueOf({})", self.primitive(Int, depth.saturating_sub(1))),
            2 => format!("((Integer) ({} & 255))", self.primitive(Int, depth.saturating_sub(1))),
            3 => "((Integer) map.get(si & 3))".to_owned(),
            _ => self.variable(Type::Boxed).unwrap_or_else(|| "((Integer) 5)".to_owned()),
        }
    }

    pub(super) fn node_place(&mut self, depth: usize) -> String {
        if self.place.is_instance && self.once_in(3) {
            return "this".to_owned();
        }
        match self.variable(Type::Node) {
            Some(name) if !self.once_in(6) => name,
            _ => self.node(depth),
        }
    }

    pub(super) fn node(&mut self, depth: usize) -> String {
        let depth = depth.saturating_sub(1);
        match self.below(10) {
            0 => "((Base) null)".to_owned(),
            1 => format!("((Base) new Left({}))", self.primitive(Int, depth)),
            2 => format!("((Base) new Right({}))", self.primitive(Int, depth)),
            3 => format!("make({})", self.primitive(Int, depth)),
            4 => "sn".to_owned(),
            5 => format!("((Left) {})", self.node_place(0)),
            6 => format!("{}.next", self.node_place(0)),
            7 => format!("((Base) {})", self.any(depth)),
            _ => self.variable(Type::Node).unwrap_or_else(|| "sn".to_owned()),
        }
    }

    pub(super) fn any(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.variable(Type::Any).unwrap_or_else(|| "so".to_owned());
        }
        let depth = depth - 1;
        match self.below(10) {
            0 => format!("((Object) {})", self.boxed(depth)),
            1 => format!("((Object) {})", self.text(depth)),
            2 => format!("((Object) {})", self.node(depth)),
            3 => {
                let of = self.random.one_of(&PRIMITIVES);
                format!("((Object) ({}))", self.primitive(of, depth))
            }
            4 => format!("{}[{}]", self.objects_place(), self.index(depth)),
            5 => "so".to_owned(),
            6 => "map.get(si & 7)".to_owned(),
            7 => {
                let of = self.random.one_of(&PRIMITIVES);
                let array = self.array_place(of, depth);
                format!("((Object) {array})")
            }
            _ => self.variable(Type::Any).unwrap_or_else(|| "so".to_owned()),
        }
    }

    pub(super) fn objects_place(&mut self) -> String {
        self.variable(Type::Objects).unwrap_or_else(|| "sa".to_owned())
    }

    pub(super) fn overloaded(&mut self, depth: usize) -> String {
        match self.below(6) {
            0 => self.any(depth),
            1 => self.boxed(depth),
            2 => self.text(depth),
            3 => String::new(),
            _ => {
                let of = self.random.one_of(&PRIMITIVES);
                self.primitive(of, depth)
            }
        }
    }

    pub(super) fn call(&mut self, method: &Method, depth: usize) -> String {
        let arguments: Vec<String> =
            method.parameters.iter().map(|&of| self.primitive(of, depth)).collect();
        format!("{}({})", method.name, arguments.join(", "))
    }

    /// A function of two `long`s.
    pub(super) fn lambda(&mut self, depth: usize) -> String {
        match self.below(6) {
            0 => return "Long::sum".to_owned(),
            1 => {
                let found = self.variable_where(|variable| {
                    variable.of == Type::Node && variable.access == Access::Capture
                });
                if let Some(node) = found {
                    return format!("{node}::both");
                }
            }
            2 => return "OPS[si & 3]".to_owned(),
            3 => return "P::plus".replace('P', &self.class),
            _ => {}
        }
        let (left, right) = (self.fresh("l"), self.fresh("l"));
        let scope = self.scope.clone();
        self.scope.retain(|variable| variable.access == Access::Capture);
        self.declare(&left, Type::Of(Long), Access::Assign);
        self.declare(&right, Type::Of(Long), Access::Assign);
        let body = self.primitive(Long, depth.min(3));
        self.scope = scope;
        format!("(({left}, {right}) -> {body})")
    }
}
