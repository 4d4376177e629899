use std::path::Path;

use petrel_classfile::Opcode;

use super::*;

fn model(text: &str) -> Model {
    parse(Path::new("some/folder/energy.toml"), text).unwrap()
}

/// The line and the message of an error.
fn error(text: &str) -> (usize, String) {
    match parse(Path::new("some/folder/energy.toml"), text).unwrap_err() {
        ModelError::File { file, line, problem } => {
            assert_eq!(file, Path::new("some/folder/energy.toml"));
            (line, problem)
        }
        other => panic!("{other:?}"),
    }
}

fn of(model: &Model, mnemonic: &str) -> i64 {
    model.instructions.of(Opcode::from_mnemonic(mnemonic).unwrap())
}

#[test]
fn an_empty_file_is_a_model_in_which_nothing_costs_anything() {
    let model = model("");
    assert_eq!((model.name(), model.unit(), model.counts_calls()), ("energy", None, false));
    assert_eq!(of(&model, "idiv"), 0);
    assert_eq!(model.allocations.of_array("[I"), None);
}

#[test]
fn a_file_can_name_the_model_and_its_unit() {
    let model = model("name = \"battery-2\"\nunit = \"nJ\"");
    assert_eq!((model.name(), model.unit()), ("battery-2", Some("nJ")));
}

#[test]
fn the_most_specific_group_of_instructions_decides_whatever_the_order() {
    let model = model(
        r#"
        [instructions]
        invokevirtual = 9
        "i*" = 2
        "inv*" = 3
        "invoke*" = 4
        default = 1
        "invokes*" = 0x10
        iadd = 1_000
        "#,
    );
    let costs = ["nop", "isub", "iadd", "invokeinterface", "invokestatic", "invokevirtual"]
        .map(|mnemonic| of(&model, mnemonic));
    assert_eq!(costs, [1, 2, 1000, 4, 16, 9]);
}

#[test]
fn every_instruction_of_the_jvm_has_a_cost() {
    let model = model("[instructions]\n\"*\" = 3");
    assert!(all_opcodes().all(|opcode| model.instructions.of(opcode) == 3));
    assert_eq!(all_opcodes().count(), 201);
}

#[test]
fn arrays_have_a_base_and_a_cost_per_element() {
    let model = model(
        r#"
        [allocations]
        "int[]" = { base = 16, element = 4 }
        "long[]" = { element = 8 }
        "*[]" = 5
        "#,
    );
    let of = |class| model.allocations.of_array(class).map(|cost| (cost.base, cost.per_element));
    assert_eq!(of("[I"), Some((16, 4)));
    assert_eq!(of("[J"), Some((0, 8)));
    assert_eq!(of("[Ljava/lang/String;"), Some((5, 0)));
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    for (text, line, parts) in [
        ("colour = 1", 1, &["`colour`", "[instructions]"][..]),
        ("\n[instruction]\nidiv = 1", 2, &["`instruction`", "[instructions]"]),
        ("[instructions]\nidiv = 1\nidvi = 2", 3, &["`idvi`", "javap"]),
        ("[instructions]\nwide = 1", 2, &["`wide`"]),
        ("[instructions]\n\"xyz*\" = 1", 2, &["`xyz*`"]),
        ("[instructions]\nidiv = 1.5", 2, &["`idiv`", "1.5", "whole numbers"]),
        ("[instructions]\nidiv = \"1\"", 2, &["`idiv`", "whole number"]),
        ("[instructions]\nidiv = -1", 2, &["`idiv`", "-1", "never negative"]),
        ("[instructions]\nidiv = 2147483648", 2, &["`idiv`", "2147483648", "at most 2147483647"]),
        ("[instructions]\nidiv = 99999999999999999999", 2, &["99999999999999999999", "at most"]),
        ("[instructions]\nidiv = 0xFFFFFFFFFFFFFFFFFF", 2, &["0xFFFFFFFFFFFFFFFFFF", "at most"]),
        ("instructions = 3", 1, &["[instructions]"]),
        ("[[calls]]\nmain = 1", 1, &["[calls]"]),
        ("[allocations]\npkg.Vector = 1", 2, &["`pkg`", "quotes"]),
        ("[allocations]\n\"pkg.Vector\" = { base = 1 }", 2, &["`pkg.Vector`"]),
        ("[allocations]\n\"int[]\" = { base = 1, elements = 2 }", 2, &["`elements`", "element"]),
        ("[allocations]\n\"int[]\" = { base = -1 }", 2, &["`base`", "never negative"]),
        ("[allocations]\nint = 1", 2, &["`int`", "\"int[]\""]),
        ("[allocations]\n\"a/B\" = 1", 2, &["`a/B`", "\"pkg.Vector\""]),
        ("[allocations]\ndefault = { base = 1 }", 2, &["`default`"]),
        ("[calls]\n\"Vector.realloc\" = 1", 2, &["`Vector.realloc`", "CLASS#METHOD"]),
        ("[calls]\n\"f(int)\" = 1", 2, &["`f(int)`", "descriptor"]),
        ("name = \"\"", 1, &["`name`"]),
        ("name = 7", 1, &["`name`"]),
        ("name = \"two words\"", 1, &["`two words`"]),
        ("unit = \"nJ\"\nname = \"memory\"", 2, &["`memory`", "already"]),
        ("unit = 3", 1, &["`unit`"]),
        ("[instructions]\nidiv = 1\nidiv = 2", 3, &["duplicate key"]),
        ("[instructions\nidiv = 1", 1, &["]"]),
    ] {
        let (found, problem) = error(text);
        assert_eq!(found, line, "{text:?}: {problem}");
        for part in parts {
            assert!(problem.contains(part), "{text:?}: {problem}");
        }
    }
}

#[test]
fn the_name_of_the_file_has_to_do_as_a_name_unless_the_file_has_another() {
    let path = Path::new("2 models.toml");
    let problem = parse(path, "").unwrap_err().to_string();
    assert!(problem.starts_with("2 models.toml:1: ") && problem.contains("name = "), "{problem}");
    assert_eq!(parse(path, "name = \"two\"").unwrap().name(), "two");
    assert!(parse(Path::new("calls.toml"), "").is_err());
}

#[test]
fn the_examples_in_the_documentation_are_models() {
    let text = include_str!("../../../../docs/costs.md");
    let examples: Vec<&str> =
        text.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let models: Vec<Model> = examples
        .iter()
        .map(|example| parse(Path::new("messages.toml"), example).unwrap())
        .collect();
    let names: Vec<_> = models.iter().map(|model| (model.name(), model.unit())).collect();
    assert_eq!(
        names,
        [("energy", Some("nJ")), ("fees", Some("cents")), ("messages", Some("packets"))]
    );
    let energy =
        ["nop", "imul", "ldiv", "invokestatic", "getfield"].map(|name| of(&models[0], name));
    assert_eq!(energy, [1, 3, 20, 8, 4]);
}
