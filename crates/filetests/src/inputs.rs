//! Arguments for calls: edge values, and random values that follow from a seed.
//!
//! Numbers are drawn where mistakes are: uniform bits seldom hit a boundary, and small numbers never
//! hit a carry, so that each draw first chooses between such kinds. Texts are drawn from what
//! libraries parse, and then changed a little.

use petrel_classfile::{JavaString, JavaType, MethodDescriptor};
use petrel_value::{Heap, Object, Value, unboxed};

use crate::sample::Random;

/// Arrays of arrays of arrays say nothing that arrays of arrays do not.
const MOST_DIMENSIONS: usize = 2;

/// The floating-point numbers that are unlike others, as doubles.
const REALS: [f64; 20] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MIN_POSITIVE,
    -4.9e-324,
    f64::MAX,
    2.0,
    10.0,
    0.5,
    -2.5,
    1e-3,
    1e7,
    0.1,
    2_147_483_648.0,
    -9.223_372_036_854_776e18,
    1e23,
];

/// The same for floats.
const SMALL_REALS: [f32; 17] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MIN_POSITIVE,
    -1.4e-45,
    f32::MAX,
    2.0,
    10.0,
    0.5,
    -2.5,
    1e-3,
    1e7,
    2_147_483_648.0,
];

/// What libraries parse, split, escape and compare. Halves of surrogate pairs are added to these.
const TEXTS: [&str; 56] = [
    "",
    "a",
    " ",
    "0",
    "-1",
    "42",
    "abc",
    "ABC",
    "aBc dEf",
    "1.5",
    "-0.0",
    "1e10",
    "1.5E-3f",
    "0x1F",
    "#ff",
    "017",
    "2147483648",
    "-9223372036854775808",
    "12345678901234567890",
    "+7L",
    "NaN",
    "true",
    "off",
    "null",
    "java.lang.String",
    "[I",
    "a.b.C$D",
    "a,b,,c",
    "  padded\t\n",
    "aaaa",
    "ab ab ab",
    "one two  three",
    "camelCaseName",
    "snake_case_name",
    "-kebab-",
    "<p class=\"x\">a &amp; b</p>",
    "a<b>c&d;'\"",
    "&lt;&eacute;&#65;&#x41;",
    "http://example.org:80/a/b?c=d&e=%20#f",
    "/usr/lib/../x.tar.gz",
    "C:\\dir\\file.txt",
    "%d %s %5.2f%n",
    "${name} $1 \\1",
    "[a-z]+(x|y)*",
    "2020-02-29",
    "2001-02-03T04:05:06.789+01:00",
    "P1Y2M3DT4H5M6.7S",
    "en_US",
    "UTF-8",
    "\u{e9}\u{c9}\u{df}\u{130}\u{131}",
    "\u{3a3}\u{3c3}\u{3c2}",
    "\u{1f600}a\u{10ffff}",
    "e\u{301}\u{fb01}",
    "\u{0}\u{7f}\u{80}\u{ff}\u{100}\u{ffff}",
    "\u{a0}\u{2003}\u{feff}",
    "\u{5d0}\u{661}\u{967}\u{4e00}",
];

/// Whether there are arguments of this type.
pub fn has_values(java_type: &JavaType) -> bool {
    match java_type {
        JavaType::Object(name) => matches!(
            &**name,
            "java/lang/String"
                | "java/lang/CharSequence"
                | "java/lang/Object"
                | "java/lang/Number"
                | "java/lang/Comparable"
                | "java/lang/Boolean"
                | "java/lang/Byte"
                | "java/lang/Short"
                | "java/lang/Character"
                | "java/lang/Integer"
                | "java/lang/Long"
                | "java/lang/Float"
                | "java/lang/Double"
        ),
        JavaType::Array(_) => {
            let (dimensions, element) = element_type(java_type);
            dimensions <= MOST_DIMENSIONS && has_values(element)
        }
        _ => true,
    }
}

/// Whether a method with this descriptor can be called with such arguments.
pub fn is_callable(descriptor: &MethodDescriptor) -> bool {
    descriptor.parameters.iter().all(has_values)
}

fn element_type(java_type: &JavaType) -> (usize, &JavaType) {
    match java_type {
        JavaType::Array(component) => {
            let (dimensions, element) = element_type(component);
            (dimensions + 1, element)
        }
        _ => (0, java_type),
    }
}

