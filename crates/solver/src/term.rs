//! Terms: values that depend on unknown inputs.
//!
//! Equal terms are one term. The arena grows with the derivation and is truncated when it goes back:
//! nothing that outlives a path holds a term.

use std::hash::{BuildHasher, Hash};

use petrel_clp::{Comparison, Kind, Operation};
use petrel_expression::Expression;
use rustc_hash::FxBuildHasher;

use crate::real;

/// A term, by its number. Operands of a term have smaller numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(pub u32);

impl TermId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An unknown input, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnknownId(pub u32);

impl UnknownId {
    /// As an index into a model.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A constant or a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Expr {
    /// An `int` or `long` with its sign, or the rank of a `float` or `double`
    /// ([`crate::rank_of_bits`]).
    Constant(i64),
    /// A term.
    Term(TermId),
}

impl Expr {
    /// The number, if it is a constant.
    pub fn constant(self) -> Option<i64> {
        match self {
            Expr::Constant(value) => Some(value),
            Expr::Term(_) => None,
        }
    }

    /// The term, if it is one.
    pub fn term(self) -> Option<TermId> {
        match self {
            Expr::Constant(_) => None,
            Expr::Term(term) => Some(term),
        }
    }
}

/// A table of numbers that terms select from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(pub u32);

/// What a term is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Node {
    /// An unknown input.
    Unknown(UnknownId),
    /// An operation with Java's meaning; the second operand of a unary one is the constant 0.
    /// Where Java has no value (division by zero) it has the one of SMT-LIB: see
    /// [`crate::apply`].
    Apply(Operation, Expr, Expr),
    /// 1 if two integers or two ranks of a kind compare so, else 0.
    Test(Kind, Comparison, Expr, Expr),
    /// The first if the condition (an `Int`) is not 0, else the second. They are of the kind given.
    Choose(Kind, TermId, Expr, Expr),
    /// The product of the first two and the sum of that with the third, rounded once: `Math.fma`. All are
    /// `Float` or `Double`, as given.
    MultiplyAdd(Kind, [Expr; 3]),
    /// The element of a table at an `Int` index; 0 outside of it. Elements are of the kind given.
    Select(Kind, TableId, TermId),
    /// A value that nothing can be said about, such as a text over unknown numbers.
    Opaque(Kind, u32),
}

/// An unknown input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// Its name, for people.
    pub name: Expression,
    /// `Int`, `Long`, `Float`, `Double` or `Reference`. A reference is the number of an object, 0 if it
    /// is null; numbers mean nothing but whether two objects are the same.
    pub kind: Kind,
    /// The smallest value; a `float` or `double` has every value, whatever is said here.
    pub low: i64,
    /// The largest value.
    pub high: i64,
    /// Of a reference: the number of the object that it is if it is not null and nothing says that it is
    /// one of the others. [`Unknown::CHOOSES`] for one that says which of some objects a reference is.
    pub own: i64,
}

impl Unknown {
    /// See [`Unknown::own`].
    pub const CHOOSES: i64 = 1;
}

/// The end of a chain of terms with the same hash.
const NONE: u32 = u32::MAX;

/// What is kept of a term besides its node.
#[derive(Debug, Clone, Copy)]
struct Entry {
    hash: u32,
    /// The term before with the same bucket.
    next: u32,
    kind: Kind,
    /// Whether opaque values are involved.
    is_opaque: bool,
}

/// All terms of a derivation.
#[derive(Debug, Clone)]
pub struct Terms {
    nodes: Vec<Node>,
    entries: Vec<Entry>,
    /// The last term of each bucket.
    buckets: Vec<u32>,
    tables: Vec<Table>,
    unknowns: Vec<Unknown>,
    /// What terms are called, in the order in which they got their names.
    names: Vec<(TermId, TermName)>,
}

/// Numbers that terms select from.
#[derive(Debug, Clone)]
struct Table {
    elements: std::rc::Rc<[Expr]>,
    /// The smallest and the largest of the elements, if all are constants.
    range: Option<(i64, i64)>,
}

/// What a term is called.
#[derive(Debug, Clone)]
pub(crate) struct TermName {
    pub(crate) expression: Expression,
    /// Whether it is 0 or 1, and stands for false or true.
    pub(crate) is_truth: bool,
}

impl Default for Terms {
    fn default() -> Self {
        Terms {
            nodes: Vec::new(),
            entries: Vec::new(),
            buckets: vec![NONE; 64],
            tables: Vec::new(),
            unknowns: Vec::new(),
            names: Vec::new(),
        }
    }
}

