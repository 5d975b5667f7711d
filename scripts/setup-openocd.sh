#!/bin/sh
# Sees to it that OpenOCD is there, which scans a simulated chip. Instant when nothing is missing.
set -eu
cd "$(dirname "$0")/.."

command -v openocd >/dev/null || scripts/setup.sh openocd
