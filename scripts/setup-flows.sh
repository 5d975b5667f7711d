#!/bin/sh
# Sees to it that what reads the files for other flows is there: FuseSoC from PyPI, in build/tools/fusesoc, and OpenSTA
# from Debian. Instant when nothing is missing.
set -eu
cd "$(dirname "$0")/.."

scripts/python-tools.sh build/tools/fusesoc fusesoc==2.4.7
command -v sta >/dev/null || scripts/setup.sh opensta