/// The edge values of a type, made in a heap. Every type that has values has some.
pub fn edges(java_type: &JavaType, heap: &mut Heap) -> Vec<Value> {
    match java_type {
        JavaType::Boolean => vec![Value::Boolean(false), Value::Boolean(true)],
        JavaType::Byte => [0, 1, -1, i8::MIN, i8::MAX, 2, 10].map(Value::Byte).into(),
        JavaType::Short => [0, 1, -1, i16::MIN, i16::MAX, 2, 10].map(Value::Short).into(),
        JavaType::Char => {
            let units = [b'a'.into(), 0, b'0'.into(), b'Z'.into(), b' '.into()];
            let wide = [0x7f, 0xe9, 0x130, 0xd83d, 0xde00, 0xffff];
            units.into_iter().chain(wide).map(Value::Char).collect()
        }
        JavaType::Int => [0, 1, -1, i32::MIN, i32::MAX, 2, 10, 3, 100].map(Value::Int).into(),
        JavaType::Long => {
            let big = [i64::MIN, i64::MAX, 1 << 32, -(1 << 31)];
            [0, 1, -1, 2, 10].into_iter().chain(big).map(Value::Long).collect()
        }
        JavaType::Float => SMALL_REALS.map(Value::float).into(),
        JavaType::Double => REALS.map(Value::double).into(),
        JavaType::Object(class) => match unboxed(class) {
            Some(primitive) => {
                let mut values = edges(&primitive, heap);
                values.truncate(6);
                let boxed = values.into_iter().map(|value| heap.add(Object::Boxed(value)));
                std::iter::once(Value::Null).chain(boxed).collect()
            }
            None => object_edges(class, heap),
        },
        JavaType::Array(component) => {
            let mut elements = edges(component, heap);
            elements.truncate(5);
            let mut arrays = vec![Value::Null];
            let tail = elements.iter().rev().take(2).copied().collect();
            let single = elements.iter().take(1).copied().collect();
            let twice = elements.iter().chain(&elements).copied().collect();
            for contents in [Vec::new(), single, tail, elements.clone(), twice] {
                arrays.push(heap.add_array((**component).clone(), contents));
            }
            arrays
        }
    }
}

fn object_edges(class: &str, heap: &mut Heap) -> Vec<Value> {
    let mut values = vec![Value::Null];
    if class != "java/lang/Number" {
        let texts = ["", "a", "abc", "12", "-7", "A b", "\u{e9}\u{1f600}"];
        values.extend(texts.map(|text| heap.add_string(text)));
        values.push(heap.add(Object::String(JavaString(vec![0xd83d, b'x'.into()].into()))));
    }
    if matches!(class, "java/lang/Object" | "java/lang/Number" | "java/lang/Comparable") {
        for value in [Value::Int(0), Value::Int(1000), Value::Long(-1), Value::double(0.5)] {
            values.push(heap.add(Object::Boxed(value)));
        }
    }
    if class == "java/lang/Object" {
        values.push(heap.add_array(JavaType::Int, vec![Value::Int(1), Value::Int(2)]));
    }
    values
}

/// At most `most` lists of arguments, made of edge values: all combinations if these are few enough,
/// else each value of each parameter at least once as far as that goes, and random combinations.
pub fn edge_combinations(
    parameters: &[JavaType],
    most: usize,
    random: &mut Random,
) -> Vec<(Vec<Value>, Heap)> {
    let mut heap = Heap::new();
    let choices: Vec<Vec<Value>> =
        parameters.iter().map(|java_type| edges(java_type, &mut heap)).collect();
    let all = choices.iter().fold(1_usize, |count, of_one| count.saturating_mul(of_one.len()));
    let mut lists = Vec::new();
    if all <= most {
        for number in 0..all {
            let mut rest = number;
            let pick = |of_one: &Vec<Value>| {
                let value = of_one[rest % of_one.len()];
                rest /= of_one.len();
                value
            };
            lists.push(choices.iter().map(pick).collect::<Vec<Value>>());
        }
    } else {
        for number in 0..most {
            let longest = choices.iter().map(Vec::len).max().unwrap_or_default();
            let pick = |of_one: &Vec<Value>| {
                // All of them in step first, so that none is left out.
                let in_step = of_one.get(number).filter(|_| number < longest);
                in_step.copied().unwrap_or_else(|| random.one_of(of_one))
            };
            lists.push(choices.iter().map(pick).collect());
        }
    }
    let alone = |arguments: Vec<Value>| {
        let mut own = Heap::new();
        let arguments = arguments.iter().map(|&value| copied(&heap, value, &mut own)).collect();
        (arguments, own)
    };
    lists.into_iter().map(alone).collect()
}

