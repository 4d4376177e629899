//! Trace generators ("A Framework for Guided Test Case Generation in Constraint Logic Programming", Def. 5):
//! the traces of an abstraction, one at a time.
//!
//! Traces come in the order of the tree, the shortest first, or the most expensive first. Whoever finds that
//! no input takes a trace tells how far the program followed it: no other trace that begins so is
//! generated.

mod traces;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use petrel_clp::Trace;
use petrel_cost::Costs;
use petrel_program::ResolvedMethod;
use rustc_hash::FxHashSet;

use crate::bounds::{Bounds, LONGEST_CHAIN, NOTHING};
use crate::derive::{Derivation, Next, Step, Way};
use crate::program::RuleName;
use crate::state::State;

/// In which order traces come.
#[derive(Debug, Clone)]
pub enum Order {
    /// That of the program's own derivations.
    Tree,
    /// To a rule of these, along as few rules as possible; what follows is left open.
    Shortest(FxHashSet<RuleName>),
    /// By what they may cost under a model, the most expensive first.
    MostExpensive(usize),
}

/// A trace that the program may have.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The trace, partial where the abstraction leaves something open.
    pub trace: Trace,
    /// Whether the target throws at its end; `None` if the end is left open.
    pub threw: Option<bool>,
    /// What it costs at most, for each model.
    pub most: Costs,
    node: u32,
}

/// Generates the traces of an abstraction.
pub struct Search<'a> {
    derivation: &'a Derivation<'a>,
    order: Order,
    nodes: Vec<Node>,
    open: Open,
    bounds: Bounds,
    /// Whether traces come, too, that begin like one that was refuted.
    lists_refuted: bool,
    /// Paths that the criterion cut, or that were left open when the purse was empty.
    pub cut: u64,
}

/// A rule applied, in the tree of all.
struct Node {
    parent: u32,
    step: Option<Step>,
    least: Costs,
    most: Costs,
    is_dead: bool,
}

/// Where the search can go on: a state, or a trace that is ready.
struct Place {
    node: u32,
    what: What,
}

enum What {
    State(State),
    Ready { threw: Option<bool> },
}

enum Open {
    Stack(Vec<Place>),
    /// By what is promised, then by age.
    Heap {
        order: BinaryHeap<(i64, Reverse<u64>, usize)>,
        places: Vec<Option<Place>>,
        age: u64,
    },
}

