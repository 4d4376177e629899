//! Names for predicates and variables, from the source where the class file has them.

use std::sync::Arc;

use petrel_clp::loops::LoopForest;
use petrel_clp::{End, MethodRef, Predicate, PredicateKind, Procedure, Rule, Tables, Variable};
use rustc_hash::FxHashMap;

use crate::draft::{DraftVariable, NameHint, NumberedPredicate};
use crate::walk::Source;

/// The finished procedure.
pub(crate) fn name(
    source: &Source<'_>,
    is_static: bool,
    tables: Tables,
    mut numbered: Vec<NumberedPredicate>,
) -> Procedure {
    mark_loops(&mut numbered);
    let mut predicate_names = FxHashMap::default();
    let mut variable_names = VariableNames::new(source, &tables);
    let predicates = numbered
        .into_iter()
        .map(|predicate| {
            let name = predicate_name(&source.reference, &predicate, &mut predicate_names);
            let parameters = variable_names.parameters(&predicate.parameters);
            let rules = predicate
                .rules
                .into_iter()
                .map(|rule| {
                    let variables = variable_names.of_rule(&parameters, &rule.variables);
                    Rule {
                        guards: rule.guards,
                        body: rule.body,
                        end: rule.end,
                        variables,
                        instructions: rule.instructions,
                    }
                })
                .collect();
            let (parameters, _) = parameters;
            Predicate { name, kind: predicate.kind, pc: predicate.pc, parameters, rules }
        })
        .collect();
    Procedure {
        method: source.reference.clone(),
        is_static,
        source_file: source.class.source_file().map(Into::into),
        predicates,
        tables,
    }
}

/// A block that starts a loop is one of kind `Loop`.
fn mark_loops(predicates: &mut [NumberedPredicate]) {
    let successors: Vec<Vec<usize>> = predicates
        .iter()
        .map(|predicate| {
            let ends = predicate.rules.iter().map(|rule| &rule.end);
            ends.filter_map(|end| match end {
                End::Continue(target, _) => Some(target.index()),
                _ => None,
            })
            .collect()
        })
        .collect();
    for looping in &LoopForest::of(&successors).loops {
        let header = &mut predicates[looping.header];
        if header.kind == PredicateKind::Block {
            header.kind = PredicateKind::Loop;
            header.word = "loop";
        }
    }
}

fn predicate_name(
    method: &MethodRef,
    predicate: &NumberedPredicate,
    copies: &mut FxHashMap<String, u32>,
) -> Box<str> {
    let base = match &*method.name {
        "<init>" => "init",
        "<clinit>" => "clinit",
        other => other,
    };
    let name = match predicate.kind {
        PredicateKind::Entry => base.to_owned(),
        _ => format!("{base}_{}_{}", predicate.word, predicate.pc),
    };
    // Only copies of a subroutine's blocks, or two checks of one instruction, meet here. A name with
    // a number more than others of its kind is no name of another predicate.
    let copy = copies.entry(name.clone()).or_default();
    *copy += 1;
    if *copy == 1 { name.into() } else { format!("{name}_{copy}").into() }
}

/// The names of a procedure's variables, each made once.
struct VariableNames<'a> {
    source: &'a Source<'a>,
    tables: &'a Tables,
    texts: Vec<Arc<str>>,
    by_hint: FxHashMap<NameHint, u32>,
    /// Names made unique by a number.
    numbered: FxHashMap<(u32, u32), u32>,
    by_text: FxHashMap<Arc<str>, u32>,
    /// For each name, the last list of variables in which it was taken.
    taken: Vec<u32>,
    /// For each name, the last list in which it was numbered, and the last number there.
    counts: Vec<(u32, u32)>,
    list: u32,
}

impl<'a> VariableNames<'a> {
    fn new(source: &'a Source<'a>, tables: &'a Tables) -> Self {
        VariableNames {
            source,
            tables,
            texts: Vec::new(),
            by_hint: FxHashMap::default(),
            numbered: FxHashMap::default(),
            by_text: FxHashMap::default(),
            taken: Vec::new(),
            counts: Vec::new(),
            list: 0,
        }
    }