/// A value with what it refers to, in another heap. There are no cycles here.
fn copied(from: &Heap, value: Value, to: &mut Heap) -> Value {
    match from.get(value) {
        None => value,
        Some(Object::Array { component, elements }) => {
            let elements = elements.iter().map(|&element| copied(from, element, to)).collect();
            to.add_array(component.clone(), elements)
        }
        Some(object) => to.add(object.clone()),
    }
}

/// Draws values.
pub struct Inputs {
    random: Random,
}

impl Inputs {
    /// The values that follow from a seed.
    pub fn new(seed: u64) -> Inputs {
        Inputs { random: Random::new(seed) }
    }

    /// Arguments for parameters of types that have values.
    pub fn arguments(&mut self, parameters: &[JavaType]) -> (Vec<Value>, Heap) {
        let mut heap = Heap::new();
        let values = parameters.iter().map(|java_type| self.value(java_type, &mut heap)).collect();
        (values, heap)
    }

    /// Arguments for a numeric instruction: any bits, not only numbers that code likes.
    pub fn operands(&mut self, parameters: &[JavaType]) -> Vec<Value> {
        parameters.iter().map(|java_type| self.operand(java_type)).collect()
    }

    fn operand(&mut self, java_type: &JavaType) -> Value {
        match java_type {
            JavaType::Float if self.random.below(3) != 0 => Value::Float(self.float_bits()),
            JavaType::Double if self.random.below(3) != 0 => Value::Double(self.double_bits()),
            JavaType::Boolean => Value::Boolean(self.random.below(2) == 1),
            JavaType::Byte => Value::Byte(self.integer() as i8),
            JavaType::Short => Value::Short(self.integer() as i16),
            JavaType::Char => Value::Char(self.integer() as u16),
            JavaType::Int => Value::Int(self.wide_integer(32) as i32),
            JavaType::Long => Value::Long(self.wide_integer(64)),
            JavaType::Float => Value::float(self.random.one_of(&SMALL_REALS)),
            _ => Value::double(self.random.one_of(&REALS)),
        }
    }

    /// A number, or its first bits: uniform, small, or around a power of two.
    fn wide_integer(&mut self, bits: u32) -> i64 {
        let near = self.random.below(3) as i64 - 1;
        match self.random.below(4) {
            0 => self.random.number() as i64,
            1 => self.random.below(41) as i64 - 20,
            2 => {
                let power = 1_i64.wrapping_shl(self.random.below(bits as usize) as u32);
                let power = power.wrapping_add(near);
                if self.random.below(2) == 0 { power } else { power.wrapping_neg() }
            }
            // Numbers of all lengths.
            _ => (self.random.number() as i64) >> self.random.below(bits as usize),
        }
    }

    fn integer(&mut self) -> i64 {
        self.wide_integer(16)
    }

    fn float_bits(&mut self) -> u32 {
        match self.random.below(4) {
            0 => self.random.number() as u32,
            1 => (self.wide_integer(32) as f32).to_bits(),
            2 => self.random.one_of(&SMALL_REALS).to_bits().wrapping_add(self.below(3)),
            // Exponents where nothing overflows.
            _ => (self.random.number() as u32 & 0x807f_ffff) | ((110 + self.below(34)) << 23),
        }
    }

    fn double_bits(&mut self) -> u64 {
        match self.random.below(4) {
            0 => self.random.number(),
            1 => (self.wide_integer(64) as f64).to_bits(),
            2 => self.random.one_of(&REALS).to_bits().wrapping_add(self.random.below(3) as u64),
            _ => {
                let exponent = u64::from(1000 + self.below(46)) << 52;
                (self.random.number() & 0x800f_ffff_ffff_ffff) | exponent
            }
        }
    }

    fn below(&mut self, limit: u32) -> u32 {
        self.random.below(limit as usize) as u32
    }

