#!/bin/sh
# Sees to it that the tools fantree uses are there: installs what is missing from Debian's packages where that is
# allowed (as root, or by sudo without a password), else says exactly what to install. Instant when nothing is missing.
set -eu

# A command or header, and the Debian package that has it.
needs() {
    cat <<'END'
verilator verilator
yosys yosys
iverilog iverilog
gtkwave gtkwave
xvfb-run xvfb
xauth xauth
clang++ clang
g++ g++
make make
z3 z3
/usr/include/zlib.h zlib1g-dev
END
}

there() {
    case $1 in
    /*) [ -e "$1" ] ;;
    *) command -v "$1" >/dev/null ;;
    esac
}

missing=$(needs | while read -r need package; do there "$need" || echo "$package"; done | sort -u)

if ! there cargo; then
    echo "fantree is built with Rust's cargo, which is missing: see https://rustup.rs" >&2
    exit 1
fi
[ -n "$missing" ] || exit 0

install="apt-get install --no-install-recommends $(echo "$missing" | tr '\n' ' ')"
if ! there apt-get; then
    echo "missing, by the names of Debian's packages: $(echo "$missing" | tr '\n' ' ')" >&2
    exit 1
elif [ "$(id -u)" -eq 0 ]; then
    as_root="env DEBIAN_FRONTEND=noninteractive"
elif there sudo && sudo -n true 2>/dev/null; then
    as_root="sudo -n DEBIAN_FRONTEND=noninteractive"
else
    echo "some tools are missing; install them with:" >&2
    echo "  sudo $install" >&2
    exit 1
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
run() {
    $as_root "$@" >"$log" 2>&1 || {
        echo "failed: $*" >&2
        cat "$log" >&2
        exit 1
    }
}

echo "reading Debian's list of packages"
run apt-get update -q
for package in $missing; do
    echo "installing $package"
    run apt-get install -q -y --no-install-recommends "$package"
done
