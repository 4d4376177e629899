//! Names of tests: what is called, what happens, and when: `lcmReturns0WhenBIs0AndAIsNot0`.

use petrel_clp::{Comparison, Conversion, Operation};
use petrel_expression::{Expression, Node, Number};
use petrel_program::ResolvedMethod;
use petrel_testcase::{Outcome, Solution};
use petrel_value::{Object, Value};

use crate::body::simple_name;
use crate::condition::{self, is_receiver};
use crate::types::{MethodTypes, Type};
use crate::visible::is_identifier;
use crate::{Kind, Test};

/// Longer names say less.
const MOST: usize = 80;
/// So many of the last constraints are told, and more only where that tells tests apart.
const MOST_CONDITIONS: usize = 2;
const MOST_CONDITIONS_IF_NEEDED: usize = 4;
/// Constraints on what lies deeper inside of objects are told only if there are no others.
const MOST_STEPS: usize = 2;

/// The name of a test, which follows from the test alone. Others may have it, too.
pub(crate) fn name(test: &Test<'_>) -> String {
    with_conditions(&what(test, ""), &told(condition::of(test)), MOST_CONDITIONS)
}

/// Names for a test, the best first, where methods of the same name have tests that would be named alike.
pub(crate) fn names(test: &Test<'_>, overloads: &[&ResolvedMethod]) -> Vec<String> {
    let what = what(test, &distinction(test.method, overloads));
    let conditions = told(condition::of(test));
    let numbers = MOST_CONDITIONS..=MOST_CONDITIONS_IF_NEEDED.min(conditions.len()).max(2);
    numbers.map(|most| with_conditions(&what, &conditions, most)).collect()
}

/// The constraints that names tell, the last first.
fn told(condition: Vec<Expression>) -> Vec<String> {
    let is_near = |test: &Expression| n_steps(test) <= MOST_STEPS;
    let (near, far): (Vec<_>, Vec<_>) = condition.into_iter().rev().partition(is_near);
    let in_words =
        |tests: Vec<Expression>| -> Vec<String> { tests.iter().filter_map(words).collect() };
    let near = in_words(near);
    if near.is_empty() { in_words(far) } else { near }
}

/// How many steps a constraint takes into objects; fields of the receiver are no steps away.
fn n_steps(constraint: &Expression) -> usize {
    let own = match constraint.node() {
        Node::Member(of, _) | Node::Call(of, ..) => usize::from(!is_receiver(of)),
        Node::StaticCall(..) | Node::MultiplyAdd(_) => 1,
        Node::IsA(_, class) => class.matches('.').count(),
        _ => 0,
    };
    own + constraint.parts().into_iter().map(n_steps).sum::<usize>()
}

fn with_conditions(what: &str, conditions: &[String], most: usize) -> String {
    let what = if is_taken(what) { format!("{what}IsCalled") } else { what.to_owned() };
    for n in (1..=most.min(conditions.len())).rev() {
        let told: Vec<&str> = conditions[..n].iter().rev().map(String::as_str).collect();
        let name = format!("{what}When{}", told.join("And"));
        if name.len() <= MOST {
            return name;
        }
    }
    what.chars().take(MOST).collect()
}

/// What tells a method from others of its name: the types of the parameters that differ.
fn distinction(method: &ResolvedMethod, overloads: &[&ResolvedMethod]) -> String {
    let parameters = |method: &ResolvedMethod| MethodTypes::erased(method).parameters;
    let own = parameters(method);
    let others: Vec<Vec<Type>> = overloads.iter().map(|other| parameters(other)).collect();
    let others: Vec<&Vec<Type>> = others.iter().filter(|other| **other != own).collect();
    if others.is_empty() {
        return String::new();
    }
    let differs = |at: usize| others.iter().any(|other| other.get(at) != own.get(at));
    let differing = own.iter().enumerate().filter(|(at, _)| differs(*at)).map(|(_, of)| of);
    let mut types: Vec<String> = differing.map(type_words).collect();
    if types.is_empty() {
        types = own.iter().map(type_words).collect();
    }
    match types.is_empty() {
        true => "WithoutArguments".to_owned(),
        false => format!("Of{}", types.join("And")),
    }
}

/// A type as part of a name: `IntArray`.
fn type_words(of: &Type) -> String {
    match of {
        Type::Primitive(primitive) => upper(&petrel_program::external_type(primitive)),
        Type::Array(component) => format!("{}Array", type_words(component)),
        other => camel(simple_name(&other.constant_name().unwrap_or_default())),
    }
}

/// Whether a test of this name would be another method: one that every class has, or one of JUnit's.
fn is_taken(name: &str) -> bool {
    const OF_OBJECT: [&str; 8] =
        ["clone", "finalize", "getClass", "hashCode", "notify", "notifyAll", "toString", "wait"];
    OF_OBJECT.contains(&name) || name.starts_with("assert") || !is_identifier(name)
}

