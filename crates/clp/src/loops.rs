//! The loops of a graph and how they nest.
//!
//! A loop is found from its header: with a depth-first search from the entry, the loop of a node `h`
//! is the strongly connected component of `h` among the nodes below it in the search tree, if that
//! is more than `h` alone without an edge to itself. This is Havlak's forest ("Nesting of reducible
//! and irreducible loops", 1997); for a reducible graph it is the forest of natural loops, whatever
//! order the search takes. It is built in almost linear time as in Ramalingam, "Identifying loops in
//! almost linear time" (1999): an edge that leads neither up nor down in the search tree is held
//! back until the lowest common ancestor of its ends is processed, since no loop below that can
//! contain both ends. So every edge is followed once.

#[cfg(test)]
mod tests;

/// A loop: a header, and nodes that it leads to and that lead back to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// The node that the search met first; the only way in if the loop is reducible.
    pub header: usize,
    /// The next larger loop around it, by its number.
    pub parent: Option<usize>,
    /// Whether the header is the only way in.
    pub reducible: bool,
    /// Number of the last loop inside it (its own number if it has none): numbers are given outer
    /// loops first, so that the loops inside of one are a range.
    last_inside: usize,
}

/// All loops of a graph. Loops are numbered outer ones first, and those in one loop (or in none) in
/// the order in which a depth-first search meets their headers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LoopForest {
    /// The loops.
    pub loops: Vec<Loop>,
    /// For each node, the number of the smallest loop that contains it.
    pub innermost: Vec<Option<usize>>,
}

impl LoopForest {
    /// The loops of a graph whose entry is node 0. What the entry does not reach is in no loop;
    /// successors that are no nodes are ignored.
    pub fn of(successors: &[Vec<usize>]) -> LoopForest {
        let tree = SearchTree::of(successors);
        let mut finder = Finder::new(&tree);
        for w in (0..tree.len()).rev() {
            finder.process(w);
        }
        finder.finish(successors.len())
    }

    /// Whether the loop contains the node, in itself or in a loop inside of it.
    pub fn contains(&self, number: usize, node: usize) -> bool {
        let (Some(outer), Some(Some(inner))) = (self.loops.get(number), self.innermost.get(node))
        else {
            return false;
        };
        (number..=outer.last_inside).contains(inner)
    }

    /// The loops that contain a node, the innermost first.
    pub fn around(&self, node: usize) -> impl Iterator<Item = usize> {
        let innermost = self.innermost.get(node).copied().flatten();
        std::iter::successors(innermost, |&number| self.loops.get(number)?.parent)
    }

    /// The nodes of a loop and of the loops inside of it, in ascending order.
    pub fn members(&self, number: usize) -> impl Iterator<Item = usize> {
        (0..self.innermost.len()).filter(move |&node| self.contains(number, node))
    }

    /// The loop that a node is the header of.
    pub fn headed_by(&self, node: usize) -> Option<usize> {
        let number = (*self.innermost.get(node)?)?;
        (self.loops.get(number)?.header == node).then_some(number)
    }

    /// Whether an edge between these nodes goes back to the header of a loop that it stays in.
    pub fn is_back_edge(&self, from: usize, to: usize) -> bool {
        self.headed_by(to).is_some_and(|number| self.contains(number, from))
    }
}

/// A depth-first search tree. Nodes are renamed: here and in [`Finder`] a node *is* its number in
/// preorder, so that a node's descendants are the range from it to its `last` one.
struct SearchTree {
    /// The node of the graph.
    original: Vec<usize>,
    /// The node that it was reached from; the entry is its own parent.
    parent: Vec<usize>,
    /// Its last descendant.
    last: Vec<usize>,
    /// Edges that lead to a node from one of its descendants, by target.
    back: EdgeLists,
    /// The other edges, by the lowest common ancestor of their ends.
    forward: EdgeLists,
}

impl SearchTree {
    fn len(&self) -> usize {
        self.original.len()
    }