impl Terms {
    /// A new unknown input.
    pub fn unknown(&mut self, mut unknown: Unknown) -> TermId {
        let kind = unknown.kind;
        if let Some((low, high)) = real::ranks(kind) {
            (unknown.low, unknown.high) = (low, high);
        }
        let number = UnknownId(self.unknowns.len() as u32);
        self.unknowns.push(unknown);
        self.intern(Node::Unknown(number), kind)
    }

    /// The unknown inputs.
    pub fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }

    /// The unknown inputs with the terms that they are.
    pub fn unknown_terms(&self) -> impl Iterator<Item = (TermId, &Unknown)> {
        let terms = self.nodes.iter().enumerate();
        terms.filter_map(|(number, node)| match node {
            Node::Unknown(unknown) => {
                Some((TermId(number as u32), self.unknowns.get(unknown.index())?))
            }
            _ => None,
        })
    }

    /// All terms, by number.
    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// How many tables there are.
    pub fn table_count(&self) -> usize {
        self.tables.len()
    }

    /// What a term is.
    #[inline]
    pub fn node(&self, term: TermId) -> Node {
        self.nodes[term.index()]
    }

    /// What a term is, without a copy.
    #[inline]
    pub(crate) fn node_ref(&self, term: TermId) -> &Node {
        &self.nodes[term.index()]
    }

    /// The term of a node, if there is one.
    pub(crate) fn find(&self, node: &Node) -> Option<TermId> {
        self.find_hashed(node, hash(node))
    }

    #[inline]
    fn find_hashed(&self, node: &Node, hash: u32) -> Option<TermId> {
        let mask = self.buckets.len() as u32 - 1;
        let mut at = self.buckets[(hash & mask) as usize];
        while at != NONE {
            let entry = &self.entries[at as usize];
            if entry.hash == hash && self.nodes[at as usize] == *node {
                return Some(TermId(at));
            }
            at = entry.next;
        }
        None
    }

    /// The kind of a term.
    #[inline]
    pub fn kind(&self, term: TermId) -> Kind {
        self.entries[term.index()].kind
    }

    /// Whether everything is known of how a term depends on unknowns: nothing opaque is involved.
    #[inline]
    pub fn is_exact(&self, term: TermId) -> bool {
        !self.entries[term.index()].is_opaque
    }

    /// The elements of a table.
    pub fn table(&self, table: TableId) -> &[Expr] {
        &self.tables[table.0 as usize].elements
    }

    /// The smallest and the largest element of a table, if all are constants.
    pub(crate) fn range_of_constants(&self, table: TableId) -> Option<(i64, i64)> {
        self.tables[table.0 as usize].range
    }

    /// The table that has these very elements in memory.
    pub(crate) fn same_table(&self, elements: &std::rc::Rc<[Expr]>) -> Option<TableId> {
        let is_same = |table: &Table| std::rc::Rc::ptr_eq(&table.elements, elements);
        self.tables.iter().rposition(is_same).map(|number| TableId(number as u32))
    }

    /// Adds a table.
    pub fn add_table(&mut self, elements: std::rc::Rc<[Expr]>) -> TableId {
        let constants = elements.iter().map(|element| element.constant());
        let range = constants
            .map(|constant| constant.map(|constant| (constant, constant)))
            .reduce(|all, one| {
                let ((low, high), (constant, _)) = (all?, one?);
                Some((low.min(constant), high.max(constant)))
            })
            .flatten();
        self.tables.push(Table { elements, range });
        TableId(self.tables.len() as u32 - 1)
    }

    /// The term of a node as it is, without any rewriting.
    #[inline]
    pub fn intern(&mut self, node: Node, kind: Kind) -> TermId {
        let hash = hash(&node);
        if let Some(known) = self.find_hashed(&node, hash) {
            return known;
        }
        if self.nodes.len() >= self.buckets.len() {
            self.grow();
        }
        let mask = self.buckets.len() as u32 - 1;
        let number = self.nodes.len() as u32;
        let is_opaque = self.is_node_opaque(node);
        let bucket = &mut self.buckets[(hash & mask) as usize];
        let next = std::mem::replace(bucket, number);
        self.entries.push(Entry { hash, next, kind, is_opaque });
        self.nodes.push(node);
        TermId(number)
    }

    /// Gives a term a name for people, unless it has one.
    pub(crate) fn name(&mut self, term: TermId, name: TermName) {
        if self.name_of(term).is_none() && !matches!(self.node(term), Node::Unknown(_)) {
            self.names.push((term, name));
        }
    }

    /// Whether a term says which of some objects a reference is.
    pub(crate) fn chooses(&self, term: TermId) -> bool {
        match self.node(term) {
            Node::Unknown(unknown) => {
                let unknown = &self.unknowns()[unknown.index()];
                unknown.kind == Kind::Int && unknown.own == Unknown::CHOOSES
            }
            _ => false,
        }
    }

    pub(crate) fn name_of(&self, term: TermId) -> Option<&TermName> {
        self.names.iter().rfind(|(named, _)| *named == term).map(|(_, name)| name)
    }

    /// How many names were given.
    pub(crate) fn name_count(&self) -> usize {
        self.names.len()
    }

    /// Forgets the names from this number on.
    pub(crate) fn truncate_names(&mut self, names: usize) {
        self.names.truncate(names);
    }

    /// Forgets the terms and tables from these numbers on, the last first.
    pub fn truncate(&mut self, terms: usize, tables: usize) {
        let mask = self.buckets.len() as u32 - 1;
        for entry in self.entries[terms..].iter().rev() {
            // The last term is the last of its bucket.
            self.buckets[(entry.hash & mask) as usize] = entry.next;
        }
        let is_unknown = |node: &&Node| matches!(node, Node::Unknown(_));
        let unknowns = self.nodes[terms..].iter().filter(is_unknown).count();
        self.unknowns.truncate(self.unknowns.len() - unknowns);
        self.nodes.truncate(terms);
        self.entries.truncate(terms);
        self.tables.truncate(tables);
    }

    /// The operands of a term that are terms; of a selection the index alone.
    pub fn operands(&self, term: TermId) -> impl Iterator<Item = TermId> {
        let operands = match self.node(term) {
            Node::Unknown(_) | Node::Opaque(..) => [None, None, None],
            Node::Apply(_, left, right) | Node::Test(_, _, left, right) => {
                [left.term(), right.term(), None]
            }
            Node::Choose(_, condition, then, otherwise) => {
                [Some(condition), then.term(), otherwise.term()]
            }
            Node::MultiplyAdd(_, operands) => operands.map(Expr::term),
            Node::Select(_, _, index) => [Some(index), None, None],
        };
        operands.into_iter().flatten()
    }

    fn is_node_opaque(&self, node: Node) -> bool {
        let is_opaque = |expr: Expr| expr.term().is_some_and(|term| !self.is_exact(term));
        match node {
            Node::Unknown(_) => false,
            Node::Opaque(..) => true,
            Node::Apply(_, left, right) | Node::Test(_, _, left, right) => {
                is_opaque(left) || is_opaque(right)
            }
            Node::Choose(_, condition, then, otherwise) => {
                !self.is_exact(condition) || is_opaque(then) || is_opaque(otherwise)
            }
            Node::MultiplyAdd(_, operands) => operands.into_iter().any(is_opaque),
            Node::Select(_, table, index) => {
                !self.is_exact(index) || self.table(table).iter().any(|&element| is_opaque(element))
            }
        }
    }

    fn grow(&mut self) {
        let size = self.buckets.len() * 4;
        let mask = size as u32 - 1;
        self.buckets = vec![NONE; size];
        for (number, entry) in self.entries.iter_mut().enumerate() {
            let bucket = &mut self.buckets[(entry.hash & mask) as usize];
            entry.next = std::mem::replace(bucket, number as u32);
        }
    }
}

