//! Verdicts on branches: what the names of methods in `fixtures/verdicts` promise.
//!
//! All branches of a method `found...` have a case, none of a method `left...` is called infeasible although no case takes it, and
//! `never...` has exactly one that no input takes, which is proved.

use std::fs;

use petrel_classpath::ClassSource;
use petrel_filetests::derive;
use petrel_filetests::scratch::Scratch;
use petrel_filetests::symbolic::all_cases;
use petrel_filetests::world::{jdk, root};
use petrel_program::ResolvedMethod;
use petrel_testcase::{BranchCount, Coverage, HeapMode, LeftOut, Limit, Options, Outcome};

#[test]
fn verdicts_are_what_the_fixtures_promise() {
    let folder = root().join("build/fixtures/verdicts");
    let procedures = derive::procedures(&jdk(), &folder);
    let program = procedures.program();
    let names = derive::open(&jdk(), &folder).class_path().class_names().expect("fixtures");
    let mut methods: Vec<ResolvedMethod> = Vec::new();
    for name in &names {
        let class = program.class(name).expect("a fixture");
        methods.extend(class.methods().filter(|method| promise(method.name()).is_some()));
    }
    assert!(methods.len() > 70, "{} methods", methods.len());
    let mut broken = Vec::new();
    for method in methods {
        let (_, summary) = all_cases(procedures, &method, &Options::default()).expect("cases");
        let coverage = Coverage::of(procedures, &names, &method, &summary).expect("coverage");
        let keeps = promise(method.name()).expect("one of those");
        if !keeps(&coverage.branches) {
            broken.push(format!("{method}: {:?}, {:?}", coverage.branches, summary.ends));
        }
        if !summary.ends.defects.is_empty() {
            broken.push(format!("{method}: {:?}", summary.ends.defects));
        }
    }
    assert!(broken.is_empty(), "{} promises are broken\n{}", broken.len(), broken.join("\n"));
}

#[test]
fn what_a_heap_without_aliases_misses_is_not_infeasible() {
    let procedures = derive::procedures(&jdk(), &root().join("build/fixtures/verdicts"));
    let class = procedures.program().class("AliasVerdicts").expect("a fixture");
    let method =
        class.methods().find(|method| method.name() == "foundMutatedAccount").expect("a method");
    let options = Options { heap: HeapMode::LazyNoAlias, ..Options::default() };
    let (_, summary) = all_cases(procedures, &method, &options).expect("cases");
    let coverage = Coverage::of(procedures, &[], &method, &summary).expect("coverage");
    assert_eq!((coverage.branches.covered, coverage.branches.infeasible), (1, 0));
    assert!(summary.ends.limits.contains_key(&Limit::LeftOut(LeftOut::Aliases)));
}

#[test]
fn a_class_that_is_missing_is_a_limit_and_no_behaviour() {
    let scratch = Scratch::new();
    let name = "MissingVerdicts.class";
    let from = root().join("build/fixtures/verdicts").join(name);
    fs::copy(from, scratch.path().join(name)).expect("the class can be copied");
    let procedures = derive::procedures(&jdk(), scratch.path());
    let class = procedures.program().class("MissingVerdicts").expect("a fixture");
    for name in ["called", "looked", "checked"] {
        let method = class.methods().find(|method| method.name() == name).expect("a method");
        let (cases, summary) = all_cases(procedures, &method, &Options::default()).expect("cases");
        let missing = Limit::MissingClass("MissingVerdicts$Needed".to_owned());
        assert!(summary.ends.limits.contains_key(&missing), "{name}: {:?}", summary.ends);
        assert!(cases.iter().all(|case| case.outcome == Outcome::Return), "{name}");
        let names = ["MissingVerdicts".to_owned()];
        let coverage = Coverage::of(procedures, &names, &method, &summary).expect("coverage");
        assert_eq!(coverage.branches.infeasible, 0, "{name}: {:?}", coverage.branches);
    }
}

/// What a method's name promises of its branches.
fn promise(name: &str) -> Option<fn(&BranchCount) -> bool> {
    if name.starts_with("found") {
        Some(|branches| branches.covered == branches.total)
    } else if name.starts_with("left") {
        Some(|branches| branches.infeasible == 0)
    } else if name.starts_with("never") {
        Some(|branches| branches.infeasible == 1)
    } else {
        None
    }
}
