//! Random statements.

use super::expressions::{INTS, TEXTS};
use super::*;

/// Exceptions, those of subclasses first.
const CAUGHT: [&str; 16] = [
    "ArrayIndexOutOfBoundsException",
    "IndexOutOfBoundsException",
    "ArithmeticException",
    "ClassCastException",
    "NegativeArraySizeException",
    "NullPointerException",
    "ArrayStoreException",
    "E2",
    "E1",
    "IllegalStateException",
    "java.util.NoSuchElementException",
    "RuntimeException",
    "NoClassDefFoundError",
    "ExceptionInInitializerError",
    "Error",
    "Throwable",
];

impl Writer {
    pub(super) fn block(&mut self, count: usize) {
        let visible = self.scope.len();
        self.nesting += 1;
        for _ in 0..count {
            self.statement();
        }
        self.nesting -= 1;
        self.scope.truncate(visible);
    }

    pub(super) fn small_block(&mut self) {
        let count = if self.budget == 0 { 1 } else { 1 + self.below(4) };
        self.block(count);
    }

    pub(super) fn statement(&mut self) {
        let nested = self.nesting < 5 && self.budget > 0;
        self.budget = self.budget.saturating_sub(1);
        match self.below(46) {
            0..=3 => self.declaration(),
            4..=9 => self.assignment(),
            10..=12 => self.permutation(),
            13..=14 => {
                let of = self.random.one_of(&PRIMITIVES);
                let value = self.primitive(of, 3);
                self.line(&format!("mix({value});"));
            }
            15..=17 if nested => {
                let condition = self.condition(2);
                self.open(&format!("if ({condition})"));
                self.small_block();
                if self.once_in(2) {
                    self.next("else");
                    self.small_block();
                }
                self.close();
            }
            18..=22 if nested => self.repetition(),
            23..=24 => self.exit(),
            25..=27 if nested => self.choice(),
            28..=32 if nested => self.attempt(),
            33 if nested => self.resources(),
            34..=36 => self.store(),
            37 => self.collection(),
            38 => self.garbage(),
            39 => self.function(),
            40 if nested => self.local_class(),
            41 => {
                let any = self.any(2);
                self.line(&format!("mix({any});"));
            }
            42 if nested => {
                let label = self.fresh("b");
                self.open(&format!("{label}:"));
                self.place.labels.push((label, false));
                self.small_block();
                self.place.labels.pop();
                self.close();
            }
            43 => self.builder(),
            44 if nested => {
                self.open("synchronized (LOCK)");
                self.small_block();
                self.close();
            }
            _ => self.assignment(),
        }
    }

    pub(super) fn type_of_variable(&mut self) -> Type {
        match self.below(20) {
            0..=10 => Type::Of(self.random.one_of(&USUAL)),
            11..=13 => Type::Array(self.random.one_of(&USUAL)),
            14 => Type::Grid,
            15 => Type::Objects,
            16 => Type::Text,
            17 => Type::Boxed,
            18 => Type::Node,
            _ => Type::Any,
        }
    }

    pub(super) fn declaration(&mut self) {
        let of = self.type_of_variable();
        let value = self.value(of, 3);
        let name = self.fresh("v");
        let (access, word) = match self.below(4) {
            0 => (Access::Capture, "final "),
            _ => (Access::Assign, ""),
        };
        self.line(&format!("{word}{} {name} = {value};", of.name()));
        self.declare(&name, of, access);
    }

    pub(super) fn assignment(&mut self) {
        let found = self.variable_where(|variable| variable.access == Access::Assign);
        let Some(name) = found else { return self.declaration() };
        let Some(of) = self.scope.iter().find(|variable| variable.name == name).map(|v| v.of)
        else {
            return;
        };
        match of {
            Type::Of(primitive) if self.once_in(2) => {
                let (operator, operand) = (self.compound(primitive), self.operand(primitive, 3));
                self.line(&format!("{name} {operator} {operand};"));
            }
            Type::Of(primitive) if primitive != Boolean && self.once_in(4) => {
                let operator = self.pick(&["++", "--"]);
                self.line(&format!("{name}{operator};"));
            }
            Type::Text if self.once_in(2) => {
                let shown = self.shown(2);
                self.line(&format!("if (text({name}).length() < 50) {name} += {shown};"));
            }
            _ => {
                let value = self.value(of, 3);
                self.line(&format!("{name} = {value};"));
            }
        }
    }

