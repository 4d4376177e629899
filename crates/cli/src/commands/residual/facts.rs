//! Finished cases and settings as Prolog sees them.

use petrel_program::ResolvedMethod;
use petrel_prolog::{Assumption, Datum, Entity, FinishedCase, Labelling, Place, Settings};
use petrel_report::{self as report, FinishedOutcome, SavedObject, SavedValue};
use petrel_testcase as testcase;

use crate::args::{Cases, Exceptions, Heap, Label};

/// A case of the file.
pub(super) fn finished(case: &report::FinishedCase) -> FinishedCase {
    let numbers = case.arguments.as_ref();
    let numbers = numbers.map(|all| all.iter().map(|number| Datum::Number(*number)).collect());
    let call = case.call.as_ref();
    let inputs = call.map(|call| call.inputs.iter().map(datum).collect());
    let outcome = match &case.outcome {
        FinishedOutcome::Return { value } => {
            let result = call.and_then(|call| call.result.as_ref()).map(datum);
            Ok(value.map(Datum::Number).or(result))
        }
        FinishedOutcome::Throw { exception } => Err(exception.clone()),
    };
    FinishedCase {
        inputs: numbers.or(inputs),
        objects: call.map_or_else(Vec::new, |call| call.objects.iter().map(entity).collect()),
        outcome,
    }
}

fn datum(value: &SavedValue) -> Datum {
    match value {
        SavedValue::Null => Datum::Null,
        SavedValue::Number(value) => Datum::Number(*value),
        SavedValue::Real(bits) => Datum::Real(f64::from_bits(*bits)),
        SavedValue::String(text) => Datum::Text(text.clone()),
        SavedValue::Constant { class, name } => {
            Datum::Constant { class: class.clone(), name: name.clone() }
        }
        SavedValue::Object(number) => Datum::Object(*number),
        SavedValue::Of(class) => Datum::Of(class.clone()),
    }
}

fn entity(object: &SavedObject) -> Entity {
    match object {
        SavedObject::Array { class, elements } => {
            Entity::Array(class.clone(), elements.iter().map(datum).collect())
        }
        SavedObject::Instance { class, fields } => Entity::Instance(
            class.clone(),
            fields
                .iter()
                .map(|field| (field.class.clone(), field.name.clone(), datum(&field.value)))
                .collect(),
        ),
    }
}

/// What `cases` was called with. What the exported program does not have is named in it.
pub(super) fn settings(asked: &Cases, method: &ResolvedMethod) -> Settings {
    let mut settings = Settings {
        domain: asked.domain,
        without_exceptions: matches!(asked.exceptions, Exceptions::Exclude),
        without_aliasing: matches!(asked.heap, Heap::LazyNoAlias),
        label: match asked.label {
            Label::Readable => Labelling::Readable,
            Label::First => Labelling::First,
            Label::Ff => Labelling::FirstFail,
        },
        ..Settings::default()
    };
    for assumption in &asked.assumptions {
        match converted(assumption, method) {
            Some(converted) => settings.assumptions.push(converted),
            None => settings.left_out.push(format!("--assume \"{assumption}\"")),
        }
    }
    let patterns = [("--unknown", &asked.unknown), ("--assume-by", &asked.assume_by)];
    for (option, _) in patterns.iter().filter(|(_, patterns)| !patterns.is_empty()) {
        settings.left_out.push((*option).to_owned());
    }
    settings
}

fn converted(assumption: &testcase::Assumption, method: &ResolvedMethod) -> Option<Assumption> {
    use testcase::Assumption::{Acyclic, Different, NonAliasing, NonNull, NonSharing, Valid};
    let place = |path: &testcase::AccessPath| {
        let receiver = (!method.is_static()).then(|| "this".to_owned());
        let names = method.parameter_names();
        let names = names.iter().map(|name| name.as_str().to_owned());
        let parameter = receiver.into_iter().chain(names).position(|name| name == path.root)?;
        Some(Place { parameter, fields: path.fields.clone() })
    };
    Some(match assumption {
        NonNull(path) => Assumption::NonNull(place(path)?),
        NonAliasing(left, right) => Assumption::NonAliasing(place(left)?, place(right)?),
        Different(left, right) => Assumption::Different(place(left)?, place(right)?),
        NonSharing(left, right) => Assumption::NonSharing(place(left)?, place(right)?),
        Acyclic(path, field) => Assumption::Acyclic(place(path)?, field.clone()),
        Valid(..) => return None,
    })
}
