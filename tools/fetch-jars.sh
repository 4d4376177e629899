#!/usr/bin/env bash
# Fetches the jars that the differential tests read into build/jars, through
# Maven as it is configured on this machine. Jars that are there and have the
# recorded checksum (jars.sha256) are left alone, without any network.
set -euo pipefail
# shellcheck source=tools/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

JARS=(
    org.apache.commons:commons-lang3:3.17.0
    com.google.guava:guava:33.3.1-jre
    joda-time:joda-time:2.12.7
    org.jsoup:jsoup:1.18.1
    org.apache.commons:commons-math3:3.6.1
    # JUnit 5 with its launcher, and JUnit 4: what written tests are compiled and run with.
    org.junit.platform:junit-platform-console-standalone:1.11.4
    junit:junit:4.13.2
    org.hamcrest:hamcrest-core:1.3
    # JaCoCo: what written tests cover, measured by others.
    org.jacoco:org.jacoco.agent:0.8.14:jar:runtime
    org.jacoco:org.jacoco.cli:0.8.14:jar:nodeps
    # Classes of other compilers.
    org.jetbrains.kotlin:kotlin-stdlib:2.0.21
    org.scala-lang:scala-library:2.13.15
)
# The test suites that libraries publish, with what they need: for comparison in `make bench-full` (--suites).
SUITES=(
    org.apache.commons:commons-lang3:3.17.0:jar:tests
    org.apache.commons:commons-math3:3.6.1:jar:tests
    org.apache.commons:commons-text:1.12.0
    commons-io:commons-io:2.16.1
    org.easymock:easymock:5.4.0
    org.objenesis:objenesis:3.4
    org.hamcrest:hamcrest:2.2
    org.junit-pioneer:junit-pioneer:1.9.1
    org.openjdk.jmh:jmh-core:1.37
)
[ "${1:-}" != --suites ] || JARS+=("${SUITES[@]}")
COPY=org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy
SUMS="$ROOT/tools/jars.sha256"
DIR="$BUILD/jars"

# file_of GROUP:ARTIFACT:VERSION[:jar:CLASSIFIER]
file_of() {
    local artifact="${1#*:}"
    artifact="${artifact/:jar:/-}"
    printf '%s.jar\n' "${artifact/:/-}"
}

expected_sum() {
    awk -v file="$1" '$2 == file { print $1 }' "$SUMS"
}

intact() {
    local file="$1" expected
    expected="$(expected_sum "$file")"
    [ -n "$expected" ] || die "tools/jars.sha256 has no line for $file"
    [ -f "$DIR/$file" ] && [ "$(sha256sum "$DIR/$file" | cut -d ' ' -f 1)" = "$expected" ]
}

require_maven() {
    have mvn && return
    can_install || die "please install Maven (Debian: maven): it fetches the jars of the differential tests"
    apt_update
    apt_install maven
}

# Maven runs outside the project, so that no settings of a folder above it and
# no pom.xml take part.
fetch() {
    local coordinates="$1" file="$2" scratch
    scratch="$(mktemp -d "$DIR/.fetch.XXXXXX")"
    if ! (cd "$scratch" && mvn -q -B -ntp "$COPY" \
        -Dartifact="$coordinates" -DoutputDirectory="$scratch") </dev/null >"$scratch/log" 2>&1; then
        cat "$scratch/log" >&2
        rm -rf "$scratch"
        die "Maven could not fetch $coordinates"
    fi
    mv "$scratch/$file" "$DIR/$file"
    rm -rf "$scratch"
}

with_lock jars
mkdir -p "$DIR"
fetched=0
for coordinates in "${JARS[@]}"; do
    file="$(file_of "$coordinates")"
    if ! intact "$file"; then
        require_maven
        say "fetching $coordinates"
        fetch "$coordinates" "$file"
        intact "$file" || die "$file does not have the checksum recorded in tools/jars.sha256"
        fetched=$((fetched + 1))
    fi
done
echo "jars: ${#JARS[@]} in build/jars, $fetched fetched now"
