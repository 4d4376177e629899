#!/usr/bin/env bash
# Compiles fixtures/<topic>/**.java into build/fixtures/<topic>.
#
#   build-fixtures.sh [TOPIC...]     all topics unless some are named
#
# A fixture may have a line `// release: N`, at the top by custom; without it the
# fixture is compiled for Java 17. All files of one topic and release go to
# javac together, lower releases first, and a later group sees the earlier ones.
# A release that the JDK in use does not know is compiled by another JDK of this
# machine that does; when there is none, the files are listed on the terminal and
# in build/fixtures/NOT_BUILT.
#
# A topic is compiled again only when its stamp differs: the hash of its sources,
# of this script and of the compilers.
set -euo pipefail
# shellcheck source=tools/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

OUT="$BUILD/fixtures"
STAMPS="$OUT/.stamps"
JVM_DIR="${JVM_DIR:-/usr/lib/jvm}"
# -XDsuppressNotes: also no "Some input files use unchecked operations".
JAVAC_FLAGS=(-g -encoding UTF-8 -proc:none -Xlint:none -nowarn -XDsuppressNotes)
# A compiler that runs for a second or two is not worth much optimisation of its own.
JAVAC_FLAGS+=(-J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC)

# release_of FILE: the N of its line `// release: N`.
release_of() {
    awk -v release="$BASE_RELEASE" -v file="$1" '
        /^\/\/ *release:/ {
            if ($0 !~ /^\/\/ *release: *[0-9]+[ \r]*$/) {
                print "error: " file ":" FNR ": expected `// release: N`" > "/dev/stderr"
                failed = 1
            }
            gsub(/[^0-9]/, "")
            release = $0
            exit
        }
        END { if (failed) exit 1; print release }' "$1"
}

