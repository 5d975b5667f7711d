#!/bin/sh
# Sees to it that packages from PyPI are in a Python environment of their own: python-tools.sh FOLDER PACKAGE==VERSION...
# Instant when they are.
set -eu
folder=$1
shift

# Written last, so the environment is either whole or made again.
installed=$folder/installed
if [ "$(cat "$installed" 2>/dev/null)" = "$*" ]; then exit 0; fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
fail() {
    echo "$1" >&2
    cat "$log" >&2
    exit 1
}

python3 -c "import ensurepip" 2>/dev/null || "$(dirname "$0")/setup.sh" python3-venv
echo "installing $* from PyPI"
rm -f "$installed"
mkdir -p "$(dirname "$folder")"
python3 -m venv --clear "$folder" >"$log" 2>&1 || fail "failed: python3 -m venv"
"$folder/bin/pip" install --quiet --disable-pip-version-check "$@" >"$log" 2>&1 || fail "failed: pip install $*"
echo "$*" >"$installed"