    /// Assigns variables of one type to one another.
    pub(super) fn permutation(&mut self) {
        let of = self.type_of_variable();
        let mut names: Vec<String> = self
            .scope
            .iter()
            .filter(|variable| variable.of == of && variable.access == Access::Assign)
            .map(|variable| variable.name.clone())
            .collect();
        while names.len() > 2 + self.below(5) {
            let gone = self.below(names.len());
            names.remove(gone);
        }
        if names.len() < 2 {
            return self.declaration();
        }
        for at in (1..names.len()).rev() {
            let other = self.below(at + 1);
            names.swap(at, other);
        }
        match (self.below(3), of) {
            (0, Type::Of(primitive)) if primitive.is_integral() => {
                // Chained, with what was read before.
                let (first, second) = (&names[0], &names[1]);
                let name = primitive.name();
                self.line(&format!(
                    "{first} = ({name}) ({first} + {second} - ({second} = {first}));"
                ));
            }
            (1, _) => {
                for pair in names.windows(2) {
                    self.line(&format!("{} = {};", pair[0], pair[1]));
                }
            }
            _ => {
                let kept = self.fresh("t");
                self.line(&format!("{} {kept} = {};", of.name(), names[0]));
                for pair in names.windows(2) {
                    self.line(&format!("{} = {};", pair[0], pair[1]));
                }
                self.line(&format!("{} = {kept};", names[names.len() - 1]));
            }
        }
    }

    pub(super) fn repetition(&mut self) {
        let (label, counter) = (self.fresh("loop"), self.fresh("i"));
        let visible = self.scope.len();
        let trips = 2 + self.below(5);
        self.place.labels.push((label.clone(), true));
        match self.below(6) {
            0 => {
                self.line(&format!("int {counter} = {trips};"));
                self.declare(&counter, Type::Of(Int), Access::Read);
                let condition = self.condition(2);
                self.open(&format!("{label}: while ({counter}-- > 0 && {condition})"));
                self.small_block();
                self.close();
            }
            1 => {
                self.line(&format!("int {counter} = 0;"));
                self.declare(&counter, Type::Of(Int), Access::Read);
                self.open(&format!("{label}: do"));
                self.small_block();
                self.close_with(&format!("}} while (++{counter} < {trips});"));
            }
            2 => {
                let of = self.random.one_of(&PRIMITIVES);
                let array = self.array_place(of, 1);
                self.open(&format!("{label}: for ({} {counter} : {array})", of.name()));
                self.declare(&counter, Type::Of(of), Access::Assign);
                self.line("if (--fuel < 0) break;");
                self.small_block();
                self.close();
            }
            3 => {
                let other = self.fresh("j");
                self.open(&format!(
                    "{label}: for (int {counter} = 0, {other} = {trips}; {counter} < {other}; \
                     {counter}++, {other}--)"
                ));
                self.declare(&counter, Type::Of(Int), Access::Read);
                self.declare(&other, Type::Of(Int), Access::Read);
                self.small_block();
                self.close();
            }
            _ => {
                self.open(&format!(
                    "{label}: for (int {counter} = 0; {counter} < {trips}; {counter}++)"
                ));
                self.declare(&counter, Type::Of(Int), Access::Read);
                self.small_block();
                if self.once_in(3) {
                    self.permutation();
                }
                self.close();
            }
        }
        self.place.labels.pop();
        self.scope.truncate(visible);
    }

    /// A conditional end of the block, of one around it, or of the method.
    pub(super) fn exit(&mut self) {
        let condition = self.condition(2);
        let labels = self.place.labels.clone();
        let chosen = labels.get(self.below(labels.len()));
        let exit = match (self.below(8), chosen) {
            (0..=2, Some((label, _))) => format!("break {label};"),
            (3..=5, Some((label, true))) => format!("continue {label};"),
            (6, _) if let Some(result) = self.place.result => {
                format!("return {};", self.primitive(result, 2))
            }
            _ => format!("throw {};", self.exception()),
        };
        self.line(&format!("if ({condition}) {exit}"));
    }

    pub(super) fn exception(&mut self) -> String {
        let class =
            self.pick(&["E1", "E2", "E1", "IllegalStateException", "Error", "RuntimeException"]);
        let text = self.text(1);
        format!("new {class}({text})")
    }