/// The method and the outcome.
fn what(test: &Test<'_>, distinction: &str) -> String {
    let method = test.method;
    let called = if method.is_constructor() {
        format!("new{}", camel(simple_name(method.class().name())))
    } else {
        camel(method.name())
    };
    let called = match test.kind {
        Kind::Ordinary | Kind::Overflow(_) => lower(&called),
        Kind::Defect => format!("defect{}", upper(&called)),
        Kind::WorstCase => format!("worstCaseOf{}", upper(&called)),
    };
    let called = called + distinction;
    let outcome = match &test.case.outcome {
        Outcome::Throw(class) => {
            Some(format!("Throws{}", camel(simple_name(&class.replace('.', "/")))))
        }
        Outcome::Return if method.is_constructor() => None,
        Outcome::Return => result(test).map(|result| format!("Returns{result}")),
    };
    match (test.kind, outcome) {
        (Kind::Overflow(of), None) => format!("{called}Overflows{}", upper(of)),
        (Kind::Overflow(of), Some(outcome)) => {
            format!("{called}Overflows{}And{outcome}", upper(of))
        }
        (_, outcome) => called + &outcome.unwrap_or_default(),
    }
}

/// The result, if it is short enough to be told, and all inputs have the same.
fn result(test: &Test<'_>) -> Option<String> {
    let result = result_of(test.solution)?;
    let others = test.more.iter().map(|(solution, _)| result_of(solution));
    others.into_iter().all(|other| other.as_ref() == Some(&result)).then_some(result)
}

fn result_of(solution: &Solution) -> Option<String> {
    let output = &solution.output;
    if output.unstable_result {
        return None;
    }
    let value = output.value?;
    match output.heap.get(value) {
        Some(Object::String(text)) if text.0.is_empty() => Some("EmptyString".to_owned()),
        Some(Object::String(text)) => few_words(&String::from_utf16_lossy(&text.0)),
        Some(Object::EnumConstant { name, .. }) => Some(camel(name)),
        Some(Object::Boxed(value)) => number(*value),
        Some(_) => None,
        None => number(value),
    }
}

fn number(value: Value) -> Option<String> {
    let of = |value: i64| match value {
        0.. => value.to_string(),
        _ => format!("Minus{}", value.unsigned_abs()),
    };
    Some(match value {
        Value::Null => "Null".to_owned(),
        Value::Boolean(value) => upper(&value.to_string()),
        Value::Byte(value) => of(value.into()),
        Value::Short(value) => of(value.into()),
        Value::Int(value) => of(value.into()),
        Value::Long(value) => of(value),
        Value::Char(unit) => {
            let c = char::from_u32(unit.into()).filter(char::is_ascii_alphanumeric)?;
            c.to_string()
        }
        Value::Float(bits) => real(f32::from_bits(bits).into())?,
        Value::Double(bits) => real(f64::from_bits(bits))?,
        _ => return None,
    })
}

/// A number with few digits: `Minus2Point5`.
fn real(value: f64) -> Option<String> {
    const MOST_DIGITS: usize = 6;
    let text = value.abs().to_string();
    let sign = if value.is_sign_negative() && !value.is_nan() { "Minus" } else { "" };
    let words = match value {
        _ if value.is_nan() => "NaN".to_owned(),
        _ if value.is_infinite() => "Infinity".to_owned(),
        _ if text.len() <= MOST_DIGITS => text.replace('.', "Point"),
        _ => return None,
    };
    Some(format!("{sign}{words}"))
}

/// A text that is a word or a few of them: `NotFound`.
fn few_words(text: &str) -> Option<String> {
    const MOST_CHARACTERS: usize = 24;
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '_' | '-');
    let is_short =
        text.len() <= MOST_CHARACTERS && text.starts_with(|c: char| c.is_ascii_alphabetic());
    (is_short && text.chars().all(is_of_word)).then(|| camel(text))
}

fn upper(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + chars.as_str())
}

fn lower(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_ascii_lowercase().to_string() + chars.as_str())
}

/// A name as part of another: `NOT_FOUND` is `NotFound`.
fn camel(name: &str) -> String {
    let is_constant = !name.chars().any(|c| c.is_ascii_lowercase()) && name.len() > 1;
    let parts = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    let parts: Vec<String> = parts
        .map(|part| if is_constant { upper(&part.to_ascii_lowercase()) } else { upper(part) })
        .collect();
    let name = parts.concat();
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { format!("Of{name}") }
}

