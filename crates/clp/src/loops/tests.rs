use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

fn graph(edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let n = edges.iter().map(|&(a, b)| a.max(b) + 1).max().unwrap_or(0);
    let mut successors = vec![Vec::new(); n];
    for &(from, to) in edges {
        successors[from].push(to);
    }
    successors
}

/// Header, members, reducible.
type Described = (usize, Vec<usize>, bool);

fn describe(forest: &LoopForest) -> Vec<Described> {
    (0..forest.loops.len())
        .map(|number| {
            let found = &forest.loops[number];
            (found.header, forest.members(number).collect(), found.reducible)
        })
        .collect()
}

#[test]
fn straight_code_has_no_loops() {
    assert!(LoopForest::of(&graph(&[(0, 1), (1, 2)])).loops.is_empty());
    assert!(LoopForest::of(&[]).loops.is_empty());
}

#[test]
fn an_edge_to_itself_is_a_loop() {
    let forest = LoopForest::of(&graph(&[(0, 1), (1, 1), (1, 2)]));
    assert_eq!(describe(&forest), [(1, vec![1], true)]);
    assert!(forest.is_back_edge(1, 1));
    assert!(!forest.is_back_edge(0, 1));
}

#[test]
fn nested_loops_know_each_other() {
    let forest = LoopForest::of(&graph(&[(0, 1), (1, 2), (2, 3), (3, 2), (3, 1), (1, 4)]));
    assert_eq!(describe(&forest), [(1, vec![1, 2, 3], true), (2, vec![2, 3], true)]);
    assert_eq!(forest.loops[1].parent, Some(0));
    assert_eq!(forest.innermost, [None, Some(0), Some(1), Some(1), None]);
    assert!(forest.is_back_edge(3, 1) && forest.is_back_edge(3, 2));
}

#[test]
fn a_loop_with_two_ways_in_is_irreducible() {
    let forest = LoopForest::of(&graph(&[(0, 1), (0, 2), (1, 2), (2, 1)]));
    assert_eq!(describe(&forest), [(1, vec![1, 2], false)]);
    assert!(forest.is_back_edge(2, 1));
    assert!(!forest.is_back_edge(1, 2));
}

#[test]
fn what_is_not_reached_is_in_no_loop_and_wrong_targets_are_ignored() {
    let forest = LoopForest::of(&[vec![0, 9], vec![1, 2], vec![1]]);
    assert_eq!(forest.innermost, [Some(0), None, None]);
}

#[test]
fn long_and_deep_graphs_need_no_stack() {
    const N: usize = 60_000;
    // One loop of all nodes, and as many loops as nodes, each inside the one before.
    let ring: Vec<Vec<usize>> = (0..N).map(|node| vec![(node + 1) % N]).collect();
    assert_eq!(LoopForest::of(&ring).loops.len(), 1);
    let mut nest: Vec<Vec<usize>> = (0..N).map(|node| vec![node + 1]).collect();
    nest.extend((0..N).rev().map(|header| vec![N + (N - header), header]));
    nest.push(vec![]);
    let forest = LoopForest::of(&nest);
    assert_eq!(forest.loops.len(), N);
    assert!(forest.loops.iter().all(|found| found.reducible));
    assert_eq!(forest.loops[N - 1].parent, Some(N - 2));
    assert!(forest.contains(0, N));
}

/// The definition: the strongly connected components of what is reachable are loops, with the node
/// that the search met first as header; without the header, the same again.
fn naive(successors: &[Vec<usize>]) -> BTreeSet<Described> {
    let preorder = naive_preorder(successors);
    let mut loops = BTreeSet::new();
    let mut pending: Vec<Vec<usize>> = vec![preorder.clone()];
    while let Some(nodes) = pending.pop() {
        for component in naive_components(successors, &nodes) {
            let first = preorder.iter().find(|node| component.contains(node));
            let header = *first.unwrap();
            if component.len() == 1 && !successors[header].contains(&header) {
                continue;
            }
            let reducible = preorder
                .iter()
                .filter(|node| !component.contains(node))
                .flat_map(|&node| &successors[node])
                .all(|target| *target == header || !component.contains(target));
            pending.push(component.iter().copied().filter(|n| *n != header).collect());
            loops.insert((header, component, reducible));
        }
    }
    loops
}

fn naive_preorder(successors: &[Vec<usize>]) -> Vec<usize> {
    fn visit(node: usize, successors: &[Vec<usize>], order: &mut Vec<usize>) {
        if !order.contains(&node) {
            order.push(node);
            for &target in &successors[node] {
                visit(target, successors, order);
            }
        }
    }
    let mut order = Vec::new();
    visit(0, successors, &mut order);
    order
}

fn naive_components(successors: &[Vec<usize>], nodes: &[usize]) -> BTreeSet<Vec<usize>> {
    let reached = |from: usize| {
        let mut seen = BTreeSet::from([from]);
        let mut pending = vec![from];
        while let Some(node) = pending.pop() {
            for &target in &successors[node] {
                if nodes.contains(&target) && seen.insert(target) {
                    pending.push(target);
                }
            }
        }
        seen
    };
    let together = |node: usize| {
        let mut component: Vec<usize> =
            reached(node).into_iter().filter(|&other| reached(other).contains(&node)).collect();
        component.sort_unstable();
        component
    };
    nodes.iter().map(|&node| together(node)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn loops_are_those_of_the_definition(
        edges in prop::collection::vec((0usize..10, 0usize..10), 0..30)
    ) {
        let successors = graph(&edges);
        prop_assume!(!successors.is_empty());
        let forest = LoopForest::of(&successors);
        let described = describe(&forest);
        prop_assert_eq!(
            described.iter().cloned().collect::<BTreeSet<_>>(),
            naive(&successors)
        );
        prop_assert_eq!(described.len(), naive(&successors).len());
        for (number, (_, members, _)) in described.iter().enumerate() {
            // The parent is the smallest other loop that has all members.
            let parent = (0..described.len())
                .filter(|&other| other != number)
                .filter(|&other| members.iter().all(|m| described[other].1.contains(m)))
                .min_by_key(|&other| described[other].1.len());
            prop_assert_eq!(forest.loops[number].parent, parent);
            prop_assert!(parent.is_none_or(|parent| parent < number));
        }
        for (node, innermost) in forest.innermost.iter().enumerate() {
            let smallest = (0..described.len())
                .filter(|&number| described[number].1.contains(&node))
                .min_by_key(|&number| described[number].1.len());
            prop_assert_eq!(*innermost, smallest);
            for (target, _) in forest.innermost.iter().enumerate() {
                let back = described.iter().any(|(header, members, _)| {
                    *header == target && members.contains(&node)
                });
                prop_assert_eq!(forest.is_back_edge(node, target), back);
            }
        }
    }
}
