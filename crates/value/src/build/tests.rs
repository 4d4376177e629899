use std::collections::BTreeSet;

use petrel_classfile::JavaType;
use proptest::prelude::*;

use super::*;
use crate::{Call, FieldValue};
use BuildStep::{Call as Called, Fill, Make};

const fn id(index: u32) -> ObjectId {
    ObjectId(index)
}

fn reference(index: u32) -> Value {
    Value::Reference(id(index))
}

fn call(name: &str, arguments: &[Value]) -> Call {
    let (class, descriptor) = ("C".into(), "".into());
    Call { class, name: name.into(), descriptor, arguments: arguments.to_vec() }
}

/// A list of these.
fn list(elements: &[Value]) -> Object {
    built(&[], elements)
}

/// What is made from some objects, and has others added.
fn built(from: &[Value], elements: &[Value]) -> Object {
    let calls = elements.iter().map(|&element| call("add", &[element])).collect();
    Object::Built { class: "C".into(), by: call("<init>", from), calls }
}

fn instance(values: &[Value]) -> Object {
    let fields =
        values.iter().map(|&value| FieldValue { class: "I".into(), name: "f".into(), value });
    Object::Instance { class: "I".into(), fields: fields.collect() }
}

fn order(objects: Vec<Object>) -> Vec<BuildStep> {
    Heap { objects }.order_of_building()
}

#[test]
fn arguments_are_complete_before_they_are_looked_at() {
    // A set of an instance with a list of a list, told from the outside to the inside.
    let objects = vec![
        list(&[reference(1)]),
        instance(&[reference(2), Value::Int(1)]),
        list(&[Value::Null, reference(3)]),
        list(&[reference(4)]),
        Object::String("a".into()),
    ];
    let expected = [
        Make(id(0)),
        Make(id(2)),
        Make(id(3)),
        Fill(id(1)),
        Called(id(3)),
        Called(id(2)),
        Called(id(0)),
    ];
    assert_eq!(order(objects), expected);
}

#[test]
fn what_is_made_from_objects_is_made_when_these_are_complete() {
    let objects = vec![
        instance(&[reference(1)]),
        built(&[reference(2)], &[]),
        list(&[reference(3)]),
        built(&[reference(4)], &[]),
        Object::Array { component: JavaType::Int, elements: vec![Value::Int(1)] },
    ];
    let expected = [
        Make(id(2)),
        Fill(id(0)),
        Fill(id(4)),
        Make(id(3)),
        Called(id(2)),
        Make(id(1)),
        // Its field was not there the first time.
        Fill(id(0)),
    ];
    assert_eq!(order(objects), expected);
}

#[test]
fn on_a_cycle_an_empty_object_is_made_first_and_called_last() {
    let expected =
        |list: u32, instance: u32| [Make(id(list)), Fill(id(instance)), Called(id(list))];
    assert_eq!(order(vec![list(&[reference(1)]), instance(&[reference(0)])]), expected(0, 1));
    assert_eq!(order(vec![instance(&[reference(1)]), list(&[reference(0)])]), expected(1, 0));
    let own = order(vec![list(&[reference(0)])]);
    assert_eq!(own, [Make(id(0)), Called(id(0))]);
    let mutual = order(vec![list(&[reference(1)]), list(&[reference(0)])]);
    assert_eq!(mutual, [Make(id(0)), Make(id(1)), Called(id(1)), Called(id(0))]);
}

#[test]
fn on_a_cycle_an_object_is_made_from_what_lacks_it_and_gets_it_then() {
    let objects = vec![instance(&[reference(1), Value::Int(1)]), built(&[reference(0)], &[])];
    // The number is there when the object is made.
    let expected = [Fill(id(0)), Make(id(1)), Fill(id(0))];
    assert_eq!(order(objects), expected);
    // A copy of a list of an instance that has the copy: the list is called before.
    let objects =
        vec![list(&[reference(1)]), instance(&[reference(2)]), built(&[reference(0)], &[])];
    let expected = [Make(id(0)), Fill(id(1)), Called(id(0)), Make(id(2)), Fill(id(1))];
    assert_eq!(order(objects), expected);
}

#[test]
fn what_a_cycle_leads_to_is_complete_before_anything_on_it_is_called() {
    // The second list is no part of the cycle, and comes behind the first one in the instance.
    let objects =
        vec![instance(&[reference(1), reference(2)]), list(&[reference(0)]), list(&[Value::Null])];
    let expected = [Make(id(1)), Make(id(2)), Fill(id(0)), Called(id(2)), Called(id(1))];
    assert_eq!(order(objects), expected);
}

#[test]
fn what_an_object_is_made_from_is_not_made_later_because_it_is_visited_first() {
    // An instance has the second object, which is made from the first one, which is made from the instance.
    let objects =
        vec![built(&[reference(1)], &[]), instance(&[reference(2)]), built(&[reference(0)], &[])];
    assert_eq!(order(objects), [Fill(id(1)), Make(id(0)), Make(id(2)), Fill(id(1))]);
    // A list has what is made from it.
    let objects = vec![built(&[reference(1)], &[]), list(&[reference(0)])];
    assert_eq!(order(objects), [Make(id(1)), Make(id(0)), Called(id(1))]);
}

#[test]
fn an_object_made_from_itself_has_no_order_and_does_no_harm() {
    assert_eq!(order(vec![built(&[reference(0)], &[])]), [Make(id(0))]);
    assert_eq!(order(vec![built(&[reference(7)], &[reference(8)])]), [Make(id(0)), Called(id(0))]);
    assert_eq!(order(vec![instance(&[reference(7)])]), [Fill(id(0))]);
}

