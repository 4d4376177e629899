#!/usr/bin/env bash
# The main job, and what is behind it in six short steps; run it with `make demo`, which builds the
# binary and compiles the example first.
set -euo pipefail
# shellcheck source=tools/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# ---------------------------------------------------------------------------
# The question that step 6 puts to SWI-Prolog. It has to print its answer.
DEMO_GOAL="run_concrete('Lcm003', lcm, '(II)I', [4, 6], Lcm, _), print(lcm(4, 6) = Lcm), nl,
  set_width(unbounded), set_domain(-1000..1000), show_cases(lcm, 2)"
# ---------------------------------------------------------------------------

PETREL=target/release/petrel
SOURCE=fixtures/papers/Lcm003.java
CLASSES=build/fixtures/papers
TARGET='Lcm003#lcm'
OBJECTS=build/fixtures/heap
PROGRAM=build/demo/lcm.pl

step() { printf '\n--- %s\n\n' "$*"; }

# Shows a command as a person would type it.
show() { printf '$ %s\n\n' "$*"; }

cd "$ROOT"
[ -x "$PETREL" ] || die "$PETREL is not built; run: make demo"
[ -f "$CLASSES/Lcm003.class" ] || die "$CLASSES/Lcm003.class is not built; run: make fixtures"
mkdir -p "$(dirname "$PROGRAM")"

step "Tests for four classes of a small shop: written, compiled, run, and what was found."
show "petrel demo"
"$PETREL" demo

step "1. Behind it. The example: a Java method. Petrel reads its class file, never this source."
cat "$SOURCE"

step "2. The same method as a constraint logic program: one rule for each basic block."
show "petrel translate -c $CLASSES '$TARGET'"
"$PETREL" translate -c "$CLASSES" "$TARGET"

step "3. Petrel derives calls from it: the outcome is the JVM's, and no JVM takes part."
show "petrel run -c $CLASSES '$TARGET' 4 6"
"$PETREL" run -c "$CLASSES" "$TARGET" 4 6
printf '\n'
show "petrel run 'java.lang.String#format(Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;' '%s has %.2f' '{Pi, 3.14159}'"
"$PETREL" run 'java.lang.String#format(Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;' \
    '%s has %.2f' '{Pi, 3.14159}'

step "4. On unknown arguments it finds the test cases: every path, with inputs that take it."
show "petrel cases -c $CLASSES '$TARGET' --block-count 2"
"$PETREL" cases -c "$CLASSES" "$TARGET" --block-count 2
printf '\n'
show "petrel cases -c $OBJECTS 'HeapLists#contains' --loop 1"
"$PETREL" cases -c "$OBJECTS" 'HeapLists#contains' --loop 1

step "5. The same program for SWI-Prolog."
show "petrel translate --prolog -c $CLASSES '$TARGET' > $PROGRAM"
"$PETREL" translate --prolog -c "$CLASSES" "$TARGET" >"$PROGRAM"
printf '%s lines in %s\n' "$(wc -l <"$PROGRAM")" "$PROGRAM"

step "6. SWI-Prolog runs it on 4 and 6, and finds the paths on unknown arguments: block-count(2)."
show "swipl -g \"$DEMO_GOAL\" $PROGRAM"
swipl -q --on-error=status -g "$DEMO_GOAL" -t halt "$PROGRAM" </dev/null ||
    die "SWI-Prolog did not answer the goal"
