#!/bin/sh
# Sees to it that what `cargo build --features mpi` takes is there, from Debian's packages, as scripts/setup.sh does for the
# rest. Instant when nothing is missing.
set -eu
cd "$(dirname "$0")/.."

missing=
command -v mpirun >/dev/null || missing="$missing openmpi-bin"
command -v mpicc >/dev/null || missing="$missing libopenmpi-dev"
# The bindings are made from MPI's header by libclang.
ls /usr/lib/llvm-*/lib/libclang*.so* >/dev/null 2>&1 || missing="$missing libclang-dev"

# shellcheck disable=SC2086 # a word a package
exec scripts/setup.sh $missing
