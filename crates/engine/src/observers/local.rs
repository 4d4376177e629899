//! Local paths: ways through the target's own code, whatever the methods do that it calls ("A Framework
//! for Guided Test Case Generation in Constraint Logic Programming", section 5.1).
//!
//! The traces of the slicing for all local paths (Def. 7) are followed all at once: they are a tree of the
//! target's own rules, and a derivation knows its place in it. A path is left as soon as everything that it
//! can come to has been found. So nothing is derived twice, and nothing that a derivation of all paths
//! would not derive.

use petrel_clp::Trace;
use smallvec::SmallVec;

use super::{Event, Marks, Observer};
use crate::machine::{Halt, Machine, RuleShown, Step};

/// Local paths that are wanted, as a tree.
#[derive(Debug, Clone)]
pub struct LocalPaths {
    nodes: Vec<Node>,
    /// Where the derivation is.
    position: u32,
    marks: Marks<u32>,
    /// How many calls are under way in the target's own code, once it has begun.
    depth: Option<u32>,
}

#[derive(Debug, Clone, Default)]
struct Node {
    /// The rules that follow: predicate and number.
    next: SmallVec<[(Box<str>, u32, u32); 2]>,
    parent: u32,
    /// Whether there is nothing behind it but what the tree has.
    is_complete: bool,
    /// Whether a path that ends here is wanted.
    is_wanted: bool,
    /// Whether one was found.
    is_found: bool,
    /// How many paths that are wanted and not found are here and behind it.
    left: u32,
}

/// The place before the first rule.
const ROOT: u32 = 0;

impl Default for LocalPaths {
    /// Those of which nothing is known before.
    fn default() -> Self {
        LocalPaths {
            nodes: vec![Node::default()],
            position: ROOT,
            marks: Marks::default(),
            depth: None,
        }
    }
}

impl LocalPaths {
    /// Nothing but those of some traces.
    pub fn nothing_but() -> LocalPaths {
        let root = Node { is_complete: true, ..Node::default() };
        LocalPaths { nodes: vec![root], ..LocalPaths::default() }
    }

    /// Adds the local path of a trace. If its end is open, others may follow.
    pub fn add(&mut self, trace: &Trace, is_open: bool) {
        let mut at = ROOT;
        for (name, rule) in trace.local_path() {
            at = self.next(at, name, rule).unwrap_or_else(|| self.grow(at, name, rule, true));
        }
        if is_open {
            self.change(at, |node| node.is_complete = false);
        } else if !std::mem::replace(&mut self.nodes[at as usize].is_wanted, true) {
            self.change(at, |node| node.left += 1);
        }
    }

    /// How many were added.
    pub fn n_wanted(&self) -> usize {
        self.nodes.iter().filter(|node| node.is_wanted).count()
    }

    /// How many of them were not found.
    pub fn n_left(&self) -> usize {
        self.nodes[ROOT as usize].left as usize
    }

    fn next(&self, at: u32, name: &str, rule: u32) -> Option<u32> {
        let next = self.nodes[at as usize].next.iter();
        let mut found = next.filter(|(of, number, _)| *number == rule && **of == *name);
        found.next().map(|&(_, _, node)| node)
    }

    fn grow(&mut self, at: u32, name: &str, rule: u32, is_complete: bool) -> u32 {
        let new = self.nodes.len() as u32;
        self.nodes.push(Node { parent: at, is_complete, ..Node::default() });
        self.nodes[at as usize].next.push((name.into(), rule, new));
        new
    }

    /// Changes a node and those before it.
    fn change(&mut self, from: u32, change: impl Fn(&mut Node)) {
        let mut at = from;
        loop {
            let node = &mut self.nodes[at as usize];
            change(node);
            if at == ROOT {
                break;
            }
            at = node.parent;
        }
    }

    /// Whether there may be something new behind a place.
    fn is_worthwhile(&self, place: u32) -> bool {
        let node = &self.nodes[place as usize];
        !node.is_complete || node.left > 0
    }

    /// A rule is applied. `false` if everything is known that can follow.
    fn follow_rule(&mut self, shown: &RuleShown, depth: u32) -> bool {
        if *self.depth.get_or_insert(depth) != depth {
            return true;
        }
        // A method of the target's depth that begins later is called by the machine itself.
        if shown.is_entry && self.position != ROOT {
            return true;
        }
        let known = self.next(self.position, &shown.name, shown.number);
        // What the abstraction did not foresee is followed for what it is.
        let at =
            known.unwrap_or_else(|| self.grow(self.position, &shown.name, shown.number, false));
        self.position = at;
        self.is_worthwhile(at)
    }
}

