#!/usr/bin/env bash
# Runs each fuzz target for FUZZ_SECONDS (60), or only those that are named.
#
#   fuzz.sh [TARGET...]
#
# What libFuzzer finds worth keeping goes to build/fuzz/<target>; crashes go to
# fuzz/artifacts/<target>. Seeds are read from fuzz/seeds/<target> where that
# exists; class files of the fixtures seed the target class_file.
set -euo pipefail
# shellcheck source=tools/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

SECONDS_EACH="${FUZZ_SECONDS:-60}"

cd "$ROOT"
if [ "$#" -gt 0 ]; then
    targets=("$@")
else
    list="$(cargo +nightly fuzz list)"
    mapfile -t targets <<<"$list"
fi

failed=()
for target in "${targets[@]}"; do
    printf '\n--- fuzz %s, %s seconds\n' "$target" "$SECONDS_EACH"
    corpora=("build/fuzz/$target")
    mkdir -p "${corpora[0]}"
    [ ! -d "fuzz/seeds/$target" ] || corpora+=("fuzz/seeds/$target")
    if [ "$target" = class_file ] && [ -d build/fixtures ]; then
        corpora+=(build/fixtures)
    fi
    cargo +nightly fuzz run "$target" "${corpora[@]}" -- \
        -max_total_time="$SECONDS_EACH" -timeout=10 -print_final_stats=1 || failed+=("$target")
done
[ "${#failed[@]}" -eq 0 ] || die "fuzz targets that failed: ${failed[*]}"