    fn of(successors: &[Vec<usize>]) -> SearchTree {
        const UNREACHED: usize = usize::MAX;
        let mut tree = SearchTree {
            original: Vec::new(),
            parent: Vec::new(),
            last: Vec::new(),
            back: EdgeLists::default(),
            forward: EdgeLists::default(),
        };
        if successors.is_empty() {
            return tree;
        }
        let mut number = vec![UNREACHED; successors.len()];
        number[0] = 0;
        tree.original.push(0);
        tree.parent.push(0);
        tree.last.push(0);
        // Each frame is a node and how many of its edges were followed.
        let mut path = vec![(0, 0)];
        while let Some((node, followed)) = path.last_mut() {
            let edges = &successors[tree.original[*node]];
            let Some(&target) = edges.get(*followed) else {
                tree.last[*node] = tree.original.len() - 1;
                path.pop();
                continue;
            };
            *followed += 1;
            if number.get(target) == Some(&UNREACHED) {
                let child = tree.original.len();
                number[target] = child;
                tree.original.push(target);
                tree.parent.push(*node);
                tree.last.push(child);
                path.push((child, 0));
            }
        }
        tree.sort_edges(successors, &number);
        tree
    }

    fn sort_edges(&mut self, successors: &[Vec<usize>], number: &[usize]) {
        let mut back = EdgeLists::new(self.len());
        let mut forward = EdgeLists::new(self.len());
        // Edges to a node that was searched before and is no ancestor, by target.
        let mut cross = EdgeLists::new(self.len());
        for (from, &original) in self.original.iter().enumerate() {
            for &target in &successors[original] {
                let Some(&to) = number.get(target) else {
                    continue;
                };
                if to > from {
                    forward.add(from, (from, to));
                } else if from <= self.last[to] {
                    back.add(to, (from, to));
                } else {
                    cross.add(to, (from, to));
                }
            }
        }
        // Tarjan's offline algorithm for common ancestors. When a node is looked at, all nodes after
        // it in preorder have been merged into their parents. So the source of a cross edge to it
        // has been merged into its lowest ancestor that is not after the node, and this is an
        // ancestor of the node too.
        let mut merged = DisjointSets::new(self.len());
        for to in (0..self.len()).rev() {
            for edge in cross.of(to) {
                let ancestor = merged.find(edge.0);
                forward.add(ancestor, edge);
            }
            merged.merge(to, self.parent[to]);
        }
        self.back = back;
        self.forward = forward;
    }
}

/// The state of the search for loops, which goes through the nodes in reverse preorder. Loops that
/// were found are collapsed into their headers.
struct Finder<'a> {
    tree: &'a SearchTree,
    /// The header that a node has been collapsed into, or itself.
    collapsed: DisjointSets,
    /// Edges between collapsed nodes so far, by target.
    incoming: EdgeLists,
    /// Loops in the order in which they are found: inner ones first. Numbers in here are final only
    /// after [`Finder::finish`].
    found: Vec<Loop>,
    /// Loop of which the node is the header.
    headed: Vec<Option<usize>>,
    /// Smallest loop that contains the node.
    innermost: Vec<Option<usize>>,
    /// The smallest header (in preorder) of a loop that an edge to this node enters; the edge enters
    /// the loops between as well.
    entered: Vec<usize>,
}

