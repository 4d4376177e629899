//! Procedures: their directives, and which rules belong to which predicate.

use petrel_classfile::JavaString;
use rustc_hash::FxHashMap;

use super::reader::{Clause, Node, Term};
use super::{Fault, fault, rule};
use crate::literal::{DynamicSite, MethodHandle, StaticArgument};
use crate::notation::{PREDICATE_KINDS, REFERENCE_KINDS, is_field_kind, value_of};
use crate::origin::{Opcodes, Origins};
use crate::rule::{
    FieldId, FieldRef, MethodId, MethodRef, Predicate, PredicateId, Procedure, Tables,
};
use crate::term::Operand;

/// A procedure that is being read, and what its short names stand for.
pub(super) struct Reading<'c> {
    pub(super) procedure: Procedure,
    pub(super) callees: FxHashMap<&'c str, MethodId>,
    pub(super) fields: FxHashMap<&'c str, FieldId>,
    pub(super) predicates: FxHashMap<&'c str, PredicateId>,
    /// What the text says about the literals of a rule: their numbers, from 1 on, and offsets of instructions.
    pub(super) places: FxHashMap<(PredicateId, usize), &'c [(usize, u16)]>,
}

/// Reads what follows a `procedure` directive.
pub(super) fn read(heading: &Clause<'_>, section: &[Clause<'_>]) -> Result<Procedure, Fault> {
    let mut reading = Reading {
        procedure: heading_procedure(heading)?,
        callees: FxHashMap::default(),
        fields: FxHashMap::default(),
        predicates: FxHashMap::default(),
        places: FxHashMap::default(),
    };
    // All directives first: a rule may go on in a predicate that comes later.
    for clause in section.iter().filter(|clause| clause.head.is_none()) {
        reading.directive(clause)?;
    }
    for clause in section {
        if let Some(head) = &clause.head {
            rule::read(&mut reading, head, clause)?;
        }
    }
    reading.place_literals();
    Ok(reading.procedure)
}

/// `procedure(Class, Name, Descriptor, static|instance[, SourceFile])`
fn heading_procedure(heading: &Clause<'_>) -> Result<Procedure, Fault> {
    let directive = single(heading)?;
    let arguments = match &directive.node {
        Node::Compound(_, arguments) => arguments.as_slice(),
        _ => &[],
    };
    let [class, name, descriptor, receiver, source_file @ ..] = arguments else {
        return directive
            .wrong("a procedure has a class, a name, a descriptor and static|instance");
    };
    let is_static = match receiver.atom()? {
        "static" => true,
        "instance" => false,
        _ => return receiver.wrong("a procedure is static or instance"),
    };
    let source_file = match source_file {
        [] => None,
        [source_file] => Some(source_file.atom()?.into()),
        [_, surplus, ..] => return surplus.wrong("nothing is expected after the source file"),
    };
    Ok(Procedure {
        method: method_ref(class, name, descriptor)?,
        is_static,
        source_file,
        predicates: Vec::new(),
        tables: Tables::default(),
    })
}

/// The offsets of the instructions of a rule's literals, some of which are said, by ascending numbers of literals.
fn offsets(
    opcodes: &Opcodes,
    predicate: &Predicate,
    rule: usize,
    said: &[(usize, u16)],
) -> Vec<u16> {
    let rule = &predicate.rules[rule];
    let mut origins = Origins::of(opcodes, predicate, rule);
    let mut said = said.iter().peekable();
    let literals = (1..).zip(rule.literals());
    let place = |(number, literal)| {
        let said = said.next_if(|(of, _)| *of == number).map(|(_, pc)| *pc);
        let pc = said.unwrap_or_else(|| origins.expected(literal));
        origins.take(pc);
        pc
    };
    literals.map(place).collect()
}

/// The one term of a directive. Instructions belong to rules.
fn single<'c, 'a>(clause: &'c Clause<'a>) -> Result<&'c Term<'a>, Fault> {
    match clause.body.as_slice() {
        [directive] if clause.instructions.is_empty() && clause.places.is_empty() => Ok(directive),
        [_] => Err(fault(clause.at, "instructions without a rule")),
        _ => Err(fault(clause.at, "a single directive is expected here")),
    }
}

