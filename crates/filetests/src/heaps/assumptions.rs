//! Assumptions that make sense for a method.

use petrel_classfile::{JavaType, MethodDescriptor};
use petrel_engine::Assumption;
use petrel_program::{Program, ResolvedMethod};

/// The methods that say whether an object is valid, by custom.
const INVARIANTS: [&str; 2] = ["repOk", "isValid"];

/// A place of the initial heap, and its static type.
type Typed = (String, JavaType);

/// Assumptions about the receiver and the parameters of these names, about their fields, and about those of
/// their fields.
pub fn assumptions(
    program: &Program,
    method: &ResolvedMethod,
    parameters: &[String],
) -> Vec<Assumption> {
    let Ok(descriptor) = MethodDescriptor::parse(method.descriptor()) else { return Vec::new() };
    let mut roots: Vec<Typed> = Vec::new();
    if !method.is_static() && !method.is_constructor() {
        roots.push(("this".to_owned(), JavaType::Object(method.class().name().into())));
    }
    let of_parameters = parameters.iter().cloned().zip(descriptor.parameters);
    roots.extend(of_parameters.filter(|(_, of)| is_reference(of)));
    let below = |places: &[Typed]| -> Vec<Typed> {
        let fields = |(path, of): &Typed| {
            let path = path.clone();
            let fields = reference_fields(program, of).into_iter();
            fields.map(move |(field, of)| (format!("{path}.{field}"), of))
        };
        places.iter().flat_map(fields).collect()
    };
    let fields = below(&roots);
    let fields_of_fields = below(&fields);
    let mut texts: Vec<String> = Vec::new();
    for (root, of) in &roots {
        texts.extend(
            reference_fields(program, of)
                .iter()
                .map(|(field, _)| format!("acyclic({root}, {field})")),
        );
        if has_invariant(program, of) {
            texts.push(format!("valid({root})"));
        }
    }
    let places: Vec<&str> = roots.iter().chain(&fields).map(|(path, _)| path.as_str()).collect();
    for (position, place) in places.iter().enumerate() {
        texts.push(format!("acyclic({place})"));
        texts.push(format!("non-null({place})"));
        for other in &places[position + 1..] {
            texts.push(format!("non-aliasing({place}, {other})"));
            texts.push(format!("different({place}, {other})"));
            texts.push(format!("non-sharing({place}, {other})"));
        }
    }
    for (place, _) in &fields_of_fields {
        texts.push(format!("non-null({place})"));
        for (root, _) in &roots {
            texts.push(format!("non-aliasing({place}, {root})"));
            texts.push(format!("different({place}, {root})"));
            texts.push(format!("non-sharing({place}, {root})"));
        }
    }
    texts.iter().filter_map(|text| text.parse().ok()).collect()
}

fn is_reference(of: &JavaType) -> bool {
    matches!(of, JavaType::Object(_) | JavaType::Array(_))
}

/// The fields of the project's objects that are references. Constants of enums are no such objects.
fn reference_fields(program: &Program, of: &JavaType) -> Vec<Typed> {
    let JavaType::Object(name) = of else { return Vec::new() };
    let Ok(class) = program.class(name) else { return Vec::new() };
    let is_enum = class.lineage().any(|above| above.name() == "java/lang/Enum");
    if is_enum || !program.is_project_class(name) {
        return Vec::new();
    }
    let mut found: Vec<Typed> = Vec::new();
    for above in class.lineage() {
        for field in above.fields().filter(|field| !field.is_static()) {
            let Ok(of) = JavaType::parse(field.descriptor()) else { continue };
            let is_hidden = found.iter().any(|(name, _)| name == field.name());
            if is_reference(&of) && !is_hidden {
                found.push((field.name().to_owned(), of));
            }
        }
    }
    found
}

/// The method that says whether an object of a class is valid: the one of this name if there is one.
pub fn invariant(program: &Program, class: &str, name: Option<&str>) -> Option<ResolvedMethod> {
    let class = program.class(class).ok()?;
    let names = name.map_or_else(|| INVARIANTS.to_vec(), |name| vec![name]);
    let declared =
        |name: &&str| class.lineage().find_map(|above| above.declared_method(name, "()Z"));
    names.iter().find_map(declared).filter(|method| !method.is_static())
}

fn has_invariant(program: &Program, of: &JavaType) -> bool {
    match of {
        JavaType::Object(name) => {
            program.is_project_class(name) && invariant(program, name, None).is_some()
        }
        _ => false,
    }
}
