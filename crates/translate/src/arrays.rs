//! Arrays: creation, element access, length; and casts, whose checks array stores share.

use petrel_classfile::{Instruction, JavaType, Operand as Immediate, op};
use petrel_clp::{Comparison, ElementKind, Guard, Kind, KnownArray, Literal, Message, Operand};

use petrel_program::LinkageError;

use crate::draft::{DraftVariable, NameHint, NarrowTypes};
use crate::error::{Refusal, refuse};
use crate::walk::{Step, Walk};

const NULL_POINTER: &str = "java/lang/NullPointerException";
const OUT_OF_BOUNDS: &str = "java/lang/ArrayIndexOutOfBoundsException";
const NEGATIVE: &str = "java/lang/NegativeArraySizeException";

impl Walk<'_> {
    pub(crate) fn load_element(&mut self, instruction: &Instruction) -> Result<Step, Refusal> {
        let (element, _) = ElementKind::ALL[usize::from(instruction.opcode.byte() - op::IALOAD)];
        let index = self.pop(Kind::Int)?;
        let array = self.pop(Kind::Reference)?;
        let mut operands = [array, index];
        if self.check_access("load", element, &mut operands)? == Step::Done {
            return Ok(Step::Done);
        }
        let [array, index] = operands;
        let descriptor = match element {
            ElementKind::ByteOrBoolean => "B",
            ElementKind::Char => "C",
            ElementKind::Short => "S",
            _ => "",
        };
        let fits = NarrowTypes::of_descriptor(descriptor);
        let variable =
            DraftVariable { fits, ..DraftVariable::new(element.kind(), NameHint::Word("V")) };
        self.push_bound(variable, |target| Literal::GetArray { target, element, array, index });
        Ok(Step::Next)
    }

    pub(crate) fn store_element(&mut self, instruction: &Instruction) -> Result<Step, Refusal> {
        let (element, _) = ElementKind::ALL[usize::from(instruction.opcode.byte() - op::IASTORE)];
        let value = self.pop(element.kind())?;
        let index = self.pop(Kind::Int)?;
        let array = self.pop(Kind::Reference)?;
        let mut operands = [array, index, value];
        if self.check_access("store", element, &mut operands)? == Step::Done {
            return Ok(Step::Done);
        }
        let [array, index, value] = operands;
        self.add(Literal::SetArray { element, array, index, value });
        Ok(Step::Next)
    }

    /// The checks of an array access, in the JVM's order: null, bounds, and for references whether
    /// the array takes the value. One choice predicate for all that are not certain. The rule has
    /// ended if the array certainly is null.
    fn check_access(
        &mut self,
        word: &'static str,
        element: ElementKind,
        operands: &mut [Operand],
    ) -> Result<Step, Refusal> {
        let (array, index) = (operands[0], operands[1]);
        if array == Operand::Null {
            let message = self.null_message();
            return self.end_with_exception(NULL_POINTER, message);
        }
        let known = self.variable(array).and_then(|variable| variable.array);
        let non_null = self.variable(array).is_some_and(|variable| variable.non_null);
        let in_bounds = matches!((known, index),
            (Some(known), Operand::Int(index)) if (0..known.length).contains(&index));
        if let Some(known) = known {
            let class = self.tables.class_name(known.class);
            if ElementKind::of_array(class) != Some(element) {
                return refuse(format!("{class} has other elements"));
            }
        }
        let checks_value = element == ElementKind::Reference && operands.len() == 3;
        let takes_everything =
            known.is_some_and(|known| self.tables.class_name(known.class) == "[Ljava/lang/Object;");
        let storable = !checks_value || takes_everything || operands[2] == Operand::Null;
        if non_null && in_bounds && storable {
            return Ok(Step::Next);
        }
        self.split(word, operands)?;
        let (array, index) = (operands[0], operands[1]);
        let mut passed = Vec::new();
        if !non_null {
            let message = self.null_message();
            self.add_exceptional_rule(vec![Guard::IsNull(array)], NULL_POINTER, message)?;
            passed.push(Guard::NonNull(array));
        }
        if !in_bounds {
            let mut guards = passed.clone();
            guards.push(Guard::OutOfBounds { array, index });
            self.add_exceptional_rule(guards, OUT_OF_BOUNDS, Message::Bounds { array, index })?;
            passed.push(Guard::InBounds { array, index });
        }
        if !storable {
            let value = operands[2];
            let mut guards = passed.clone();
            guards.push(Guard::NotStorable { array, value });
            self.add_exceptional_rule(
                guards,
                "java/lang/ArrayStoreException",
                Message::Store { value },
            )?;
            passed.push(Guard::Storable { array, value });
        }
        self.resume(passed);
        Ok(Step::Next)
    }

    pub(crate) fn array_length(&mut self) -> Result<Step, Refusal> {
        let mut array = self.pop(Kind::Reference)?;
        if self.require_non_null(&mut array, &mut [])? == Step::Done {
            return Ok(Step::Done);
        }
        let variable = DraftVariable::new(Kind::Int, NameHint::Word("Length"));
        self.push_bound(variable, |target| Literal::ArrayLength { target, array });
        Ok(Step::Next)
    }

    pub(crate) fn new_array(&mut self, instruction: &Instruction) -> Result<Step, Refusal> {
        let class = match instruction.operand {
            Immediate::ArrayType(code) => match code {
                4 => "[Z",
                5 => "[C",
                6 => "[F",
                7 => "[D",
                8 => "[B",
                9 => "[S",
                10 => "[I",
                11 => "[J",
                other => return refuse(format!("{other} is not an array type")),
            }
            .to_owned(),
            Immediate::Constant(constant) => {
                let component = self.source.class.constant_pool.class_name(constant)?;
                if let Err(linkage) = self.source.linker.class_exists(component) {
                    return self.end_with_linkage_error(linkage);
                }
                format!("[{}", JavaType::of_class_constant(component)?)
            }
            _ => return refuse("the array has no type"),
        };
        let mut lengths = [self.pop(Kind::Int)?];
        if self.require_sizes(&mut lengths)? == Step::Done {
            return Ok(Step::Done);
        }
        let [length] = lengths;
        let class = self.tables.class(&class);
        let array = match length {
            Operand::Int(length) => Some(KnownArray { class, length }),
            _ => None,
        };
        let variable = DraftVariable {
            array,
            exact: Some(class),
            ..DraftVariable::non_null(NameHint::Word("Array"))
        };
        self.push_bound(variable, |target| Literal::NewArray { target, class, length });
        Ok(Step::Next)
    }

    pub(crate) fn new_multi_array(&mut self, instruction: &Instruction) -> Result<Step, Refusal> {
        let Immediate::MultiArray(constant, dimensions) = instruction.operand else {
            return refuse("the array has no type");
        };
        let name = self.source.class.constant_pool.class_name(constant)?;
        let depth = name.len() - name.trim_start_matches('[').len();
        if dimensions == 0 || usize::from(dimensions) > depth {
            return refuse(format!("{name} does not have {dimensions} dimensions"));
        }
        if let Err(linkage) = self.source.linker.class_exists(name) {
            return self.end_with_linkage_error(linkage);
        }
        let mut lengths = Vec::new();
        for _ in 0..dimensions {
            lengths.insert(0, self.pop(Kind::Int)?);
        }
        if self.require_sizes(&mut lengths)? == Step::Done {
            return Ok(Step::Done);
        }
        let class = self.tables.class(name);
        let variable = DraftVariable {
            exact: Some(class),
            ..DraftVariable::non_null(NameHint::Word("Array"))
        };
        self.push_bound(variable, |target| Literal::NewMultiArray { target, class, lengths });
        Ok(Step::Next)
    }

    /// Array sizes are not negative, or the first that is decides the exception. The rule has ended
    /// if one certainly is.
    fn require_sizes(&mut self, lengths: &mut [Operand]) -> Result<Step, Refusal> {
        let is_variable = |length: &Operand| matches!(length, Operand::Variable(_));
        let is_negative = |length: &Operand| matches!(length, Operand::Int(size) if *size < 0);
        let first_negative = lengths.iter().position(is_negative);
        let n_checked = first_negative.unwrap_or(lengths.len());
        if lengths[..n_checked].iter().any(is_variable) {
            self.check_sizes(lengths, n_checked)?;
        }
        match first_negative {
            Some(position) => self.end_with_exception(NEGATIVE, Message::Size(lengths[position])),
            None => Ok(Step::Next),
        }
    }

    /// Ends the block and checks the first of these sizes.
    fn check_sizes(&mut self, lengths: &mut [Operand], n_checked: usize) -> Result<(), Refusal> {
        self.split("new", lengths)?;
        let mut passed = Vec::new();
        for &length in &lengths[..n_checked] {
            if !matches!(length, Operand::Variable(_)) {
                continue;
            }
            let guard = |comparison| Guard::compare_ints(comparison, length, Operand::Int(0));
            // The same length may stand for two dimensions.
            if passed.contains(&guard(Comparison::GreaterOrEqual)) {
                continue;
            }
            let mut guards = passed.clone();
            guards.push(guard(Comparison::Less));
            self.add_exceptional_rule(guards, NEGATIVE, Message::Size(length))?;
            passed.push(guard(Comparison::GreaterOrEqual));
        }
        self.resume(passed);
        Ok(())
    }

    pub(crate) fn check_cast(&mut self, instruction: &Instruction) -> Result<Step, Refusal> {
        let Immediate::Constant(constant) = instruction.operand else {
            return refuse("the cast has no type");
        };
        let name = self.source.class.constant_pool.class_name(constant)?;
        let object = self.pop(Kind::Reference)?;
        // The JVM does not resolve the class for null.
        if object == Operand::Null || name == "java/lang/Object" {
            self.push(object);
            return Ok(Step::Next);
        }
        if let Err(linkage) = self.source.linker.class_exists(name) {
            if let Some(Step::Done) = self.fail_unless_null(object, linkage)? {
                return Ok(Step::Done);
            }
            self.push(Operand::Null);
            return Ok(Step::Next);
        }
        let exact = self.variable(object).and_then(|variable| variable.exact);
        if let Some(exact) = exact
            && self.source.linker.is_subclass(self.tables.class_name(exact), name)?
        {
            self.push(object);
            return Ok(Step::Next);
        }
        let class = self.tables.class(name);
        // An array that this method made is of no other class: what follows would take its elements
        // for those of another.
        if let Some(made) = self.variable(object).and_then(|variable| variable.array)
            && !self.source.linker.is_subclass(self.tables.class_name(made.class), name)?
        {
            let message = Message::Cast { object, class };
            return self.end_with_exception("java/lang/ClassCastException", message);
        }
        let mut operands = [object];
        self.split("cast", &mut operands)?;
        let [object] = operands;
        self.add_exceptional_rule(
            vec![Guard::NotCastable(object, class)],
            "java/lang/ClassCastException",
            Message::Cast { object, class },
        )?;
        self.resume(vec![Guard::Castable(object, class)]);
        self.push(object);
        Ok(Step::Next)
    }

    /// A cast to, or test for, a class that cannot be loaded: it fails, but not for null. `Done` if
    /// the reference cannot be null.
    fn fail_unless_null(
        &mut self,
        object: Operand,
        linkage: LinkageError,
    ) -> Result<Option<Step>, Refusal> {
        if self.variable(object).is_some_and(|variable| variable.non_null) {
            return self.end_with_linkage_error(linkage).map(Some);
        }
        let mut operands = [object];
        self.split("cast", &mut operands)?;
        let message = self.text(&linkage.message);
        let guards = vec![Guard::NonNull(operands[0])];
        self.add_exceptional_rule(guards, linkage.java_class, message)?;
        self.resume(vec![Guard::IsNull(operands[0])]);
        Ok(None)
    }

    pub(crate) fn instance_of(&mut self, instruction: &Instruction) -> Result<Step, Refusal> {
        let Immediate::Constant(constant) = instruction.operand else {
            return refuse("the type test has no type");
        };
        let name = self.source.class.constant_pool.class_name(constant)?;
        let object = self.pop(Kind::Reference)?;
        // The JVM does not resolve the class for null.
        if object == Operand::Null {
            self.push(Operand::Int(0));
            return Ok(Step::Next);
        }
        if let Err(linkage) = self.source.linker.class_exists(name) {
            if let Some(Step::Done) = self.fail_unless_null(object, linkage)? {
                return Ok(Step::Done);
            }
            self.push(Operand::Int(0));
            return Ok(Step::Next);
        }
        let class = self.tables.class(name);
        let variable = DraftVariable::of_descriptor("Z", NameHint::Word("Is"));
        self.push_bound(variable, |target| Literal::InstanceOf { target, object, class });
        Ok(Step::Next)
    }

    /// Monitors do nothing for one thread, but null has none.
    pub(crate) fn monitor(&mut self) -> Result<Step, Refusal> {
        let mut object = self.pop(Kind::Reference)?;
        self.require_non_null(&mut object, &mut [])
    }
}
