#!/usr/bin/env bash
# Installs what the project needs and is not there. When nothing is missing it
# neither calls apt nor touches the network.
#
#   setup.sh          a JDK, SWI-Prolog and z3 (demo, bench)
#   setup.sh test     these, rustfmt and clippy
#   setup.sh fuzz     a JDK, SWI-Prolog and z3, and cargo-fuzz
#   setup.sh deny     cargo-deny alone
set -euo pipefail
# shellcheck source=tools/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

JDK_PACKAGES=(openjdk-17-jdk-headless openjdk-21-jdk-headless openjdk-25-jdk-headless default-jdk-headless)
JDK_TOOLS=(java javac javap jlink)
SWI_MAJOR=9

# Each `*_problem` prints what is wrong, and nothing when all is well.

jdk_problem() {
    local home tool version
    home="$(jdk_home)" || { echo "no javac found"; return; }
    for tool in "${JDK_TOOLS[@]}"; do
        if [ -n "${JAVA_HOME:-}" ]; then
            [ -x "$home/bin/$tool" ] || { echo "no $tool in JAVA_HOME ($home)"; return; }
        else
            have "$tool" || { echo "no $tool on the path"; return; }
        fi
    done
    version="$(feature_version "$home")" || { echo "cannot tell the version of the JDK in $home"; return; }
    [ "$version" -ge "$BASE_RELEASE" ] || echo "the JDK in $home is version $version"
}

swi_problem() {
    local version
    have swipl || { echo "no swipl on the path"; return; }
    version="$(swipl --version | sed -n 's/^SWI-Prolog version \([0-9][0-9]*\).*/\1/p')"
    [ "${version:-0}" -ge "$SWI_MAJOR" ] || echo "swipl is of version ${version:-unknown}"
}

z3_problem() { have z3 || echo "no z3 on the path"; }

cc_problem() { have cc || echo "no C compiler, which cargo links with"; }

# The things that apt provides: NAME, what to ask a person for.
NEEDED=(jdk swi z3 cc)
describe() {
    case "$1" in
    jdk) echo "a JDK, version $BASE_RELEASE or newer, with ${JDK_TOOLS[*]} (Debian: openjdk-17-jdk-headless)" ;;
    swi) echo "SWI-Prolog, version $SWI_MAJOR or newer (Debian: swi-prolog-nox)" ;;
    z3) echo "z3 (Debian: z3)" ;;
    cc) echo "a C compiler (Debian: build-essential)" ;;
    esac
}

package_of() {
    case "$1" in
    jdk) apt_first_available "${JDK_PACKAGES[@]}" ;;
    swi) apt_first_available swi-prolog-nox ;;
    z3) apt_first_available z3 ;;
    cc) apt_first_available build-essential ;;
    esac
}

find_missing() {
    local thing problem
    missing=()
    for thing in "${NEEDED[@]}"; do
        problem="$("${thing}_problem")"
        if [ -n "$problem" ]; then
            say "missing: $problem"
            missing+=("$thing")
        fi
    done
}

# Says what a person has to install, and fails.
give_up() {
    local thing
    say "error: $1"
    for thing in "${missing[@]}"; do
        say "  - $(describe "$thing")"
    done
    exit 1
}

install_tools() {
    local thing package packages=()
    find_missing
    [ "${#missing[@]}" -gt 0 ] || return 0
    if [ -n "${JAVA_HOME:-}" ] && [ -n "$(jdk_problem)" ]; then
        die "JAVA_HOME is $JAVA_HOME, which will not do: $(jdk_problem); unset it or point it at a JDK of version $BASE_RELEASE or newer"
    fi
    can_install || give_up "please install these and try again (doing it here needs apt-get and root or sudo):"
    apt_update
    for thing in "${missing[@]}"; do
        package="$(package_of "$thing")" || give_up "apt has no package for all of these; please install them by hand:"
        packages+=("$package")
    done
    apt_install "${packages[@]}"
    hash -r
    find_missing
    [ "${#missing[@]}" -eq 0 ] || give_up "still missing after the installation:"
}

require_cargo() {
    have cargo || die "cargo is missing: install Rust (rustup with the stable toolchain) first"
}

require_component() {
    cargo "$1" --version >/dev/null 2>&1 || die "cargo $1 is missing: rustup component add $2"
}

# cargo_tool SUBCOMMAND CRATE: installed once, into cargo's own bin folder.
cargo_tool() {
    cargo "$1" --version >/dev/null 2>&1 && return
    say "installing $2 (a few minutes, once)"
    cargo install --locked "$2" || die "$2 could not be installed; try: cargo install --locked $2"
}

require_nightly() {
    cargo +nightly --version >/dev/null 2>&1 ||
        die "fuzzing needs a nightly toolchain: rustup toolchain install nightly --profile minimal"
}

require_cargo
case "${1:-base}" in
base)
    install_tools
    ;;
test)
    install_tools
    require_component fmt rustfmt
    require_component clippy clippy
    ;;
fuzz)
    require_nightly
    install_tools
    cargo_tool fuzz cargo-fuzz
    ;;
deny)
    cargo_tool deny cargo-deny
    ;;
*)
    die "usage: setup.sh [base|test|fuzz|deny]"
    ;;
esac
echo "all there"