impl Observer for LocalPaths {
    fn start(&mut self) {
        self.position = ROOT;
        self.depth = None;
    }

    fn see(&mut self, machine: &mut Machine<'_>, event: Event<'_>) -> Step {
        let Event::Rule { number, of_library: false } = event else { return Ok(()) };
        let shown = &machine.code.rules_shown()[number as usize];
        if self.follow_rule(shown, machine.depth()) { Ok(()) } else { Err(Halt::Astray) }
    }

    fn open_choice(&mut self) {
        self.marks.push(self.position);
    }

    fn go_back(&mut self) -> bool {
        if let Some(&mark) = self.marks.last() {
            self.position = mark;
        }
        self.is_worthwhile(self.position)
    }

    fn close_choice(&mut self) {
        self.marks.pop();
    }
}

impl Machine<'_> {
    /// Derives paths from now on only as long as they may be of local paths that were not found. All paths
    /// are derived with `None`.
    pub fn want_local_paths(&mut self, wanted: Option<LocalPaths>) {
        self.observers.local = wanted.map(Box::new);
    }

    /// The local paths that are wanted, and which of them were found.
    pub fn local_paths(&self) -> Option<&LocalPaths> {
        self.observers.local.as_deref()
    }

    /// Whether the local path of the path that has just ended was not found before.
    pub fn is_local_path_new(&self) -> bool {
        self.observers
            .local
            .as_ref()
            .is_none_or(|local| !local.nodes[local.position as usize].is_found)
    }

    /// The local path of the path that has just ended is found.
    pub fn found_local_path(&mut self) {
        let Some(local) = &mut self.observers.local else { return };
        let at = local.position;
        let node = &mut local.nodes[at as usize];
        if !std::mem::replace(&mut node.is_found, true) && node.is_wanted {
            local.change(at, |node| node.left -= 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(of: &[(&str, bool)]) -> LocalPaths {
        let mut paths = LocalPaths::nothing_but();
        for (trace, is_open) in of {
            paths.add(&trace.parse().expect("a trace"), *is_open);
        }
        paths
    }

    fn place(paths: &LocalPaths, rules: &[(&str, u32)]) -> u32 {
        let follow = |at, &(name, rule): &(&str, u32)| paths.next(at, name, rule);
        rules.iter().try_fold(ROOT, follow).expect("a place in the tree")
    }

    fn find(paths: &mut LocalPaths, at: u32) {
        paths.nodes[at as usize].is_found = true;
        paths.change(at, |node| node.left -= 1);
    }

    #[test]
    fn a_place_is_worthwhile_until_all_behind_it_is_found() {
        let traces = [
            ("m(1,[],[*,a(1,[],[*])])", false),
            ("m(1,[],[*,a(2,[],[*])])", false),
            ("m(2,[],[*])", false),
        ];
        let mut paths = paths(&traces);
        assert_eq!((paths.n_wanted(), paths.n_left()), (3, 3));
        let first = place(&paths, &[("m", 1)]);
        let ends = [place(&paths, &[("m", 1), ("a", 1)]), place(&paths, &[("m", 1), ("a", 2)])];
        find(&mut paths, ends[0]);
        assert!(!paths.is_worthwhile(ends[0]) && paths.is_worthwhile(first));
        find(&mut paths, ends[1]);
        assert!(!paths.is_worthwhile(first) && paths.is_worthwhile(ROOT));
        assert_eq!((paths.n_wanted(), paths.n_left()), (3, 1));
    }

    #[test]
    fn an_open_end_is_always_worthwhile_and_so_is_what_leads_there() {
        let mut paths =
            paths(&[("m(1,[],[*,a(1,[],[*])])", true), ("m(1,[],[*,a(2,[],[*])])", false)]);
        let end = place(&paths, &[("m", 1), ("a", 2)]);
        find(&mut paths, end);
        assert!(!paths.is_worthwhile(end));
        assert!(paths.is_worthwhile(place(&paths, &[("m", 1)])) && paths.is_worthwhile(ROOT));
    }
}