# jdk_for RELEASE: the JDK in use if it knows the release, else the oldest other
# one that does. Prints its home, or nothing.
jdk_for() {
    local release="$1" home version best="" best_version=0
    if [ "$MAIN_VERSION" -ge "$release" ]; then
        printf '%s\n' "$MAIN_JDK"
        return
    fi
    for home in "$JVM_DIR"/*/; do
        home="${home%/}"
        [ -x "$home/bin/javac" ] || continue
        version="$(feature_version "$home")" || continue
        if [ "$version" -ge "$release" ] && { [ -z "$best" ] || [ "$version" -lt "$best_version" ]; }; then
            best="$home"
            best_version="$version"
        fi
    done
    [ -z "$best" ] || printf '%s\n' "$best"
}

compiler_id() {
    local version
    if [ -r "$1/release" ]; then
        version="$(grep -E '^(JAVA_VERSION|IMPLEMENTOR)=' "$1/release" | sort | tr '\n' ' ')"
    else
        version="$("$1/bin/javac" -version 2>&1)"
    fi
    printf '%s\n' "$version"
}

# topic_hash RELEASE...: of the script, the compilers and the sources (on stdin,
# one path a line).
topic_hash() {
    local release jdk file
    {
        sha256sum <tools/build-fixtures.sh
        for release in "$@"; do
            jdk="$(jdk_for "$release")"
            printf 'release %s: %s\n' "$release" "$([ -z "$jdk" ] || compiler_id "$jdk")"
        done
        while IFS= read -r file; do
            sha256sum -- "$file"
        done
    } | sha256sum | cut -d ' ' -f 1
}

# build_topic TOPIC: one line of report; fails when javac does.
build_topic() {
    local topic="$1" file release jdk hash listing scratch not_built=0 n_files=0 status=0
    local -a releases
    listing="$(mktemp -d "$OUT/.list.XXXXXX")"
    # One file per release, each a list of sources.
    while IFS= read -r file; do
        release="$(release_of "$file")" || { rm -rf "$listing"; return 1; }
        printf '%s\n' "$file" >>"$listing/$release"
        printf '%s\n' "$file" >>"$listing/all"
        n_files=$((n_files + 1))
    done < <(find "fixtures/$topic" -name '*.java' -type f | LC_ALL=C sort)
    if [ "$n_files" -eq 0 ]; then
        rm -rf "$listing"
        echo "$topic: no Java files"
        return 0
    fi
    mapfile -t releases < <(find "$listing" -type f ! -name all -printf '%f\n' | sort -n)

    for release in "${releases[@]}"; do
        if [ -z "$(jdk_for "$release")" ]; then
            while IFS= read -r file; do
                echo "$file: not built: needs JDK $release" | tee -a "$OUT/NOT_BUILT"
                not_built=$((not_built + 1))
            done <"$listing/$release"
        fi
    done

    hash="$(topic_hash "${releases[@]}" <"$listing/all")"
    if [ -d "$OUT/$topic" ] && [ "$(cat "$STAMPS/$topic" 2>/dev/null)" = "$hash" ]; then
        rm -rf "$listing"
        echo "$topic: up to date ($((n_files - not_built)) files)"
        return 0
    fi

    rm -rf "${STAMPS:?}/$topic" "${OUT:?}/$topic"
    scratch="$(mktemp -d "$OUT/.new.XXXXXX")"
    chmod 755 "$scratch"
    for release in "${releases[@]}"; do
        jdk="$(jdk_for "$release")"
        [ -n "$jdk" ] || continue
        "$jdk/bin/javac" "${JAVAC_FLAGS[@]}" --release "$release" -cp "$scratch" -d "$scratch" \
            "@$listing/$release" >&2 || { status=1; break; }
    done
    if [ "$status" -eq 0 ]; then
        mv "$scratch" "$OUT/$topic"
        printf '%s\n' "$hash" >"$STAMPS/$topic"
        echo "$topic: compiled ($((n_files - not_built)) files)"
    else
        rm -rf "$scratch"
        echo "$topic: FAILED"
    fi
    rm -rf "$listing"
    return "$status"
}

# Classes of topics that are gone would still be found by tests.
remove_stale() {
    local stamp topic
    for stamp in "$STAMPS"/*; do
        [ -e "$stamp" ] || continue
        topic="$(basename "$stamp")"
        if [ ! -d "fixtures/$topic" ]; then
            rm -rf "${OUT:?}/$topic" "$stamp"
            echo "$topic: removed, its sources are gone"
        fi
    done
}

cd "$ROOT"
[ -d fixtures ] || die "there is no fixtures folder"
MAIN_JDK="$(jdk_home)" || die "no JDK found; run tools/setup.sh"
MAIN_VERSION="$(feature_version "$MAIN_JDK")" || die "cannot tell the version of the JDK in $MAIN_JDK"

with_lock fixtures
mkdir -p "$OUT" "$STAMPS"
rm -rf "$OUT"/.list.* "$OUT"/.new.* "$OUT"/.failed.*
remove_stale

# NOT_BUILT is written anew for the topics that are looked at now.
if [ "$#" -gt 0 ]; then
    topics=("$@")
    for topic in "${topics[@]}"; do
        [ -d "fixtures/$topic" ] || die "there is no fixtures/$topic"
    done
    touch "$OUT/NOT_BUILT"
    for topic in "${topics[@]}"; do
        awk -v prefix="fixtures/$topic/" 'index($0, prefix) != 1' "$OUT/NOT_BUILT" >"$OUT/.not_built"
        mv "$OUT/.not_built" "$OUT/NOT_BUILT"
    done
else
    mapfile -t topics < <(find fixtures -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | LC_ALL=C sort)
    rm -f "$OUT/NOT_BUILT"
fi

# Topics are compiled side by side. One broken topic does not keep the others from being built.
n_jobs="$(nproc 2>/dev/null || echo 2)"
for topic in "${topics[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge "$n_jobs" ]; do wait -n || true; done
    (
        trap '[ "$?" -eq 0 ] || touch "$OUT/.failed.$topic"' EXIT
        build_topic "$topic"
    ) &
done
wait
failed=()
for topic in "${topics[@]}"; do
    [ ! -e "$OUT/.failed.$topic" ] || failed+=("$topic")
done
rm -f "$OUT"/.failed.*
if [ -s "$OUT/NOT_BUILT" ]; then
    LC_ALL=C sort -o "$OUT/NOT_BUILT" "$OUT/NOT_BUILT"
else
    rm -f "$OUT/NOT_BUILT"
fi
[ "${#failed[@]}" -eq 0 ] || die "fixtures that do not compile: ${failed[*]}"
