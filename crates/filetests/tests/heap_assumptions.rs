//! Assumptions about the initial heap hold for every generated input, and every small heap that is as
//! assumed takes the path of a case.

#![allow(clippy::print_stderr, reason = "the counts are of interest even if the test passes")]

use std::collections::BTreeSet;

use petrel_classfile::{JavaType, MethodDescriptor};
use petrel_engine::Assumption;
use petrel_filetests::heaps::{Bounded, Ending, Input, Observer, Shapes, Target, Way, bounded_cases, holds, targets};
use petrel_filetests::symbolic::contradictions;
use petrel_filetests::{derive, world};
use petrel_program::{Program, ResolvedMethod};
use petrel_testcase::{Case, Options, Termination};
use petrel_translate::cache::Procedures;

const MOST_INPUTS: usize = 1_000;
const MOST_CASES: usize = 100;
const STEPS: u64 = 300;

#[test]
fn assumptions_hold_and_nothing_else_is_lost() {
    let folder = std::env::var_os("HEAP_CLASSES").map_or_else(
        || world::root().join("build/fixtures/heap"),
        std::path::PathBuf::from,
    );
    let session = derive::open(&world::jdk(), &folder);
    let procedures = Procedures::new(session.program());
    let shapes = Shapes::small(session.program());
    let mut complaints = Vec::new();
    for target in targets(&procedures) {
        check(&procedures, &shapes, &target, &mut complaints);
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Reference fields of a class by name.
fn fields(program: &Program, of: &JavaType) -> Vec<(String, JavaType)> {
    let JavaType::Object(name) = of else { return Vec::new() };
    let Ok(class) = program.class(name) else { return Vec::new() };
    if !program.is_project_class(name) || class.lineage().any(|above| above.name() == "java/lang/Enum") {
        return Vec::new();
    }
    let mut found: Vec<(String, JavaType)> = Vec::new();
    for above in class.lineage() {
        for field in above.fields().filter(|field| !field.is_static()) {
            let Ok(of) = JavaType::parse(field.descriptor()) else { continue };
            let is_reference = matches!(of, JavaType::Object(_) | JavaType::Array(_));
            if is_reference && !found.iter().any(|(name, _)| name == field.name()) {
                found.push((field.name().to_owned(), of));
            }
        }
    }
    found
}

/// Assumptions that make sense for a method.
fn assumptions(program: &Program, method: &ResolvedMethod, names: &[String]) -> Vec<Assumption> {
    let descriptor = MethodDescriptor::parse(method.descriptor()).unwrap();
    let mut roots: Vec<(String, JavaType)> = Vec::new();
    if !method.is_static() && !method.is_constructor() {
        roots.push(("this".to_owned(), JavaType::Object(method.class().name().into())));
    }
    for (name, of) in names.iter().zip(&descriptor.parameters) {
        if matches!(of, JavaType::Object(_) | JavaType::Array(_)) {
            roots.push((name.clone(), of.clone()));
        }
    }
    let mut paths = roots.clone();
    let mut texts = Vec::new();
    for (root, of) in &roots {
        for (field, of) in fields(program, of) {
            texts.push(format!("acyclic({root}, {field})"));
            paths.push((format!("{root}.{field}"), of.clone()));
        }
    }
    for (index, (path, _)) in paths.iter().enumerate() {
        texts.push(format!("acyclic({path})"));
        texts.push(format!("non-null({path})"));
        for (other, _) in &paths[index + 1..] {
            texts.push(format!("non-aliasing({path}, {other})"));
            texts.push(format!("non-sharing({path}, {other})"));
        }
    }
    let mut deep = Vec::new();
    for (path, of) in paths.iter().filter(|(path, _)| path.contains('.')) {
        for (field, _) in fields(program, of) {
            deep.push(format!("non-null({path}.{field})"));
            deep.push(format!("non-aliasing({path}.{field}, {})", roots[0].0));
            deep.push(format!("non-sharing({path}.{field}, {})", roots[0].0));
        }
    }
    texts.extend(deep);
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

fn names_of(case: &Case) -> Vec<String> {
    case.symbolic.arguments.clone()
}

fn check(
    procedures: &Procedures<'_>,
    shapes: &Shapes<'_>,
    target: &Target,
    complaints: &mut Vec<String>,
) {
    let method = &target.method;
    let started = std::time::Instant::now();
    let options = Options { max_array: 8, domain: Some((-4, 4)), time: Some(std::time::Duration::from_secs(5)), ..Options::default() };
    let Ok(Some(Bounded { bound, cases, summary })) = bounded_cases(procedures, method, &options, 1..=3, MOST_CASES) else {
        eprintln!("{method}: no cases");
        return;
    };
    let Some(case) = cases.first() else { return };
    let names = names_of(case);
    let inputs = shapes.inputs(method, MOST_INPUTS, MOST_INPUTS / 4);
    let Ok(mut observer) = Observer::new(procedures, method, Termination::BlockCount(bound), STEPS) else { return };
    let taken: Vec<(&Input, Option<Way>)> = inputs.inputs.iter().map(|input| {
        let way = match observer.derive(input) {
            Ending::Taken(way, _) => Some(way),
            _ => None,
        };
        (input, way)
    }).collect();
    let all: Vec<Assumption> = assumptions(procedures.program(), method, &names);
    let is_complete = summary.ends.is_complete() && (target.is_closed || summary.ends.cut == 0);
    eprintln!("{method} bound {bound}: {} assumptions, {} cases complete {is_complete}", all.len(), cases.len());
    for assumption in all {
        let at = format!("{method} bound {bound} {assumption}");
        let options = Options { assumptions: vec![assumption.clone()], solutions: 5, ..options.clone() };
        let started = std::time::Instant::now();
        let assumed = match bounded_cases(procedures, method, &options, bound..=bound, MOST_CASES) {
            Ok(Some(assumed)) => assumed,
            Ok(None) => {
                complaints.push(format!("{at}: more cases"));
                continue;
            }
            Err(error) => {
                eprintln!("   {assumption}: {error}");
                if taken.iter().any(|(input, _)| holds(&assumption, input, &names).is_ok_and(|holds| holds == Some(true))) {
                    complaints.push(format!("{at}: {error}"));
                }
                continue;
            }
        };
        if started.elapsed().as_millis() > 1000 {
            eprintln!("   slow: {assumption}: {:?}", started.elapsed());
        }
        for what in contradictions(&assumed.summary) {
            complaints.push(format!("{at}: {what}"));
        }
        for (number, case) in assumed.cases.iter().enumerate() {
            for solution in &case.solutions {
                let input = Input::from(solution);
                match holds(&assumption, &input, &names) {
                    Ok(Some(true)) => {}
                    Ok(_) => complaints.push(format!("{at}: case {}: {input:?} is not like that", number + 1)),
                    Err(error) => complaints.push(format!("{at}: {error:?}")),
                }
            }
        }
        let ways: BTreeSet<Way> = assumed.cases.iter().map(Way::of).collect();
        if target.is_closed && ways.len() < assumed.cases.len() {
            complaints.push(format!("{at}: {} cases, {} paths", assumed.cases.len(), ways.len()));
        }
        let ends = &assumed.summary.ends;
        if !ends.is_complete() || ends.cut > 0 && !target.is_closed {
            eprintln!("   {assumption}: {ends:?}");
            continue;
        }
        let mut n = 0;
        for (input, way) in &taken {
            let Some(way) = way else { continue };
            if way.block_count() > bound as usize || holds(&assumption, input, &names) != Ok(Some(true)) {
                continue;
            }
            n += 1;
            if !ways.contains(way) {
                complaints.push(format!("{at}: {input:?} takes no path of a case: {way:?}"));
                break;
            }
        }
        if n == 0 {
            eprintln!("   {assumption}: no heap");
        }
    }
    eprintln!("   {:?}", started.elapsed());
}
