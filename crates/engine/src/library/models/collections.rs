//! Collections that are inputs, as long as nobody looks at their elements: how many there are is a term.

use petrel_clp::{Comparison, Kind};
use petrel_program::ResolvedMethod;
use petrel_solver::Expr;

use super::text::test;
use super::{Entry, Reply};
use crate::exploration::value_of;
use crate::machine::{Halt, Machine, Value};

const ARRAY_LIST: &str = "java/util/ArrayList";
const LINKED_LIST: &str = "java/util/LinkedList";
const VECTOR: &str = "java/util/Vector";
const COPY_ON_WRITE: &str = "java/util/concurrent/CopyOnWriteArrayList";
const ARRAY_DEQUE: &str = "java/util/ArrayDeque";
const PRIORITY_QUEUE: &str = "java/util/PriorityQueue";
const HASH_SET: &str = "java/util/HashSet";
const TREE_SET: &str = "java/util/TreeSet";
const HASH_MAP: &str = "java/util/HashMap";
const TREE_MAP: &str = "java/util/TreeMap";
const HASHTABLE: &str = "java/util/Hashtable";
const CONCURRENT_MAP: &str = "java/util/concurrent/ConcurrentHashMap";

/// Collections that have as many elements as were added.
pub(super) const TABLE: &[Entry] = &[
    (ARRAY_LIST, "size", "()I", size),
    (ARRAY_LIST, "isEmpty", "()Z", is_empty),
    (LINKED_LIST, "size", "()I", size),
    (VECTOR, "size", "()I", size),
    (VECTOR, "isEmpty", "()Z", is_empty),
    (COPY_ON_WRITE, "size", "()I", size),
    (COPY_ON_WRITE, "isEmpty", "()Z", is_empty),
    (ARRAY_DEQUE, "size", "()I", size),
    (ARRAY_DEQUE, "isEmpty", "()Z", is_empty),
    (PRIORITY_QUEUE, "size", "()I", size),
    (HASH_SET, "size", "()I", size),
    (HASH_SET, "isEmpty", "()Z", is_empty),
    (TREE_SET, "size", "()I", size),
    (TREE_SET, "isEmpty", "()Z", is_empty),
    (HASH_MAP, "size", "()I", size),
    (HASH_MAP, "isEmpty", "()Z", is_empty),
    (TREE_MAP, "size", "()I", size),
    (HASHTABLE, "size", "()I", size),
    (HASHTABLE, "isEmpty", "()Z", is_empty),
    (CONCURRENT_MAP, "size", "()I", size),
    (CONCURRENT_MAP, "isEmpty", "()Z", is_empty),
];

fn size(machine: &mut Machine<'_>, _: &ResolvedMethod, arguments: &[Value]) -> Result<Reply, Halt> {
    answer(machine, arguments, |_, size| size)
}

fn is_empty(
    machine: &mut Machine<'_>,
    _: &ResolvedMethod,
    arguments: &[Value],
) -> Result<Reply, Halt> {
    answer(machine, arguments, |machine, size| {
        test(&mut machine.solver.store, size, Comparison::Equal, Expr::Constant(0))
    })
}

fn answer(
    machine: &mut Machine<'_>,
    arguments: &[Value],
    of_size: impl FnOnce(&mut Machine<'_>, Expr) -> Expr,
) -> Result<Reply, Halt> {
    let mut collection = arguments[0];
    if collection.is_symbolic() {
        match machine.asked_in_call(|machine| machine.settled_made(collection))? {
            Some(settled) => collection = settled,
            None => return Ok(Reply::Again),
        }
    }
    if collection.is_symbolic() {
        return Ok(Reply::Code);
    }
    Ok(match machine.size_of_unmade(collection.as_reference())? {
        Some(size) => {
            let answer = of_size(machine, size);
            Reply::Return(value_of(answer, Kind::Int))
        }
        None => Reply::Code,
    })
}
