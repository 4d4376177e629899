//! Values into a machine and out of it.

use petrel_classfile::JavaType;
use petrel_engine::{Import, Limits, Machine};
use petrel_filetests::derive;
use petrel_filetests::world::{jdk, root};
use petrel_value::{Heap, Object, Value};

#[test]
fn what_is_made_for_a_call_outlives_the_code_that_makes_boxes() {
    let procedures = derive::procedures(&jdk(), &root());
    // Making a box initialises its class: garbage is collected at each iteration of that.
    let mut machine = Machine::new(procedures, Limits { garbage: 1, ..Limits::default() });
    let mut heap = Heap::new();
    let elements = (0..100).map(Value::Int).collect();
    let numbers = heap.add_array(JavaType::Int, elements);
    let text = heap.add_string("text");
    let boxed = heap.add(Object::Boxed(Value::Int(100)));
    let import = Import::new(&mut machine, &heap).expect("all of it can be made");
    for value in [numbers, text, boxed] {
        let object = JavaType::Object("java/lang/Object".into());
        let (exported, after) = machine.export(import.value(value), &object);
        assert_eq!(after.get(exported), heap.get(value));
    }
}