/// A constraint in words; `None` if it has no short ones.
fn words(constraint: &Expression) -> Option<String> {
    match constraint.node() {
        Node::Compare(comparison, left, right) => {
            let verb = match comparison {
                Comparison::Equal => "Is",
                Comparison::NotEqual => "IsNot",
                Comparison::LessOrEqual => "IsAtMost",
                Comparison::GreaterOrEqual => "IsAtLeast",
                Comparison::Less => "IsLessThan",
                Comparison::Greater => "IsGreaterThan",
            };
            Some(format!("{}{verb}{}", term(left)?, term(right)?))
        }
        Node::Not(negated) => Some(format!("Not{}", term(negated)?)),
        _ => term(constraint),
    }
}

/// A term in words: names, numbers, calls and the four operations.
fn term(expression: &Expression) -> Option<String> {
    const MOST_WORDS: usize = 6;
    let mut words = Vec::new();
    add_words(expression, &mut words)?;
    words.retain(|word| !word.is_empty());
    (1..=MOST_WORDS).contains(&words.len()).then(|| words.concat())
}

fn add_words(expression: &Expression, words: &mut Vec<String>) -> Option<()> {
    let all = |parts: &[Expression], words: &mut Vec<String>| {
        parts.iter().try_for_each(|part| add_words(part, words))
    };
    match expression.node() {
        Node::Name(name) => add_names(name, words)?,
        Node::Member(of, name) => {
            add_words(of, words)?;
            add_names(name, words)?;
        }
        Node::Element(of, index) => {
            add_words(of, words)?;
            add_words(index, words)?;
        }
        Node::Call(of, method, arguments) => {
            add_words(of, words)?;
            add_names(method, words)?;
            all(arguments, words)?;
        }
        Node::StaticCall(class, method, arguments) => {
            add_names(class, words)?;
            add_names(method, words)?;
            all(arguments, words)?;
        }
        Node::Several(several) => all(several, words)?,
        Node::Concatenation(first, second) => {
            add_words(first, words)?;
            words.push("Plus".to_owned());
            add_words(second, words)?;
        }
        Node::Number(Number::Int(number) | Number::Long(number)) => {
            let sign = if *number < 0 { "Minus" } else { "" };
            words.extend([sign.to_owned(), number.unsigned_abs().to_string()]);
        }
        Node::Null => words.push("Null".to_owned()),
        Node::Boolean(value) => words.push(upper(&value.to_string())),
        Node::Character(unit) => words.push(character(char::from_u32((*unit).into())?)?),
        Node::Text(units) => words.push(short_text(&String::from_utf16_lossy(units))?),
        Node::Apply(operation, first, second) => {
            let (before, between) = operator(*operation)?;
            words.extend(before.map(str::to_owned));
            add_words(first, words)?;
            words.extend(between.map(str::to_owned));
            second.iter().try_for_each(|second| add_words(second, words))?;
        }
        Node::IsA(object, class) => {
            add_words(object, words)?;
            words.extend(["Is".to_owned(), "A".to_owned()]);
            add_names(class, words)?;
        }
        Node::NewObject(number) => words.push(format!("O{number}")),
        Node::SomeNew => words.push("New".to_owned()),
        Node::Class(name) => {
            let (element, is_array) = match name.strip_suffix("[]") {
                Some(element) => (element, true),
                None => (&**name, false),
            };
            add_names(element, words)?;
            words.extend(is_array.then(|| "Array".to_owned()));
            words.push("Class".to_owned());
        }
        Node::Number(_)
        | Node::MultiplyAdd(_)
        | Node::Compare(..)
        | Node::Not(_)
        | Node::Any(_)
        | Node::All(_)
        | Node::Choose(..)
        | Node::Engine(_) => return None,
    }
    Some(())
}

/// Names with dots between them, such as those of classes and of parts of inputs.
fn add_names(names: &str, words: &mut Vec<String>) -> Option<()> {
    for name in names.split('.') {
        let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_plain || name.is_empty() {
            return None;
        }
        words.push(match name {
            "this" => String::new(),
            name if name.starts_with(|c: char| c.is_ascii_digit()) => name.to_owned(),
            name => camel(name),
        });
    }
    Some(())
}

/// A text that is a short word.
fn short_text(text: &str) -> Option<String> {
    let is_word = text.len() <= 12 && text.chars().all(|c| c.is_ascii_alphanumeric());
    is_word.then(|| if text.is_empty() { "Empty".to_owned() } else { upper(text) })
}

