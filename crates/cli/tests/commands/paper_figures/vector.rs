//! "Resource-driven CLP-based Test Case Generation", Fig. 2, 5 and 6. The rules of `multiples` are
//! those of Fig. 6, which is an abstraction: it has no instructions and no guards.
//!
//! Example 2, the two cases of `add` on an unknown vector, is not among the numbers: `size` is then
//! an unknown index, which the exported program would have to enumerate.

use super::{Row, answers, check_correspondence, rules, translated};

/// What differs:
/// - The paper leaves exceptions out; what follows an instruction that can throw is a rule of a
///   choice here, listed with the rule that it continues.
/// - `addc` increments the size before it stores the element, as javac orders it.
/// - javac jumps on the negated condition, so that the rules of `init` are in the other order.
const FIGURE: [Row; 16] = [
    (
        "add",
        &[(
            "add(1)",
            "get_field, get_field, add_if_8",
            "aload_0 getfield aload_0 getfield if_icmplt",
        )],
    ),
    ("if, first", &[("add_if_8(1)", "Size #< Cap, add_cont_15", "")]),
    (
        "if, second",
        &[
            ("add_if_8(2)", "Size #>= Cap, virtual:realloc, add_call_12", "aload_0 invokevirtual"),
            ("add_call_12(1)", "E = ok, add_cont_15", ""),
        ],
    ),
    (
        "addc",
        &[
            (
                "add_cont_15(1)",
                "get_field, get_field, V #= Size+1, set_field, add_store_31",
                "aload_0 getfield aload_0 dup getfield dup_x1 iconst_1 iadd putfield iload_1 iastore",
            ),
            ("add_store_31(1)", "Elems \\== null, in_bounds, set_array", "return"),
        ],
    ),
    (
        "realloc",
        &[
            (
                "realloc(1)",
                "get_field, Ncap #= Cap*2, realloc_new_8",
                "aload_0 getfield iconst_2 imul istore_1 iload_1 newarray",
            ),
            (
                "realloc_new_8(1)",
                "Ncap #>= 0, new_array, realloc_loop_13",
                "astore_2 iconst_0 istore_3",
            ),
        ],
    ),
    (
        "loop",
        &[("realloc_loop_13(1)", "get_field, realloc_if_18", "iload_3 aload_0 getfield if_icmpge")],
    ),
    (
        "cond, first",
        &[(
            "realloc_if_18(1)",
            "I #>= Cap, set_field, set_field",
            "aload_0 iload_1 putfield aload_0 aload_2 putfield return",
        )],
    ),
    (
        "cond, second",
        &[
            (
                "realloc_if_18(2)",
                "I #< Cap, get_field, realloc_load_28",
                "aload_2 iload_3 aload_0 getfield iload_3 iaload",
            ),
            (
                "realloc_load_28(1)",
                "Elems \\== null, in_bounds, get_array, realloc_store_29",
                "iastore",
            ),
            (
                "realloc_store_29(1)",
                "in_bounds, set_array, I1 #= I+1, realloc_loop_13",
                "iinc goto",
            ),
        ],
    ),
    (
        "init, first",
        &[
            ("Vector.init(1)", "init_if_5", "aload_0 invokespecial iload_1 ifle"),
            ("init_if_5(2)", "Icap #> 0, init_new_10", "aload_0 iload_1 newarray"),
            (
                "init_new_10(1)",
                "Icap #>= 0, new_array, set_field, set_field, set_field",
                "putfield aload_0 iload_1 putfield aload_0 iconst_0 putfield goto return",
            ),
        ],
    ),
    (
        "init, second",
        &[
            ("init_if_5(1)", "Icap #=< 0, initialise, init_init_28", "new"),
            (
                "init_init_28(1)",
                "E = ok, new_object, Exception.init, init_call_32",
                "dup invokespecial",
            ),
            ("init_call_32(1)", "E = ok", "athrow"),
        ],
    ),
    (
        "multiples",
        &[
            (
                "multiples(1)",
                "new_object, Vector.init, multiples_call_5",
                "new dup iload_2 invokespecial",
            ),
            ("multiples_call_5(1)", "E = ok, multiples_loop_12", "astore_3 iconst_0 istore"),
        ],
    ),
    (
        "mloop",
        &[
            ("multiples_loop_12(1)", "multiples_null_15", "iload aload_0 arraylength"),
            ("multiples_null_15(1)", "Ns \\== null, array_length, multiples_if_16", "if_icmpge"),
        ],
    ),
    ("mcond, first", &[("multiples_if_16(1)", "I #>= Length", "aload_3 areturn")]),
    (
        "mcond, second",
        &[
            ("multiples_if_16(2)", "I #< Length, multiples_load_22", "aload_0 iload iaload"),
            ("multiples_load_22(1)", "in_bounds, get_array, multiples_rem_24", "iload_1 irem"),
            ("multiples_rem_24(1)", "Div #\\= 0, V1 #= V rem Div, multiples_if_25", "ifne"),
        ],
    ),
    (
        "mif, first",
        &[
            ("multiples_if_25(1)", "V #\\= 0, multiples_cont_36", ""),
            ("multiples_cont_36(1)", "I1 #= I+1, multiples_loop_12", "iinc goto"),
        ],
    ),
    (
        "mif, second",
        &[
            ("multiples_if_25(2)", "V #= 0, multiples_load_32", "aload_3 aload_0 iload iaload"),
            (
                "multiples_load_32(1)",
                "in_bounds, get_array, virtual:add, multiples_call_33",
                "invokevirtual",
            ),
            ("multiples_call_33(1)", "E = ok, multiples_cont_36", ""),
        ],
    ),
];