    /// The parameters of a predicate, and their names by number.
    fn parameters(&mut self, drafts: &[DraftVariable]) -> (Vec<Variable>, Vec<u32>) {
        self.list += 1;
        let names: Vec<u32> = drafts.iter().map(|draft| self.unique(draft.hint)).collect();
        let variables = drafts.iter().zip(&names).map(|(draft, &name)| self.variable(draft, name));
        (variables.collect(), names)
    }

    /// The variables of a rule, which start with the predicate's parameters.
    fn of_rule(
        &mut self,
        (parameters, names): &(Vec<Variable>, Vec<u32>),
        drafts: &[DraftVariable],
    ) -> Vec<Variable> {
        self.list += 1;
        for &name in names {
            self.taken[name as usize] = self.list;
        }
        let mut variables = Vec::with_capacity(drafts.len());
        // What a rule's guards add to the knowledge about a parameter is for the guards to say.
        variables.extend_from_slice(parameters);
        for draft in &drafts[parameters.len()..] {
            let name = self.unique(draft.hint);
            variables.push(self.variable(draft, name));
        }
        variables
    }

    fn variable(&self, draft: &DraftVariable, name: u32) -> Variable {
        Variable {
            name: Arc::clone(&self.texts[name as usize]),
            kind: draft.kind,
            non_null: draft.non_null,
            array: draft.array,
        }
    }

    /// The variables that share a name are numbered from the second on: `I`, `I1`, `I2`.
    fn unique(&mut self, hint: NameHint) -> u32 {
        let base = match self.by_hint.get(&hint) {
            Some(&base) => base,
            None => {
                let text = self.text(hint);
                let base = self.number(&text);
                self.by_hint.insert(hint, base);
                base
            }
        };
        let mut name = base;
        let (list, last) = self.counts[base as usize];
        let mut count = if list == self.list { last } else { 0 };
        while self.taken[name as usize] == self.list {
            count += 1;
            name = match self.numbered.get(&(base, count)) {
                Some(&name) => name,
                None => {
                    let text = format!("{}{count}", self.texts[base as usize]);
                    let name = self.number(&text);
                    self.numbered.insert((base, count), name);
                    name
                }
            };
        }
        self.counts[base as usize] = (self.list, count);
        self.taken[name as usize] = self.list;
        name
    }

    fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.by_text.get(text) {
            return number;
        }
        let number = self.texts.len() as u32;
        let text: Arc<str> = text.into();
        self.by_text.insert(Arc::clone(&text), number);
        self.texts.push(text);
        self.taken.push(0);
        self.counts.push((0, 0));
        number
    }

    fn text(&self, hint: NameHint) -> String {
        let pool = &self.source.class.constant_pool;
        match hint {
            NameHint::This => "This".to_owned(),
            NameHint::Source(index) => capitalised(pool.utf8(index).unwrap_or_default()),
            NameHint::Slot(slot) => format!("L{slot}"),
            NameHint::Field(field) => {
                self.tables.field(field).map_or_else(String::new, |field| capitalised(&field.name))
            }
            NameHint::Result(method) => self
                .tables
                .method(method)
                .map_or_else(String::new, |method| capitalised(&method.name)),
            NameHint::Word(word) => word.to_owned(),
        }
    }
}

/// As the name of a logic variable: starts with a capital letter.
fn capitalised(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            c if out.is_empty() && c.is_ascii_lowercase() => out.push(c.to_ascii_uppercase()),
            c if out.is_empty() && !c.is_ascii_uppercase() => {
                out.push('V');
                out.push(if c.is_ascii_alphanumeric() { c } else { '_' });
            }
            c if c.is_ascii_alphanumeric() || c == '_' => out.push(c),
            _ => out.push('_'),
        }
    }
    if out.is_empty() { "V".to_owned() } else { out }
}
