#!/bin/sh
# Sees to it that the tools fantree uses are there: installs what is missing from Debian's packages where that is
# allowed (as root, or by sudo without a password), else says exactly what to install. Instant when nothing is missing.
# Arguments are Debian packages that are missing as well.
set -eu

# A command or header, and the Debian package that has it.
needs() {
    if waves_need_lz4; then echo "/usr/include/lz4.h liblz4-dev"; fi
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
/usr/include/zlib.h zlib1g-dev
END
}

# Debian's Verilator compresses waves with zlib alone, newer ones with LZ4 too.
waves_need_lz4() {
    verilator=${VERILATOR:-verilator}
    there "$verilator" || return 1
    grep -qs -e -llz4 "$("$verilator" --getenv VERILATOR_ROOT)/include/verilated.mk"
}

there() {
    case $1 in
    /*) [ -e "$1" ] ;;
    *) command -v "$1" >/dev/null ;;
    esac
}

missing=$(needs | while read -r need package; do there "$need" || echo "$package"; done | sort -u | tr '\n' ' ')
missing="$missing$*"

if ! there cargo; then
    echo "fantree is built with Rust's cargo, which is missing: see https://rustup.rs" >&2
    exit 1
fi
[ -n "$missing" ] || exit 0

if ! there apt-get; then
    echo "missing, by the names of Debian's packages: $missing" >&2
    exit 1
elif [ "$(id -u)" -eq 0 ]; then
    as_root=""
elif there sudo && sudo -n true 2>/dev/null; then
    as_root="sudo -n"
else
    echo "missing packages: $missing" >&2
    echo "install them as root with:" >&2
    echo "  apt-get update && apt-get install --no-install-recommends $missing" >&2
    exit 1
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
    # shellcheck disable=SC2086 # no word or two
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q "$@" >"$log" 2>&1 || {
        echo "failed: apt-get $*" >&2
        cat "$log" >&2
        exit 1
    }
}

echo "reading Debian's list of packages"
apt update
for package in $missing; do
    echo "installing $package"
    apt install -y --no-install-recommends "$package"
done