impl<'c> Reading<'c> {
    /// Gives the literals the offsets of their instructions, which depend on all rules: the instruction that decides
    /// the rules of a predicate is in another one.
    fn place_literals(&mut self) {
        let opcodes = Opcodes::of(&self.procedure);
        for (number, predicate) in self.procedure.predicates.iter_mut().enumerate() {
            for index in 0..predicate.rules.len() {
                let said = self.places.get(&(number.into(), index)).copied().unwrap_or_default();
                let offsets = offsets(&opcodes, predicate, index, said);
                for (placed, pc) in predicate.rules[index].body.iter_mut().zip(offsets) {
                    placed.pc = pc;
                }
            }
        }
    }

    fn directive(&mut self, clause: &'c Clause<'_>) -> Result<(), Fault> {
        let directive = single(clause)?;
        let Node::Compound(name, arguments) = &directive.node else {
            return directive.wrong("this directive is not known");
        };
        let tables = &mut self.procedure.tables;
        match &**name {
            "classes" => {
                let [classes] = directive.arguments()?;
                for class in classes.list()? {
                    tables.classes.add(class.atom()?.into());
                }
            }
            "strings" => {
                let [strings] = directive.arguments()?;
                for string in strings.list()? {
                    tables.strings.add(text(string)?.clone());
                }
            }
            "handles" => {
                let [handles] = directive.arguments()?;
                for handle in handles.list()? {
                    tables.handles.add(method_handle(handle)?);
                }
            }
            "callee" => {
                let [short, class, name, descriptor] = directive.arguments()?;
                let method = tables.methods.add(method_ref(class, name, descriptor)?);
                if self.callees.insert(short.atom()?, method.into()).is_some() {
                    return short.wrong("there is another callee of this name");
                }
            }
            "field" => {
                let [short, class, name, descriptor] = directive.arguments()?;
                let field = tables.fields.add(field_ref(class, name, descriptor)?);
                if self.fields.insert(short.atom()?, field.into()).is_some() {
                    return short.wrong("there is another field of this name");
                }
            }
            "dynamic_site" => {
                let [number, name, descriptor, bootstrap, arguments] = directive.arguments()?;
                let site = dynamic_site(name, descriptor, bootstrap, arguments)?;
                if tables.dynamics.add(site) != number.count::<usize>()? {
                    return number.wrong("dynamic sites are numbered in order, and differ");
                }
            }
            "predicate" => return self.predicate(directive, arguments),
            _ => return directive.wrong("this directive is not known"),
        }
        Ok(())
    }

    /// `predicate(Functor, Kind, Pc[, Name])`
    fn predicate<'a>(
        &mut self,
        directive: &'c Term<'a>,
        arguments: &'c [Term<'a>],
    ) -> Result<(), Fault> {
        let [functor, kind, pc, name @ ..] = arguments else {
            return directive.wrong("a predicate has a name, a kind and an offset");
        };
        let name = match name {
            [] => functor,
            [name] => name,
            [_, surplus, ..] => return surplus.wrong("nothing is expected after the name"),
        };
        let Some(kind) = value_of(&PREDICATE_KINDS, kind.atom()?) else {
            return kind.wrong("a predicate is entry, block, loop, catch or choice");
        };
        let id = PredicateId::from(self.procedure.predicates.len());
        if self.predicates.insert(functor.atom()?, id).is_some() {
            return functor.wrong("there is another predicate of this name");
        }
        self.procedure.predicates.push(Predicate {
            name: name.atom()?.into(),
            kind,
            pc: pc.count()?,
            parameters: Vec::new(),
            rules: Vec::new(),
        });
        Ok(())
    }
}

pub(super) fn text<'c>(term: &'c Term<'_>) -> Result<&'c JavaString, Fault> {
    match &term.node {
        Node::Text(text) => Ok(text),
        _ => term.wrong("a string is expected here"),
    }
}