impl<'a> Search<'a> {
    /// The traces of a call of the target.
    pub fn new(
        derivation: &'a Derivation<'a>,
        target: &ResolvedMethod,
        order: Order,
        without_exceptions: bool,
    ) -> Search<'a> {
        let open = match order {
            Order::Tree => Open::Stack(Vec::new()),
            _ => Open::Heap { order: BinaryHeap::new(), places: Vec::new(), age: 0 },
        };
        let nothing: Costs = std::iter::repeat_n(0, derivation.prices.models()).collect();
        let root =
            Node { parent: 0, step: None, least: nothing.clone(), most: nothing, is_dead: false };
        let mut search = Search {
            derivation,
            order,
            nodes: vec![root],
            open,
            bounds: Bounds::new(without_exceptions),
            lists_refuted: false,
            cut: 0,
        };
        search.push(Place { node: 0, what: What::State(derivation.start(target)) });
        search
    }

    /// The same search; it leaves nothing out that begins like a refuted trace.
    #[must_use]
    pub fn listing_refuted(self) -> Search<'a> {
        Search { lists_refuted: true, ..self }
    }

    /// The next trace; `None` if there are no more, or if the purse is over; then something is cut, unless its alarm is
    /// raised.
    pub fn next_trace(&mut self) -> Option<Candidate> {
        while let Some(Place { node, what }) = self.pop() {
            if self.derivation.purse().alarm().is_raised() {
                return None;
            }
            if self.derivation.purse().is_empty() {
                self.cut += 1;
                return None;
            }
            if !self.lists_refuted && self.is_dead(node) {
                continue;
            }
            match what {
                What::Ready { threw } => return Some(self.candidate(node, threw)),
                What::State(state) => self.expand(node, state),
            }
        }
        None
    }

    /// The program did not get beyond so many rules of a trace: others that begin like it are not
    /// generated.
    pub fn refute(&mut self, candidate: &Candidate, followed: usize) {
        let path = self.path(candidate.node);
        let last = path.get(followed).or(path.last()).copied();
        if let Some(node) = last {
            self.nodes[node as usize].is_dead = true;
        }
    }

    /// Whether a trace begins like one that was refuted.
    pub fn is_refuted(&self, candidate: &Candidate) -> bool {
        self.is_dead(candidate.node)
    }

    fn expand(&mut self, mut node: u32, mut state: State) {
        for length in 1.. {
            let mut places = self.places_after(node, state);
            match places.pop() {
                // Where there is only one way, it promises what was promised before.
                Some(Place { node: next, what: What::State(next_state) })
                    if places.is_empty() && length < LONGEST_CHAIN =>
                {
                    (node, state) = (next, next_state);
                }
                last => {
                    places.extend(last);
                    // The first is on top of the stack.
                    if matches!(self.order, Order::Tree) {
                        places.reverse();
                    }
                    places.into_iter().for_each(|place| self.push(place));
                    return;
                }
            }
        }
    }

    /// Where a derivation can go from a place.
    fn places_after(&mut self, node: u32, state: State) -> Vec<Place> {
        let next = self.derivation.next(state);
        let mut places = Vec::with_capacity(next.len());
        for Next { step, state, way, price } in next {
            let parent = &self.nodes[node as usize];
            let sum = |left: &Costs, right: &Costs| -> Costs {
                left.iter().zip(right).map(|(left, right)| left.saturating_add(*right)).collect()
            };
            let (least, most) = (sum(&parent.least, &price.least), sum(&parent.most, &price.most));
            let is_goal =
                matches!(&self.order, Order::Shortest(goals) if goals.contains(&step.rule));
            let new = Node { parent: node, step: Some(step), least, most, is_dead: false };
            let what = match way {
                _ if is_goal => What::Ready { threw: None },
                Way::On => What::State(state),
                Way::Open => What::Ready { threw: None },
                Way::End { .. } if matches!(self.order, Order::Shortest(_)) => continue,
                Way::End { threw } if threw && self.bounds.are_without_exceptions() => continue,
                Way::End { threw } => What::Ready { threw: Some(threw) },
                Way::Cut => {
                    self.cut += 1;
                    continue;
                }
            };
            self.nodes.push(new);
            places.push(Place { node: self.nodes.len() as u32 - 1, what });
        }
        places
    }

    fn push(&mut self, place: Place) {
        let promise = self.promise(&place);
        match &mut self.open {
            Open::Stack(stack) => stack.push(place),
            Open::Heap { order, places, age } => {
                // What is without an end promises nothing.
                if promise > i64::MIN {
                    *age += 1;
                    order.push((promise, Reverse(*age), places.len()));
                    places.push(Some(place));
                }
            }
        }
    }

    fn pop(&mut self) -> Option<Place> {
        match &mut self.open {
            Open::Stack(stack) => stack.pop(),
            Open::Heap { order, places, .. } => {
                let (_, _, place) = order.pop()?;
                places.get_mut(place)?.take()
            }
        }
    }

    /// The larger, the earlier.
    fn promise(&mut self, place: &Place) -> i64 {
        match &self.order {
            Order::Tree => 0,
            Order::Shortest(_) => -i64::from(self.length(place.node)),
            Order::MostExpensive(model) => {
                let spent = self.nodes[place.node as usize].most[*model];
                match &place.what {
                    What::State(state) => {
                        let to_go = self.bounds.most_ahead(self.derivation, state, *model).cost;
                        if to_go == NOTHING { i64::MIN } else { spent.saturating_add(to_go) }
                    }
                    What::Ready { threw: None } => {
                        spent.saturating_add(self.derivation.prices.of_unknown())
                    }
                    What::Ready { threw: Some(_) } => spent,
                }
            }
        }
    }

    fn length(&self, node: u32) -> u32 {
        self.path(node).len() as u32
    }

    /// The nodes from the first rule to one.
    fn path(&self, node: u32) -> Vec<u32> {
        let mut path = Vec::new();
        let mut at = node;
        while self.nodes[at as usize].step.is_some() {
            path.push(at);
            at = self.nodes[at as usize].parent;
        }
        path.reverse();
        path
    }

    fn is_dead(&self, node: u32) -> bool {
        let mut at = node;
        loop {
            let known = &self.nodes[at as usize];
            if known.is_dead || known.step.is_none() {
                return known.is_dead;
            }
            at = known.parent;
        }
    }

    fn candidate(&self, node: u32, threw: Option<bool>) -> Candidate {
        let most = self.nodes[node as usize].most.clone();
        let trace = traces::followed(self.derivation.program, &self.steps(node));
        Candidate { trace, threw, most, node }
    }

    /// The trace of a candidate as people read it. It has the same instances.
    pub fn shown(&self, candidate: &Candidate) -> Trace {
        traces::shown(self.derivation.program, &self.steps(candidate.node))
    }

    /// The rules from the first to that of a node.
    fn steps(&self, node: u32) -> Vec<Step> {
        self.path(node).iter().filter_map(|&at| self.nodes[at as usize].step).collect()
    }
}
