//! Methods on texts over unknown inputs: those of `String`, builders, `Character` and numbers that programs use
//! most give terms, and branch no more than the program does.
//!
//! A model is asked before the code of its method runs, if an argument is not known. It may leave the call to
//! that code: then the class library's own code runs on fields that hold the units.

mod arrays;
pub(super) mod builders;
pub(super) mod characters;
mod collections;
pub(super) mod hashing;
mod numbers;
mod reals;
mod strings;
pub(crate) mod text;

use std::rc::Rc;
use std::sync::OnceLock;

use petrel_classfile::JavaType;
use petrel_classfile::MethodDescriptor;
use petrel_clp::Kind;
use petrel_expression::Expression;
use petrel_program::ResolvedMethod;
use petrel_solver::Expr;
use rustc_hash::FxHashMap;

use text::Text;

use crate::exploration::{Look, expr_of, value_of};
use crate::machine::{
    Body, Feature, Halt, Limit, Machine, MethodNumber, Step, Stop, TypeId, Value,
};

/// What a model does.
pub(super) enum Reply {
    /// Returns; anything for `void`.
    Return(Value),
    /// Throws a new exception of this class.
    Throw(&'static str),
    /// The code of the method runs.
    Code,
    /// The call is executed again, after a choice.
    Again,
}

pub(super) type Run = fn(&mut Machine<'_>, &ResolvedMethod, &[Value]) -> Result<Reply, Halt>;

/// Class, name and descriptor of a method, and its model.
pub(super) type Entry = (&'static str, &'static str, &'static str, Run);

/// The model of a method.
#[derive(Clone, Copy)]
pub(crate) struct TextModel {
    run: Run,
    /// Which arguments are references, a bit for each.
    references: u32,
}

type Index = FxHashMap<(&'static str, &'static str, &'static str), Run>;

fn index() -> &'static Index {
    static INDEX: OnceLock<Index> = OnceLock::new();
    INDEX.get_or_init(|| {
        let tables = [
            strings::TABLE,
            builders::TABLE,
            numbers::TABLE,
            characters::TABLE,
            arrays::TABLE,
            collections::TABLE,
            reals::TABLE,
            reals::FUSED,
        ];
        let entries = tables.into_iter().flatten();
        entries.map(|&(class, name, descriptor, run)| ((class, name, descriptor), run)).collect()
    })
}

/// The model of a method, if it has one.
pub(crate) fn text_model(method: &ResolvedMethod) -> Option<TextModel> {
    let class = method.class().name();
    // Both builders of strings have the same methods.
    let class = if class == "java/lang/StringBuffer" { builders::BUILDER } else { class };
    let descriptor = method.descriptor().replace("StringBuffer;", "StringBuilder;");
    let run = *index().get(&(class, method.name(), &*descriptor))?;
    let parsed = MethodDescriptor::parse(method.descriptor()).ok()?;
    let mut references = 0;
    let receiver = usize::from(!method.is_static());
    references |= receiver as u32;
    for (place, of) in parsed.parameters.iter().enumerate() {
        references |= u32::from(of.is_reference()) << (place + receiver);
    }
    Some(TextModel { run, references })
}

/// An argument that should be a text.
pub(super) enum Argument {
    Text(Rc<Text>),
    Null,
    /// Something else, or contents that cannot be read.
    Other,
    /// The call is executed again.
    Again,
}

/// Gets the text of an argument, or leaves the model.
macro_rules! text_or_leave {
    ($machine:expr, $value:expr) => {
        $crate::library::models::text_or_leave!($machine, $value, $crate::exploration::Look::Whole)
    };
    ($machine:expr, $value:expr, $look:expr) => {
        match $machine.text_argument($value, $look)? {
            $crate::library::models::Argument::Text(text) => text,
            $crate::library::models::Argument::Again => {
                return Ok($crate::library::models::Reply::Again);
            }
            $crate::library::models::Argument::Null | $crate::library::models::Argument::Other => {
                return Ok($crate::library::models::Reply::Code);
            }
        }
    };
}

/// Decides something by a choice, or leaves the model to be called again.
macro_rules! decide_or_leave {
    ($machine:expr, $holds:expr) => {
        match $machine.decided_in_call($holds)? {
            Some(holds) => holds,
            None => return Ok($crate::library::models::Reply::Again),
        }
    };
}

pub(super) use {decide_or_leave, text_or_leave};

impl Machine<'_> {
    /// Asks the model of a method. `false` if the code of the method has to run.
    #[cold]
    pub(crate) fn is_modelled_as_text(
        &mut self,
        model: TextModel,
        method: MethodNumber,
        arguments: &[Value],
        callee_base: usize,
    ) -> Result<bool, Halt> {
        if !self.has_unknown_text(model, arguments) {
            return Ok(false);
        }
        let resolved = self.methods.get(method).resolved.clone();
        let unstable = arguments.iter().any(|argument| argument.is_unstable());
        let name = self.call_expression(&resolved, arguments);
        match (model.run)(self, &resolved, arguments)? {
            Reply::Return(value) => {
                if let Some(name) = name {
                    self.name_result(&resolved, arguments, value, name);
                }
                self.return_value(value.marked(unstable))?;
            }
            Reply::Throw(class) => self.throw_opaque(class, callee_base)?,
            Reply::Again => {}
            Reply::Code => return Ok(false),
        }
        self.exploration.note_modelled();
        Ok(true)
    }

    /// Gives the result of a call the name of the call.
    fn name_result(
        &mut self,
        method: &ResolvedMethod,
        arguments: &[Value],
        result: Value,
        name: Expression,
    ) {
        let of = method.result_type();
        if result.is_symbolic() {
            let Some(of) = of else { return };
            let kind = Kind::of_type(&of);
            self.solver.store.name(expr_of(result, kind), name, of == JavaType::Boolean);
            return;
        }
        let object = if method.is_constructor() {
            arguments.first().copied().unwrap_or_default().as_reference()
        } else if matches!(of, Some(JavaType::Object(_))) {
            result.as_reference()
        } else {
            return;
        };
        if let Body::Text(text, None) = &self.heap.object(object).body
            && text.name.is_none()
        {
            let named = Text { name: Some(name), ..Text::clone(text) };
            self.heap.replace_body(object, Body::Text(Rc::new(named), None));
        }
    }

    fn has_unknown_text(&self, model: TextModel, arguments: &[Value]) -> bool {
        arguments.iter().enumerate().any(|(place, argument)| {
            if argument.is_symbolic() {
                return true;
            }
            let is_reference = model.references >> place & 1 == 1;
            is_reference && self.holds_terms(argument.as_reference())
        })
    }

    fn holds_terms(&self, object: crate::machine::Reference) -> bool {
        !object.is_null()
            && matches!(
                self.heap.object(object).body,
                Body::Unmade | Body::Text(..) | Body::Values(_) | Body::Logged(_)
            )
    }

    /// The text that an argument is.
    pub(super) fn text_argument(&mut self, value: Value, look: Look) -> Result<Argument, Halt> {
        let value = if value.is_symbolic() {
            match self.asked_in_call(|machine| machine.settled_made(value))? {
                Some(settled) => settled,
                None => return Ok(Argument::Again),
            }
        } else {
            value
        };
        if value.is_symbolic() {
            return Ok(Argument::Other);
        }
        let object = value.as_reference();
        if object.is_null() {
            return Ok(Argument::Null);
        }
        if self.heap.class(object) != TypeId::STRING
            && matches!(self.heap.object(object).body, Body::Unmade)
        {
            // A builder that is an input: its own code makes it.
            let open = self.asked_in_call(|machine| Ok(machine.is_open(object)?.then_some(())))?;
            if open.is_none() {
                return Ok(Argument::Again);
            }
        }
        let Some(text) = self.text_at(object)? else { return Ok(Argument::Other) };
        if self.is_seen(&text, look) {
            return Ok(Argument::Text(text));
        }
        let looked = self.asked_in_call(|machine| machine.looked_at(object, &text, look))?;
        Ok(looked.map_or(Argument::Again, Argument::Text))
    }

    /// An argument as a number.
    pub(super) fn int_argument(&self, arguments: &[Value], place: usize) -> Expr {
        expr_of(arguments.get(place).copied().unwrap_or_default(), Kind::Int)
    }

    /// Returns a number or truth value.
    pub(super) fn give_int(&self, expr: Expr) -> Result<Reply, Halt> {
        Ok(Reply::Return(value_of(expr, Kind::Int)))
    }

    /// Returns a string.
    pub(super) fn give_text(&mut self, text: Text) -> Result<Reply, Halt> {
        check_length(&text)?;
        Ok(Reply::Return(self.string_of_text(text)?))
    }

    /// Returns a string that is the receiver if something holds.
    pub(super) fn give_changed(
        &mut self,
        receiver: Value,
        text: Text,
        is_same: Expr,
    ) -> Result<Reply, Halt> {
        let receiver = self.resolved_value(receiver);
        if is_same == Expr::Constant(1) {
            return Ok(Reply::Return(receiver));
        }
        let same_as = (!receiver.is_symbolic()).then_some((receiver.as_reference(), is_same));
        self.give_text(Text { same_as, ..text })
    }

    /// The contents of a builder change.
    pub(super) fn set_text(&mut self, builder: Value, text: Text) -> Step {
        check_length(&text)?;
        // Which builder it is was settled when its contents were asked for.
        let builder = self.resolved_value(builder);
        if builder.is_symbolic() {
            return Err(Stop::unsupported(Feature::Choice).into());
        }
        self.heap.replace_body(builder.as_reference(), Body::Text(Rc::new(text), None));
        Ok(())
    }
}

/// Longer texts are not followed.
const MOST_UNITS: usize = 20_000;

fn check_length(text: &Text) -> Result<(), Stop> {
    if text.units.len() > MOST_UNITS {
        return Err(Stop::limit(Limit::StringUnits(MOST_UNITS as u64)));
    }
    Ok(())
}