pub(super) fn method_ref(
    class: &Term<'_>,
    name: &Term<'_>,
    descriptor: &Term<'_>,
) -> Result<MethodRef, Fault> {
    Ok(MethodRef {
        class: class.atom()?.into(),
        name: name.atom()?.into(),
        descriptor: descriptor.atom()?.into(),
    })
}

fn field_ref(class: &Term<'_>, name: &Term<'_>, descriptor: &Term<'_>) -> Result<FieldRef, Fault> {
    Ok(FieldRef {
        class: class.atom()?.into(),
        name: name.atom()?.into(),
        descriptor: descriptor.atom()?.into(),
    })
}

pub(super) fn method_handle(term: &Term<'_>) -> Result<MethodHandle, Fault> {
    let kind = match &term.node {
        Node::Compound(name, _) => value_of(&REFERENCE_KINDS, name),
        _ => None,
    };
    let Some(kind) = kind else {
        return term.wrong("a method handle is expected here");
    };
    let [class, name, descriptor] = term.arguments()?;
    Ok(if is_field_kind(kind) {
        MethodHandle::Field(kind, field_ref(class, name, descriptor)?)
    } else {
        MethodHandle::Method(kind, method_ref(class, name, descriptor)?)
    })
}

fn dynamic_site(
    name: &Term<'_>,
    descriptor: &Term<'_>,
    bootstrap: &Term<'_>,
    arguments: &Term<'_>,
) -> Result<DynamicSite, Fault> {
    let mut site = DynamicSite {
        bootstrap: method_handle(bootstrap)?,
        name: name.atom()?.into(),
        descriptor: descriptor.atom()?.into(),
        arguments: Vec::new(),
    };
    for argument in arguments.list()? {
        site.arguments.push(static_argument(argument)?);
    }
    Ok(site)
}

fn static_argument(term: &Term<'_>) -> Result<StaticArgument, Fault> {
    Ok(match &term.node {
        Node::Text(text) => StaticArgument::String(text.clone()),
        Node::Compound(name, _) if name == "class" => {
            let [class] = term.arguments()?;
            StaticArgument::Class(class.atom()?.into())
        }
        Node::Compound(name, _) if name == "method_type" => {
            let [descriptor] = term.arguments()?;
            StaticArgument::MethodType(descriptor.atom()?.into())
        }
        Node::Compound(name, _) if name == "dynamic" => {
            let [name, descriptor, bootstrap, arguments] = term.arguments()?;
            let site = dynamic_site(name, descriptor, bootstrap, arguments)?;
            StaticArgument::Dynamic(Box::new(site))
        }
        _ => match constant(term)? {
            Some(Operand::Int(value)) => StaticArgument::Int(value),
            Some(Operand::Long(value)) => StaticArgument::Long(value),
            Some(Operand::Float(bits)) => StaticArgument::Float(bits),
            Some(Operand::Double(bits)) => StaticArgument::Double(bits),
            Some(Operand::Null | Operand::Variable(_)) => {
                return term.wrong("no argument of a bootstrap method");
            }
            None => StaticArgument::MethodHandle(method_handle(term)?),
        },
    })
}

/// A constant; `None` if the term has not the form of one.
pub(super) fn constant(term: &Term<'_>) -> Result<Option<Operand>, Fault> {
    Ok(match &term.node {
        Node::Number(number) => Some(*number),
        Node::Atom(name) if name == "null" => Some(Operand::Null),
        Node::Compound(name, _) if matches!(&**name, "float" | "double") => {
            let [bits] = term.arguments()?;
            let Node::Bits(value) = bits.node else {
                return bits.wrong("bits such as 0x7fc00000 are expected here");
            };
            if name == "double" {
                Some(Operand::Double(value))
            } else if let Ok(value) = u32::try_from(value) {
                Some(Operand::Float(value))
            } else {
                return bits.wrong("a float has 32 bits");
            }
        }
        _ => None,
    })
}
