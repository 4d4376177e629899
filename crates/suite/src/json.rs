//! The account as JSON.

use petrel_testcase::BranchCount;
use serde_json::{Value, json};

use crate::account::{
    Account, BranchAccount, ClassAccount, MethodAccount, OperationAccount, Verdict,
};

/// The summary object that `generate --json` ends with.
pub fn json_of(account: &Account) -> Value {
    let classes: Vec<Value> = account.classes.iter().map(class).collect();
    let n_tests: usize = account.classes.iter().map(ClassAccount::n_tests).sum();
    let n_methods: usize = account.classes.iter().map(|class| class.methods.len()).sum();
    let is_validated = account.classes.iter().all(|class| class.is_validated);
    let files: Vec<&String> =
        account.classes.iter().filter_map(|class| class.file.as_ref()).collect();
    let dropped: Vec<Value> = account.classes.iter().flat_map(dropped).collect();
    json!({
        "schema": 1,
        "classes": classes,
        "total": {
            "tests": n_tests,
            "methods": n_methods,
            "branches": branches(&account.counts()),
            "validated": if is_validated { n_tests } else { 0 },
            "dropped": dropped,
            "elapsed_us": account.elapsed_us,
            "files": files,
            "stopped": account.is_stopped,
        },
    })
}

fn class(class: &ClassAccount) -> Value {
    let n_tests = class.n_tests();
    json!({
        "class": class.class,
        "tests": n_tests,
        "methods": class.methods.iter().map(method).collect::<Vec<Value>>(),
        "branches": branches(&class.counts()),
        "validated": if class.is_validated { n_tests } else { 0 },
        "dropped": dropped(class).collect::<Vec<Value>>(),
        "elapsed_us": class.elapsed_us,
        "files": class.file.iter().collect::<Vec<&String>>(),
        "not_written": class.not_written,
    })
}

fn dropped(class: &ClassAccount) -> impl Iterator<Item = Value> {
    class.dropped().map(|dropped| {
        json!({
            "class": class.class,
            "test": dropped.name,
            "reason": dropped.why,
            "written": dropped.was_written,
            "wrong_prediction": dropped.is_wrong_prediction,
        })
    })
}

fn method(method: &MethodAccount) -> Value {
    let tests = method.tests.iter().map(|test| {
        let (name, by_reflection) = (&test.name, &test.by_reflection);
        json!({ "name": name, "by_reflection": by_reflection, "inputs": test.n_inputs })
    });
    let findings = method.findings.iter().map(|finding| {
        json!({ "test": finding.test, "exception": finding.exception, "place": finding.place })
    });
    let unsupported = method
        .unsupported
        .iter()
        .map(|(what, place, count)| json!({ "what": what, "where": place, "count": count }));
    let limits: serde_json::Map<String, Value> =
        method.limits.iter().map(|(limit, count)| (limit.clone(), json!(count))).collect();
    json!({
        "method": method.name,
        "cases": method.n_cases,
        "complete": method.is_complete,
        "tests": tests.collect::<Vec<Value>>(),
        "findings": findings.collect::<Vec<Value>>(),
        "overflow": method.operations.iter().map(operation).collect::<Vec<Value>>(),
        "branches": branches(&method.counts),
        "verdicts": method.branches.iter().map(branch).collect::<Vec<Value>>(),
        "unsupported": unsupported.collect::<Vec<Value>>(),
        "limit": limits,
        "failure": method.failure,
        "work": method.work,
    })
}

fn operation(operation: &OperationAccount) -> Value {
    let OperationAccount { judged, shown } = operation;
    let arithmetic = judged.arithmetic;
    json!({
        "pc": arithmetic.pc,
        "line": arithmetic.line,
        "operation": arithmetic.name(),
        "type": arithmetic.type_name(),
        "verdict": judged.verdict(),
        "test": shown.as_ref().map(|(test, _)| test),
        "shown": shown.as_ref().map(|(_, told)| told),
    })
}

fn branch(branch: &BranchAccount) -> Value {
    let mut told = json!({
        "pc": branch.pc,
        "target_pc": branch.target_pc,
        "line": branch.line,
        "verdict": branch.verdict.name(),
    });
    match &branch.verdict {
        Verdict::Covered(test) => told["test"] = json!(test),
        Verdict::NotConstructible(reason) => told["reason"] = json!(reason),
        _ => {}
    }
    told
}

fn branches(counts: &BranchCount) -> Value {
    json!({
        "total": counts.total,
        "covered": counts.covered,
        "infeasible": counts.infeasible,
        "beyond_bound": counts.beyond_bound,
        "unsupported": counts.unsupported,
        "not_constructible": counts.not_constructible,
        "budget": counts.budget,
        "unknown": counts.unknown,
    })
}