impl Finder<'_> {
    fn new(tree: &SearchTree) -> Finder<'_> {
        Finder {
            tree,
            collapsed: DisjointSets::new(tree.len()),
            incoming: EdgeLists::new(tree.len()),
            found: Vec::new(),
            headed: vec![None; tree.len()],
            innermost: vec![None; tree.len()],
            entered: vec![usize::MAX; tree.len()],
        }
    }

    /// Finds the loop of which `w` is the header.
    fn process(&mut self, w: usize) {
        for (from, to) in self.tree.forward.of(w) {
            let outermost = self.collapsed.find(to);
            // None of the loops found so far contains both ends (see the top of this file), so the
            // edge enters all of those that contain its target.
            self.entered[to] = self.entered[to].min(outermost);
            let from = self.collapsed.find(from);
            self.incoming.add(outermost, (from, outermost));
        }
        if self.tree.back.is_empty(w) {
            return;
        }
        let number = self.found.len();
        self.found.push(Loop { header: w, parent: None, reducible: true, last_inside: 0 });
        self.headed[w] = Some(number);
        self.innermost[w] = Some(number);
        let mut pending: Vec<usize> = self.tree.back.of(w).map(|(from, _)| from).collect();
        while let Some(node) = pending.pop() {
            let node = self.collapsed.find(node);
            if node == w {
                continue;
            }
            match self.headed[node] {
                Some(inner) => self.found[inner].parent = Some(number),
                None => self.innermost[node] = Some(number),
            }
            self.collapsed.merge(node, w);
            pending.extend(self.incoming.of(node).map(|(from, _)| from));
        }
    }

    fn finish(mut self, n_nodes: usize) -> LoopForest {
        self.mark_irreducible();
        let order = self.outer_first();
        let mut forest = LoopForest {
            loops: vec![
                Loop { header: 0, parent: None, reducible: true, last_inside: 0 };
                order.len()
            ],
            innermost: vec![None; n_nodes],
        };
        for (found, (number, n_inside)) in self.found.iter().zip(&order) {
            forest.loops[*number] = Loop {
                header: self.tree.original[found.header],
                parent: found.parent.map(|parent| order[parent].0),
                reducible: found.reducible,
                last_inside: number + n_inside,
            };
        }
        for (node, innermost) in self.innermost.iter().enumerate() {
            forest.innermost[self.tree.original[node]] = innermost.map(|found| order[found].0);
        }
        forest
    }

    /// A loop is irreducible if an edge from outside leads to a node of it other than the header.
    fn mark_irreducible(&mut self) {
        // For each loop the smallest header of the loops around it that such an edge enters too.
        let mut entered = vec![usize::MAX; self.found.len()];
        for node in 0..self.tree.len() {
            // An edge to a header may enter the header's own loop, but none around it.
            let smallest = match self.headed[node] {
                Some(own) => self.found[own].parent,
                None => self.innermost[node],
            };
            if let Some(smallest) = smallest {
                entered[smallest] = entered[smallest].min(self.entered[node]);
            }
        }
        for number in 0..self.found.len() {
            let (header, parent) = (self.found[number].header, self.found[number].parent);
            self.found[number].reducible = entered[number] > header;
            if let Some(parent) = parent {
                entered[parent] = entered[parent].min(entered[number]);
            }
        }
    }

    /// For each loop found its final number and how many loops it has inside.
    fn outer_first(&self) -> Vec<(usize, usize)> {
        let n_loops = self.found.len();
        let mut n_inside = vec![0; n_loops];
        for (number, found) in self.found.iter().enumerate() {
            if let Some(parent) = found.parent {
                n_inside[parent] += n_inside[number] + 1;
            }
        }
        let mut order = vec![(0, 0); n_loops];
        // The next free number among those of the loops in a loop; the last entry is for the rest.
        let mut next = vec![0; n_loops + 1];
        for (number, found) in self.found.iter().enumerate().rev() {
            let slot = &mut next[found.parent.unwrap_or(n_loops)];
            order[number] = (*slot, n_inside[number]);
            *slot += n_inside[number] + 1;
            next[number] = order[number].0 + 1;
        }
        order
    }
}

/// Edges in lists, in one allocation: a list is a chain of indices into `edges`.
#[derive(Default)]
struct EdgeLists {
    first: Vec<usize>,
    edges: Vec<((usize, usize), usize)>,
}

const END: usize = usize::MAX;

impl EdgeLists {
    fn new(n_lists: usize) -> EdgeLists {
        EdgeLists { first: vec![END; n_lists], edges: Vec::new() }
    }

    fn add(&mut self, list: usize, edge: (usize, usize)) {
        self.edges.push((edge, self.first[list]));
        self.first[list] = self.edges.len() - 1;
    }

    fn is_empty(&self, list: usize) -> bool {
        self.first[list] == END
    }

    fn of(&self, list: usize) -> impl Iterator<Item = (usize, usize)> {
        let mut next = self.first[list];
        std::iter::from_fn(move || {
            let &(edge, after) = self.edges.get(next)?;
            next = after;
            Some(edge)
        })
    }
}

/// Disjoint sets whose representative the caller chooses. With paths halved but no ranks, this is
/// logarithmic on average per operation, and nearly constant for the trees that occur.
struct DisjointSets(Vec<usize>);

impl DisjointSets {
    fn new(n: usize) -> DisjointSets {
        DisjointSets((0..n).collect())
    }

    fn find(&mut self, mut element: usize) -> usize {
        while self.0[element] != element {
            self.0[element] = self.0[self.0[element]];
            element = self.0[element];
        }
        element
    }

    /// Merges the set that `element` represents into the one that `representative` represents.
    fn merge(&mut self, element: usize, representative: usize) {
        self.0[element] = representative;
    }
}