#[test]
fn deep_and_wide_heaps_take_one_pass() {
    const COUNT: u32 = 100_000;
    let nested: Vec<Object> = (1..=COUNT)
        .map(|inner| if inner == COUNT { list(&[]) } else { list(&[reference(inner)]) })
        .collect();
    let steps = order(nested);
    assert_eq!(steps.last(), Some(&Called(id(0))));
    assert_eq!(steps.len(), 2 * COUNT as usize - 1);

    let copies = (1..=COUNT).map(reference).collect();
    let component = JavaType::Object("C".into());
    let mut wide = vec![Object::Array { component, elements: copies }];
    wide.extend((0..COUNT).map(|_| built(&[reference(0)], &[])));
    // The array lacks but the object that is visited first when it is filled for the second time.
    assert_eq!(order(wide).len(), COUNT as usize + 3);
}

#[test]
fn what_calls_are_given_is_reached() {
    let heap = Heap {
        objects: vec![
            built(&[reference(2)], &[reference(1), Value::Null]),
            Object::String("element".into()),
            list(&[reference(3)]),
            Object::String("inside".into()),
            Object::String("elsewhere".into()),
        ],
    };
    assert_eq!(heap.reached([reference(0)]), [0, 2, 1, 3].map(id));
    assert_eq!(heap.literal(reference(0)), None);
}

/// Follows an order as whoever builds the heap does.
struct Follower<'a> {
    heap: &'a Heap,
    /// What can be referred to.
    made: BTreeSet<ObjectId>,
    /// What has all that it holds.
    complete: BTreeSet<ObjectId>,
}

impl<'a> Follower<'a> {
    fn new(heap: &'a Heap) -> Follower<'a> {
        let made = (0..heap.objects.len() as u32).map(ObjectId);
        let made = made.filter(|id| is_filled(&heap.objects[id.0 as usize])).collect();
        Follower { heap, made, complete: BTreeSet::new() }
    }

    fn are_made(&self, values: &[Value]) -> bool {
        references(values).all(|id| self.made.contains(&id))
    }

    /// Whether everything that a call can see is complete, but for what leads to the object itself.
    fn sees_enough(&self, id: ObjectId, arguments: &[Value]) -> bool {
        let mut open: Vec<ObjectId> = references(arguments).collect();
        let mut seen = BTreeSet::new();
        while let Some(next) = open.pop() {
            if !seen.insert(next) {
                continue;
            }
            if self.complete.contains(&next) {
                let parts: Vec<Value> = self.heap.objects[next.0 as usize].parts().collect();
                open.extend(references(&parts));
            } else if !self.heap.reached([Value::Reference(next)]).contains(&id) {
                return false;
            }
        }
        true
    }

    fn follow(&mut self, step: BuildStep) {
        let (Make(id) | Fill(id) | Called(id)) = step;
        match (step, &self.heap.objects[id.0 as usize]) {
            (Make(_), Object::Built { by, calls, .. }) => {
                assert!(self.are_made(&by.arguments), "{step:?} from nothing");
                assert!(self.sees_enough(id, &by.arguments), "{step:?} too early");
                assert!(self.made.insert(id), "{step:?} twice");
                if calls.is_empty() {
                    self.complete.insert(id);
                }
            }
            (Called(_), Object::Built { calls, .. }) => {
                let arguments: Vec<Value> =
                    calls.iter().flat_map(|call| call.arguments.clone()).collect();
                assert!(self.made.contains(&id), "{step:?} on nothing");
                assert!(self.are_made(&arguments), "{step:?} with nothing");
                assert!(self.sees_enough(id, &arguments), "{step:?} too early");
                assert!(self.complete.insert(id), "{step:?} twice");
            }
            (Fill(_), object @ (Object::Array { .. } | Object::Instance { .. })) => {
                let parts: Vec<Value> = object.parts().collect();
                if self.are_made(&parts) {
                    self.complete.insert(id);
                }
            }
            (step, object) => panic!("{step:?} of {object:?}"),
        }
    }
}

/// Whether an object has to be there before it is made.
fn is_made_from_itself(heap: &Heap) -> bool {
    let mut made: BTreeSet<u32> = BTreeSet::new();
    let count = heap.objects.len() as u32;
    let can_be_made = |made: &BTreeSet<u32>, index: &u32| match &heap.objects[*index as usize] {
        Object::Built { by, .. } => references(&by.arguments).all(|id| made.contains(&id.0)),
        _ => true,
    };
    for _ in 0..count {
        let more: Vec<u32> = (0..count).filter(|index| can_be_made(&made, index)).collect();
        made.extend(more);
    }
    made.len() < heap.objects.len()
}

/// An object that refers to some of the first so many.
fn any_object(count: u32) -> impl Strategy<Value = Object> {
    let any_values = move |most| prop::collection::vec((0..count).prop_map(reference), 0..=most);
    prop_oneof![
        any_values(2).prop_map(|fields| instance(&fields)),
        any_values(2).prop_map(|elements| list(&elements)),
        (any_values(1), any_values(1)).prop_map(|(from, elements)| built(&from, &elements)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]
    #[test]
    fn any_heap_is_built_and_what_is_looked_at_is_complete(
        objects in prop::collection::vec(any_object(6), 6)
    ) {
        let heap = Heap { objects };
        let steps = heap.order_of_building();
        if is_made_from_itself(&heap) {
            return Ok(());
        }
        let mut follower = Follower::new(&heap);
        for step in steps {
            follower.follow(step);
        }
        prop_assert_eq!(follower.complete.len(), heap.objects.len());
    }
}