    pub(super) fn choice(&mut self) {
        let count = 2 + self.below(5);
        let label = self.fresh("s");
        let kind = self.below(5);
        let selector = match kind {
            0 => format!("({}) & 7", self.primitive(Int, 2)),
            1 => self.primitive(Int, 2),
            2 => format!("text({})", self.text(2)),
            3 => format!("(int) ({})", self.primitive(Long, 2)),
            _ => format!("Color.values()[({}) & 3]", self.primitive(Int, 2)),
        };
        self.open(&format!("{label}: switch ({selector})"));
        self.place.labels.push((label.clone(), false));
        let mut cases: Vec<String> = match kind {
            0 => (0..8).map(|case| case.to_string()).collect(),
            2 => {
                TEXTS.iter().filter(|text| **text != "null").map(|text| text.to_string()).collect()
            }
            4 => ["RED", "GREEN", "BLUE", "GREY"].map(str::to_owned).to_vec(),
            _ => INTS.map(str::to_owned).to_vec(),
        };
        let default = self.below(count + 2);
        for number in 0..count {
            if number == default {
                self.line("default:");
            } else if !cases.is_empty() {
                let case = self.below(cases.len());
                let case = cases.swap_remove(case);
                self.line(&format!("case {case}:"));
            } else {
                continue;
            }
            self.indent += 1;
            self.open("");
            self.small_block();
            self.close();
            if !self.once_in(3) {
                self.line("break;");
            }
            self.indent -= 1;
        }
        self.place.labels.pop();
        self.close();
    }

    pub(super) fn attempt(&mut self) {
        self.open("try");
        self.small_block();
        if self.once_in(3) {
            let exception = self.exception();
            let condition = self.condition(1);
            self.line(&format!("if ({condition}) throw {exception};"));
        }
        let mut first = self.below(CAUGHT.len());
        let mut has_handler = false;
        while first < CAUGHT.len() && (!has_handler || self.once_in(2)) {
            has_handler = true;
            let name = self.fresh("e");
            let class = CAUGHT[first];
            self.next(&format!("catch ({class} {name})"));
            self.line(&format!("note({name});"));
            self.small_block();
            match self.below(8) {
                0 => self.line(&format!("if (fuel > 0) throw {name};").replace(
                    &format!("throw {name}"),
                    &if matches!(class, "Throwable") {
                        format!("throw new E1({name}.getClass().getName(), {name})")
                    } else {
                        format!("throw {name}")
                    },
                )),
                1 => self.exit(),
                _ => {}
            }
            first += 1 + self.below(4);
        }
        if !has_handler || self.once_in(3) {
            self.next("finally");
            self.small_block();
            if self.once_in(3) {
                self.exit();
            }
        }
        self.close();
    }

    pub(super) fn resources(&mut self) {
        let (first, second) = (self.fresh("r"), self.fresh("r"));
        let number = self.primitive(Int, 2);
        let other = self.primitive(Int, 2);
        let all = match self.below(3) {
            0 => format!("Res {first} = new Res({number})"),
            1 => format!("Res {first} = null"),
            _ => format!("Res {first} = new Res({number}); Res {second} = new Res({other})"),
        };
        self.open(&format!("try ({all})"));
        self.line(&format!("mix({first} == null);"));
        self.small_block();
        let name = self.fresh("e");
        let class = self.pick(&["RuntimeException", "E1", "Throwable"]);
        self.next(&format!("catch ({class} {name})"));
        self.line(&format!("note({name});"));
        self.close();
    }

    pub(super) fn store(&mut self) {
        let of = self.random.one_of(&USUAL);
        match self.below(12) {
            0..=3 => {
                let (array, index) = (self.array_place(of, 1), self.index(2));
                if array.starts_with("(new") {
                    return self.assignment();
                }
                if self.once_in(2) {
                    let value = self.primitive(of, 3);
                    self.line(&format!("{array}[{index}] = {value};"));
                } else {
                    let (operator, operand) = (self.compound(of), self.operand(of, 2));
                    self.line(&format!("{array}[{index}] {operator} {operand};"));
                }
            }
            4 | 5 => {
                let field = of.field();
                let (operator, operand) = (self.compound(of), self.operand(of, 3));
                self.line(&format!("{field} {operator} {operand};"));
            }
            6 | 7 => {
                let node = self.node_place(2);
                let value = self.primitive(of, 3);
                self.line(&format!("{node}.{} = {value};", of.member()));
            }
            8 => {
                let (node, next) = (self.node_place(1), self.node(2));
                self.line(&format!("{node}.next = {next};"));
            }
            9 => {
                let (objects, index, any) = (self.objects_place(), self.index(2), self.any(2));
                self.line(&format!("{objects}[{index}] = {any};"));
            }
            10 => {
                let grid = self.variable(Type::Grid);
                let Some(grid) = grid else { return self.declaration() };
                let (first, second) = (self.index(1), self.index(1));
                if self.once_in(3) {
                    let array = self.array(Int, 1);
                    self.line(&format!("{grid}[{first}] = {array};"));
                } else {
                    let value = self.primitive(Int, 2);
                    self.line(&format!("{grid}[{first}][{second}] += {value};"));
                }
            }
            _ => {
                let (from, to) = (self.array_place(of, 0), self.array_place(of, 0));
                let (start, end) = (self.index(1), self.index(1));
                self.line(&format!("System.arraycopy({from}, {start}, {to}, {end}, {end});"));
            }
        }
    }

