//! Arrays: creation, element access, length; and casts, whose checks array stores share.

use petrel_classfile::{Instruction, JavaType, Operand as Immediate, op};
use petrel_clp::{Comparison, ElementKind, Guard, Kind, KnownArray, Literal, Message, Operand};

use crate::draft::{DraftVariable, NameHint};
use crate::error::{Refusal, refuse};
use crate::walk::{Step, Walk};

const NULL_POINTER: &str = "java/lang/NullPointerException";
const OUT_OF_BOUNDS: &str = "java/lang/ArrayIndexOutOfBoundsException";

impl Walk<'_> {
    pub(crate) fn load_element(&mut self, instruction: &Instruction) -> Result<Step, Refusal> {
        let (element, _) = ElementKind::ALL[usize::from(instruction.opcode.byte() - op::IALOAD)];
        let index = self.pop(Kind::Int)?;
        let array = self.pop(Kind::Reference)?;
        let mut operands = [array, index];
        self.check_access("load", &mut operands, false)?;
        let [array, index] = operands;
        let variable = DraftVariable::new(element.kind(), NameHint::Word("V"));
        self.push_bound(variable, |target| Literal::GetArray {
            target,
            element,
            array,
            index,
        });
        Ok(Step::Next)
    }

    pub(crate) fn store_element(&mut self, instruction: &Instruction) -> Result<Step, Refusal> {
        let (element, _) = ElementKind::ALL[usize::from(instruction.opcode.byte() - op::IASTORE)];
        let value = self.pop(element.kind())?;
        let index = self.pop(Kind::Int)?;
        let array = self.pop(Kind::Reference)?;
        let mut operands = [array, index, value];
        self.check_access("store", &mut operands, element == ElementKind::Reference)?;
        let [array, index, value] = operands;
        self.rule.body.push(Literal::SetArray {
            element,
            array,
            index,
            value,
        });
        Ok(Step::Next)
    }

    /// The checks of an array access, in the JVM's order: null, bounds, and for references whether
    /// the array takes the value. One choice predicate for all that are not certain.
    fn check_access(
        &mut self,
        word: &'static str,
        operands: &mut [Operand],
        checks_value: bool,
    ) -> Result<(), Refusal> {
        let (array, index) = (operands[0], operands[1]);
        let known = self.variable(array).and_then(|variable| variable.array);
        let non_null = self
            .variable(array)
            .is_some_and(|variable| variable.non_null);
        let in_bounds = matches!((known, index),
            (Some(known), Operand::Int(index)) if (0..known.length).contains(&index));
        let takes_everything =
            known.is_some_and(|known| self.tables.class_name(known.class) == "[Ljava/lang/Object;");
        let storable = !checks_value || takes_everything || operands[2] == Operand::Null;
        if non_null && in_bounds && storable {
            return Ok(());
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
        Ok(())
    }

    pub(crate) fn array_length(&mut self) -> Result<Step, Refusal> {
        let mut array = self.pop(Kind::Reference)?;
        self.require_non_null(&mut array, &mut [])?;
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
        self.require_sizes(&mut lengths)?;
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
        self.push_bound(variable, |target| Literal::NewArray {
            target,
            class,
            length,
        });
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
        self.require_sizes(&mut lengths)?;
        let class = self.tables.class(name);
        let variable = DraftVariable {
            exact: Some(class),
            ..DraftVariable::non_null(NameHint::Word("Array"))
        };
        self.push_bound(variable, |target| Literal::NewMultiArray {
            target,
            class,
            lengths,
        });
        Ok(Step::Next)
    }

    /// Array sizes are not negative, or the first that is decides the exception.
    fn require_sizes(&mut self, lengths: &mut [Operand]) -> Result<(), Refusal> {
        let certain = |length: &Operand| matches!(length, Operand::Int(size) if *size >= 0);
        if lengths.iter().all(certain) {
            return Ok(());
        }
        self.split("new", lengths)?;
        let mut passed = Vec::new();
        for &length in lengths.iter() {
            if certain(&length) {
                continue;
            }
            let guard = |comparison| Guard::compare_ints(comparison, length, Operand::Int(0));
            // The same length may stand for two dimensions.
            if passed.contains(&guard(Comparison::GreaterOrEqual)) {
                continue;
            }
            let mut guards = passed.clone();
            guards.push(guard(Comparison::Less));
            self.add_exceptional_rule(
                guards,
                "java/lang/NegativeArraySizeException",
                Message::Size(length),
            )?;
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
            let mut operands = [object];
            if self
                .variable(object)
                .is_none_or(|variable| !variable.non_null)
            {
                self.split("cast", &mut operands)?;
                let message = self.text(&linkage.message);
                self.add_exceptional_rule(
                    vec![Guard::NonNull(operands[0])],
                    linkage.java_class,
                    message,
                )?;
                self.resume(vec![Guard::IsNull(operands[0])]);
                self.push(operands[0]);
                return Ok(Step::Next);
            }
            return self.end_with_linkage_error(linkage);
        }
        let exact = self.variable(object).and_then(|variable| variable.exact);
        if let Some(exact) = exact
            && self
                .source
                .linker
                .is_subclass(self.tables.class_name(exact), name)?
        {
            self.push(object);
            return Ok(Step::Next);
        }
        let class = self.tables.class(name);
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

    pub(crate) fn instance_of(&mut self, instruction: &Instruction) -> Result<Step, Refusal> {
        let Immediate::Constant(constant) = instruction.operand else {
            return refuse("the type test has no type");
        };
        let name = self.source.class.constant_pool.class_name(constant)?;
        let object = self.pop(Kind::Reference)?;
        if let Err(linkage) = self.source.linker.class_exists(name) {
            return self.end_with_linkage_error(linkage);
        }
        let class = self.tables.class(name);
        let variable = DraftVariable::new(Kind::Int, NameHint::Word("Is"));
        self.push_bound(variable, |target| Literal::InstanceOf {
            target,
            object,
            class,
        });
        Ok(Step::Next)
    }

    /// Monitors do nothing for one thread, but null has none.
    pub(crate) fn monitor(&mut self) -> Result<Step, Refusal> {
        let mut object = self.pop(Kind::Reference)?;
        self.require_non_null(&mut object, &mut [])?;
        Ok(Step::Next)
    }
}