/// Exceptions: of the callee, of null, of bounds, of sizes, of division.
const OTHERS: [&str; 16] = [
    "init_new_10(2)",
    "init_init_28(2)",
    "init_call_32(2)",
    "add_call_12(2)",
    "add_store_31(2)",
    "add_store_31(3)",
    "realloc_new_8(2)",
    "realloc_load_28(2)",
    "realloc_load_28(3)",
    "realloc_store_29(2)",
    "multiples_call_5(2)",
    "multiples_null_15(2)",
    "multiples_load_22(2)",
    "multiples_rem_24(2)",
    "multiples_load_32(2)",
    "multiples_call_33(2)",
];

#[test]
fn each_rule_of_vector_and_multiples_has_its_counterpart() {
    check_correspondence("Vector", &FIGURE, &OTHERS);
}

/// Fig. 5: instructions along the trace. The paper has 270, 86 and 247; these are what the JVM
/// executes in this class, as JDK 17's javac compiles it.
#[test]
fn instructions_add_up_along_a_trace() {
    let clauses = "
        trace_rules(Trace, [Rule|Rules]) :-
            Trace =.. [Name, Number, _, Traces],
            format(string(Rule), \"~w(~w)\", [Name, Number]),
            maplist(trace_rules, Traces, Lists),
            append(Lists, Rules).
        trace_of(Elements, Div, ICap, Rules) :-
            initial_heap('Vector', H0),
            build('[I', Elements, Ns, H0, H),
            multiples([Ns, Div, ICap], _, H, _, ok, Trace), !,
            trace_rules(Trace, Rules).
        ";
    let goals = [
        "goal(trace_of([2, 4, 6, 8], 2, 1, Rules), Rules)",
        "goal(trace_of([2, 3], 2, 4, Rules), Rules)",
        "goal(trace_of([2, 4, 6, 8], 2, 3, Rules), Rules)",
    ];
    let rules = rules(&translated("Vector"));
    let traces = answers("Vector", clauses, &goals);
    let count = |trace: &String| -> usize {
        let names = trace.trim_matches(['{', '}']).split(", ").map(|name| name.trim_matches('"'));
        names.map(|name| rules[name].mnemonics.len()).sum()
    };
    assert_eq!(traces.iter().map(count).collect::<Vec<_>>(), [250, 75, 227]);
}

/// Example 6: all four elements are multiples, which leaves four cases of the capacity.
#[test]
fn a_full_vector_grows_or_not_by_its_capacity() {
    let goal = "goal(( set_width(unbounded), set_exceptions(exclude),
            initial_heap('Vector', H0), input_array('[I', Ns, 4, H0, H),
            findall(Range, ( unfold(multiples([Ns, 1, ICap], _, H, _, _, _), 5),
                             fd_dom(ICap, Dom), term_string(Dom, Range) ), Ranges) ), Ranges)";
    let found = answers("Vector", "", &[goal]);
    assert_eq!(found, ["{\"4..sup\", \"3..3\", \"2..2\", \"1..1\"}"]);
}

/// Example 4 and 5: of 54 cases, the policy `memory > 48` removes the 23 that surely need less. An
/// object has 12 bytes, and an element 4; the lengths of arrays are the parameters of the trace.
#[test]
fn a_policy_on_memory_removes_23_of_54_cases() {
    let clauses = "
        elements(Trace, N) :-
            Trace =.. [_, _, Parameters, Traces],
            maplist(elements, Traces, Ns),
            append(Parameters, Ns, All),
            foldl([X, S0, S]>>(S #= S0 + X), All, 0, N).
        memories(Memories) :-
            set_width(unbounded), set_exceptions(exclude),
            initial_heap('Vector', H0), input_array('[I', Ns, _, H0, H),
            findall(Memory, ( unfold(multiples([Ns, _, _], _, H, _, _, Trace), 5),
                              elements(Trace, N), Bytes #= 12 + 4*N,
                              ( \\+ Bytes #> 48 -> Memory = Bytes ; Memory = more ) ), Memories).
        ";
    let found = answers("Vector", clauses, &["goal(memories(Memories), Memories)"]);
    let memories: Vec<&str> = found[0].trim_matches(['{', '}']).split(", ").collect();
    let count = |wanted: &str| memories.iter().filter(|memory| **memory == wanted).count();
    assert_eq!(memories.len(), 54);
    let counts = ["24", "36", "40", "48", "more"].map(count);
    assert_eq!(counts, [10, 6, 6, 1, 31]);
}