    pub(super) fn collection(&mut self) {
        let any = self.any(2);
        let index = self.primitive(Int, 1);
        let line = match self.below(9) {
            0 => format!("list.add({any});"),
            1 => format!("mix(list.get(({index}) & 3));"),
            2 => format!("if (!list.isEmpty()) list.remove(({index}) % list.size());"),
            3 => format!("map.put(({index}) & 7, {any});"),
            4 => format!("mix(map.remove({}));", self.boxed(1)),
            5 => format!("queue.addLast((Object) {any});"),
            6 => "mix(queue.pollFirst());".to_owned(),
            7 => "for (Object o : list) { mix(o); }".to_owned(),
            _ => {
                "for (Map.Entry<Object, Object> o : map.entrySet()) { mix(o.getKey()); }".to_owned()
            }
        };
        self.line(&line);
    }

    /// Objects that are soon forgotten, and some that are not.
    pub(super) fn garbage(&mut self) {
        let (name, counter) = (self.fresh("g"), self.fresh("i"));
        let kept = self.pick(&["so", "sa[3]", "sn"]);
        let made = match kept.as_str() {
            "sn" => format!("new Left({counter})"),
            "so" => format!("new int[] {{{counter}, si}}"),
            _ => format!("\"g\" + {counter}"),
        };
        let count = 20 + self.below(60);
        self.line(&format!("Object[] {name} = new Object[{count}];"));
        self.open(&format!("for (int {counter} = 0; {counter} < {count}; {counter}++)"));
        self.line(&format!("{name}[{counter}] = {counter} % 3 == 0 ? new long[8] : {made};"));
        self.close();
        let at = self.below(count);
        self.line(&format!("mix({name}[{at}]);"));
        if !kept.contains('n') {
            self.line(&format!("{kept} = {name}[{at}];"));
        }
    }

    pub(super) fn function(&mut self) {
        let name = self.fresh("f");
        let lambda = self.lambda(3);
        self.line(&format!("Op {name} = {lambda};"));
        let (left, right) = (self.primitive(Long, 2), self.primitive(Long, 2));
        match self.below(4) {
            0 => {
                let other = self.lambda(2);
                self.line(&format!("mix({name}.then({other}).apply({left}, {right}));"));
            }
            1 => self.line(&format!("OPS[si & 3] = {name};")),
            2 => {
                let supplier = self.fresh("f");
                let scope = self.scope.clone();
                self.scope.retain(|variable| variable.access == Access::Capture);
                let any = self.any(2);
                self.scope = scope;
                self.line(&format!("Supplier<Object> {supplier} = () -> {any};"));
                self.line(&format!("mix({supplier}.get());"));
            }
            _ => self.line(&format!("mix({name}.apply({left}, {right}));")),
        }
    }

    /// A class within the method that uses its variables.
    pub(super) fn local_class(&mut self) {
        let name = self.fresh("Local");
        let field = self.fresh("w");
        self.line(&format!("class {name} extends Left {{"));
        self.indent += 1;
        let (scope, place) = (self.scope.clone(), std::mem::take(&mut self.place));
        self.scope.retain(|variable| variable.access == Access::Capture);
        self.place.is_instance = true;
        let value = self.primitive(Long, 2);
        self.line(&format!("long {field} = {value};"));
        self.line(&format!("{name}() {{ super(3); {field}++; }}"));
        self.line("@Override public long area(int k) {");
        self.indent += 1;
        self.line("if (--fuel < 0) throw new IllegalStateException(\"fuel\");");
        self.declare("k", Type::Of(Int), Access::Assign);
        self.declare(&field, Type::Of(Long), Access::Assign);
        self.place.result = Some(Long);
        self.small_block();
        let value = self.primitive(Long, 2);
        self.line(&format!("return {value} + super.area(k) + {field};"));
        self.close();
        self.close();
        self.place = place;
        self.scope = scope;
        let object = self.fresh("v");
        self.line(&format!("Base {object} = new {name}();"));
        self.line(&format!("mix({object}.twice(2));"));
        self.declare(&object, Type::Node, Access::Assign);
    }

    pub(super) fn builder(&mut self) {
        let name = self.fresh("sb");
        self.line(&format!("StringBuilder {name} = new StringBuilder();"));
        for _ in 0..1 + self.below(3) {
            let shown = self.shown(2);
            self.line(&format!("{name}.append({shown});"));
        }
        match self.below(4) {
            0 => self.line(&format!("{name}.insert(si & 3, si);")),
            1 => self.line(&format!("{name}.setLength(si & 7);")),
            2 => self.line(&format!("{name}.deleteCharAt(sb & 3);")),
            _ => {}
        }
        self.line(&format!("mix({name}.toString());"));
    }
}