    /// A value of a type that has values.
    pub fn value(&mut self, java_type: &JavaType, heap: &mut Heap) -> Value {
        match java_type {
            JavaType::Boolean => Value::Boolean(self.random.below(2) == 1),
            JavaType::Byte => Value::Byte(self.some_integer() as i8),
            JavaType::Short => Value::Short(self.some_integer() as i16),
            JavaType::Char => Value::Char(self.unit()),
            JavaType::Int => Value::Int(self.some_integer() as i32),
            JavaType::Long => Value::Long(self.some_integer()),
            JavaType::Float => match self.random.below(3) {
                0 => Value::float(self.random.one_of(&SMALL_REALS)),
                1 => Value::float(self.some_integer() as f32 / 8.0),
                _ => Value::Float(self.float_bits()),
            },
            JavaType::Double => match self.random.below(3) {
                0 => Value::double(self.random.one_of(&REALS)),
                1 => Value::double(self.some_integer() as f64 / 8.0),
                _ => Value::Double(self.double_bits()),
            },
            JavaType::Object(class) => {
                if self.random.below(12) == 0 {
                    return Value::Null;
                }
                match unboxed(class) {
                    Some(primitive) => {
                        let value = self.value(&primitive, heap);
                        heap.add(Object::Boxed(value))
                    }
                    None => self.object(class, heap),
                }
            }
            JavaType::Array(component) => {
                if self.random.below(12) == 0 {
                    return Value::Null;
                }
                let length = self.random.one_of(&[0, 1, 1, 2, 2, 3, 4, 5, 8, 17]);
                let elements = (0..length).map(|_| self.value(component, heap)).collect();
                heap.add_array((**component).clone(), elements)
            }
        }
    }

    /// Mostly small: most numbers are counts, indices and sizes.
    fn some_integer(&mut self) -> i64 {
        match self.random.below(16) {
            0 => self.wide_integer(64),
            1 => self.wide_integer(32),
            2 => {
                self.random.one_of(&[i64::from(i32::MIN), i64::from(i32::MAX), i64::MIN, i64::MAX])
            }
            3..6 => self.random.below(400) as i64 - 100,
            _ => self.random.below(14) as i64 - 2,
        }
    }

    fn object(&mut self, class: &str, heap: &mut Heap) -> Value {
        let boxes = [JavaType::Int, JavaType::Long, JavaType::Double, JavaType::Byte];
        let is_boxed = match class {
            "java/lang/Number" => true,
            "java/lang/Object" | "java/lang/Comparable" => self.random.below(2) == 0,
            _ => false,
        };
        if is_boxed {
            let kind = self.random.below(boxes.len());
            let value = self.value(&boxes[kind], heap);
            return heap.add(Object::Boxed(value));
        }
        if class == "java/lang/Object" && self.random.below(4) == 0 {
            let component = &boxes[self.random.below(boxes.len())];
            return self.value(&JavaType::Array(Box::new(component.clone())), heap);
        }
        let units = self.text();
        heap.add(Object::String(JavaString(units.into())))
    }

    fn unit(&mut self) -> u16 {
        match self.random.below(8) {
            0 => self.random.number() as u16,
            1 => self.random.one_of(&[0, 0x7f, 0xe9, 0x130, 0xd83d, 0xde00, 0xffff, 0x2003]),
            _ => b' ' as u16 + self.random.below(95) as u16,
        }
    }

    fn text(&mut self) -> Vec<u16> {
        let mut units: Vec<u16> = match self.random.below(6) {
            0 => (0..self.random.below(9)).map(|_| self.unit()).collect(),
            1 => self.some_integer().to_string().encode_utf16().collect(),
            // From a small alphabet, so that things occur in one another.
            2 => (0..self.random.below(7))
                .map(|_| b'a' as u16 + self.random.below(3) as u16)
                .collect(),
            _ => self.random.one_of(&TEXTS).encode_utf16().collect(),
        };
        if self.random.below(4) == 0 {
            let at = self.random.below(units.len() + 1);
            match self.random.below(3) {
                0 => units.insert(at, self.unit()),
                1 if at < units.len() => drop(units.remove(at)),
                _ => units.extend_from_within(..at),
            }
        }
        units
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn types(descriptor: &str) -> Vec<JavaType> {
        MethodDescriptor::parse(descriptor).expect("it is one").parameters
    }

    #[test]
    fn few_combinations_are_all_there() {
        let lists = edge_combinations(&types("(ZZZ)V"), 30, &mut Random::new(1));
        assert_eq!(lists.len(), 8);
        let lists = edge_combinations(&types("()V"), 30, &mut Random::new(1));
        assert_eq!(lists.len(), 1);
    }

    #[test]
    fn many_combinations_have_each_edge() {
        let lists = edge_combinations(&types("(II)V"), 30, &mut Random::new(1));
        assert_eq!(lists.len(), 30);
        for edge in edges(&JavaType::Int, &mut Heap::new()) {
            assert!(lists.iter().any(|(arguments, _)| arguments[1] == edge), "{edge:?}");
        }
    }

    #[test]
    fn inputs_follow_from_the_seed() {
        let parameters = types("(IJFDLjava/lang/String;[[CLjava/lang/Object;)V");
        let draw = |seed| Inputs::new(seed).arguments(&parameters);
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
    }
}
