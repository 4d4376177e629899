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
PLUGIN=org.apache.maven.plugins:maven-dependency-plugin
PLUGIN_VERSION=3.8.1
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

# item GROUP:ARTIFACT:VERSION[:jar:CLASSIFIER]: as an element of a pom.xml.
item() {
    local group artifact version classifier
    IFS=: read -r group artifact version _ classifier <<<"$1:"
    printf '<artifactItem><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version>' \
        "$group" "$artifact" "$version"
    printf '<classifier>%s</classifier></artifactItem>\n' "${classifier%:}"
}

# project GROUP:ARTIFACT:VERSION...: a pom.xml that copies these into its folder.
project() {
    local coordinates
    cat <<END
<project>
<modelVersion>4.0.0</modelVersion>
<groupId>petrel</groupId><artifactId>jars</artifactId><version>1</version><packaging>pom</packaging>
<build><plugins><plugin>
<groupId>${PLUGIN%:*}</groupId><artifactId>${PLUGIN#*:}</artifactId><version>$PLUGIN_VERSION</version>
<configuration><outputDirectory>\${project.basedir}</outputDirectory><artifactItems>
END
    for coordinates in "$@"; do item "$coordinates"; done
    echo "</artifactItems></configuration></plugin></plugins></build></project>"
}

# fetch GROUP:ARTIFACT:VERSION...: Maven starts once for all of them. It runs outside the project,
# so that no settings of a folder above it and no other pom.xml take part.
fetch() {
    local scratch coordinates file
    scratch="$(mktemp -d "$DIR/.fetch.XXXXXX")"
    project "$@" >"$scratch/pom.xml"
    if ! (cd "$scratch" && mvn -q -B -ntp "$PLUGIN:$PLUGIN_VERSION:copy") \
        </dev/null >"$scratch/log" 2>&1; then
        cat "$scratch/log" >&2
        rm -rf "$scratch"
        die "Maven could not fetch $*"
    fi
    for coordinates in "$@"; do
        file="$(file_of "$coordinates")"
        mv "$scratch/$file" "$DIR/$file"
    done
    rm -rf "$scratch"
    for coordinates in "$@"; do
        file="$(file_of "$coordinates")"
        intact "$file" || die "$file does not have the checksum recorded in tools/jars.sha256"
    done
}

with_lock jars
mkdir -p "$DIR"
missing=()
for coordinates in "${JARS[@]}"; do
    intact "$(file_of "$coordinates")" || missing+=("$coordinates")
done
if [ "${#missing[@]}" -gt 0 ]; then
    require_maven
    say "fetching ${missing[*]}"
    fetch "${missing[@]}"
fi
echo "jars: ${#JARS[@]} in build/jars, ${#missing[@]} fetched now"
