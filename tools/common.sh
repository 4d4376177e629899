# shellcheck shell=bash
# What the scripts beside this one share. Sourced, never run.

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
BUILD="$ROOT/build"

# The oldest JDK that works; also the release that fixtures are compiled for
# unless they ask for another one.
# shellcheck disable=SC2034  # used by the scripts that source this file
BASE_RELEASE=17

have() { command -v "$1" >/dev/null 2>&1; }

say() { printf '%s\n' "$*" >&2; }

die() {
    say "error: $*"
    exit 1
}

is_root() { [ "$(id -u)" -eq 0 ]; }

# Without a terminal nobody is there to type a password.
can_sudo() { have sudo && { [ -t 0 ] || sudo -n true 2>/dev/null; }; }

as_root() {
    if is_root; then
        "$@"
    else
        sudo "$@"
    fi
}

can_install() { have apt-get && { is_root || can_sudo; }; }

apt_update() {
    say "apt-get update"
    # An unreachable mirror is not the end: the package may be in the cache.
    as_root apt-get update -qq || say "warning: apt-get update failed, going on with the lists at hand"
}

# apt_install PACKAGE...: installs from the lists as they are.
apt_install() {
    say "apt-get install $*"
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@" >&2 || die "apt-get could not install: $*"
}

# The first of the given packages that apt can install.
apt_first_available() {
    local package policy
    for package in "$@"; do
        policy="$(apt-cache policy "$package" 2>/dev/null)"
        if grep -q '^ *Candidate: [^(]' <<<"$policy"; then
            printf '%s\n' "$package"
            return 0
        fi
    done
    return 1
}

# The JDK in use: JAVA_HOME, else the one whose javac is on the path.
jdk_home() {
    if [ -n "${JAVA_HOME:-}" ]; then
        printf '%s\n' "$JAVA_HOME"
    elif have javac; then
        dirname "$(dirname "$(readlink -f "$(command -v javac)")")"
    else
        return 1
    fi
}

# feature_version JDK_HOME: 17 for 17.0.15, 8 for 1.8.0_392.
feature_version() {
    local version=""
    if [ -r "$1/release" ]; then
        version="$(sed -n 's/^JAVA_VERSION="\(1\.\)\{0,1\}\([0-9][0-9]*\).*/\2/p' "$1/release")"
    fi
    if [ -z "$version" ] && [ -x "$1/bin/javac" ]; then
        version="$("$1/bin/javac" -version 2>&1 | sed -n 's/^javac \(1\.\)\{0,1\}\([0-9][0-9]*\).*/\2/p')"
    fi
    [ -n "$version" ] && printf '%s\n' "$version"
}

# with_lock NAME: holds build/NAME.lock until the script ends, so that two runs
# do not write the same files.
with_lock() {
    mkdir -p "$BUILD"
    if have flock; then
        exec 9>"$BUILD/$1.lock"
        flock 9
    fi
}