/// The words before and between the operands of an operation, if it has some.
fn operator(operation: Operation) -> Option<(Option<&'static str>, Option<&'static str>)> {
    Some(match operation {
        Operation::Add(_) => (None, Some("Plus")),
        Operation::Subtract(_) => (None, Some("Minus")),
        Operation::Multiply(_) => (None, Some("Times")),
        Operation::Divide(_) => (None, Some("DividedBy")),
        Operation::Remainder(_) => (None, Some("Mod")),
        Operation::Negate(_) => (Some("Minus"), None),
        Operation::Convert(conversion) => (Some(cast_word(conversion)), None),
        Operation::SquareRoot(_) => (Some("MathSqrt"), None),
        Operation::ShiftLeft(_)
        | Operation::ShiftRight(_)
        | Operation::ShiftRightUnsigned(_)
        | Operation::And(_)
        | Operation::Or(_)
        | Operation::ExclusiveOr(_)
        | Operation::Compare(..) => return None,
    })
}

fn cast_word(conversion: Conversion) -> &'static str {
    match petrel_expression::cast(conversion) {
        "long" => "Long",
        "float" => "Float",
        "double" => "Double",
        "int" => "Int",
        "byte" => "Byte",
        "char" => "Char",
        _ => "Short",
    }
}

/// A character in a word.
fn character(c: char) -> Option<String> {
    Some(match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' => c.to_string(),
        ' ' => "Space".to_owned(),
        '-' => "Dash".to_owned(),
        '+' => "Plus".to_owned(),
        '.' => "Dot".to_owned(),
        ',' => "Comma".to_owned(),
        ':' => "Colon".to_owned(),
        ';' => "Semicolon".to_owned(),
        '/' => "Slash".to_owned(),
        '\\' => "Backslash".to_owned(),
        '_' => "Underscore".to_owned(),
        '"' | '\'' => "Quote".to_owned(),
        '<' => "Less".to_owned(),
        '>' => "Greater".to_owned(),
        '=' => "Equals".to_owned(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use petrel_clp::ArithmeticKind;

    use super::*;
    use crate::tests::terms::{char_at, compare, int, name, text};

    #[test]
    fn constraints_become_words() {
        use Comparison::{Equal, GreaterOrEqual, Less, NotEqual};
        let check = |constraint: Expression, expected: Option<&str>| {
            assert_eq!(words(&constraint).as_deref(), expected, "{constraint}");
        };
        let (a, b) = (name("a"), name("b"));
        check(compare(name("x"), Equal, int(0)), Some("XIs0"));
        let (size, cap) = (name("this").member("size"), name("this").member("cap"));
        check(compare(size, Less, cap), Some("SizeIsLessThanCap"));
        let length = name("text").call("length", Vec::new());
        check(compare(length, NotEqual, int(0)), Some("TextLengthIsNot0"));
        let times = Operation::Multiply(ArithmeticKind::Int);
        let product = Expression::new(Node::Apply(times, a.clone(), Some(b.clone())));
        check(compare(product, GreaterOrEqual, int(-5)), Some("ATimesBIsAtLeastMinus5"));
        let next = name("list").member("next");
        check(compare(next, Equal, Expression::new(Node::Null)), Some("ListNextIsNull"));
        check(a.call("startsWith", vec![b]).not(), Some("NotAStartsWithB"));
        check(name("text").call("equals", vec![text("on")]), Some("TextEqualsOn"));
        let is = |comparison, unit: u8| {
            let unit = Expression::new(Node::Character(unit.into()));
            compare(char_at(name("text"), int(0)), comparison, unit)
        };
        check(is(Equal, b'-'), Some("TextCharAt0IsDash"));
        check(is(NotEqual, b'\''), Some("TextCharAt0IsNotQuote"));
        check(is(Equal, b'~'), None);
        let sides = [compare(a.clone(), Less, int(0)), compare(a, Equal, int(7))];
        check(Expression::new(Node::Any(sides.into())), None);
        let real = Expression::new(Node::Number(Number::Double(1.5f64.to_bits())));
        check(compare(name("x"), Less, real), None);
    }

    #[test]
    fn methods_of_one_name_are_told_apart_by_the_parameters_that_differ() {
        let session = crate::tests::fixtures("junit");
        let class = session.program().class("Overloads").unwrap();
        for (name, expected) in [
            ("size", ["OfString", "OfObjectArray", "OfCollection"]),
            ("twice", ["OfNumber", "OfInt", "WithoutArguments"]),
        ] {
            let methods: Vec<ResolvedMethod> =
                class.methods().filter(|method| method.name() == name).collect();
            let all: Vec<&ResolvedMethod> = methods.iter().collect();
            let told: Vec<String> = all.iter().map(|method| distinction(method, &all)).collect();
            assert_eq!(told, expected);
            assert_eq!(distinction(all[0], &all[..1]), "", "there is nothing to be mistaken for");
        }
    }

    #[test]
    fn names_of_others_become_parts_of_names() {
        assert_eq!(camel("NOT_FOUND"), "NotFound");
        assert_eq!(camel("foo-bar"), "FooBar");
        assert_eq!(camel("lcm"), "Lcm");
        assert_eq!(camel("$1"), "Of1");
    }
}