/// A hash of a node. Operands are multiplied side by side, which is faster than one after the other.
#[inline]
fn hash(node: &Node) -> u32 {
    let (head, operands) = match *node {
        Node::Unknown(unknown) => (head(&0u32), [unknown.0.into(), 0, 0]),
        Node::Apply(operation, left, right) => (head(&operation), [word(left), word(right), 0]),
        Node::Test(kind, comparison, left, right) => {
            (head(&(kind, comparison)), [word(left), word(right), 0])
        }
        Node::Choose(kind, condition, then, otherwise) => {
            (head(&kind), [condition.0.into(), word(then), word(otherwise)])
        }
        Node::MultiplyAdd(kind, operands) => (head(&(kind, 3u8)), operands.map(word)),
        Node::Select(kind, table, index) => (head(&kind), [table.0.into(), index.0.into(), 1]),
        Node::Opaque(kind, number) => (head(&kind), [number.into(), 0, 2]),
    };
    const FACTORS: [u64; 3] = [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f, 0x1656_67b1_9e37_79f9];
    let sum = (0..3).fold(head, |sum, at| sum.wrapping_add(operands[at].wrapping_mul(FACTORS[at])));
    (sum.wrapping_mul(FACTORS[0]) >> 32) as u32
}

/// A hash of what is not an operand.
#[inline]
fn head(value: &impl Hash) -> u64 {
    FxBuildHasher.hash_one(value)
}

/// An operand as a number; small constants and terms differ.
#[inline]
fn word(expr: Expr) -> u64 {
    match expr {
        Expr::Constant(value) => !(value as u64),
        Expr::Term(term) => term.0.into(),
    }
}
