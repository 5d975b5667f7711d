#!/bin/sh
# Writes the checked-in files that come from the sources. CI runs it and fails if anything changes.
set -eu
cd "$(dirname "$0")/.."

fantree() {
    cargo run --quiet -- "$@"
}

# What a command prints becomes a file once all of it is there.
aside=$(mktemp -d)
trap 'rm -rf "$aside"' EXIT

fantree config schema >"$aside/schema.json"
{
    cat <<'END'
# Configurations

<!-- Written by scripts/regenerate.sh: do not edit. -->

One TOML file describes one design; the files of this folder are generated, linted and simulated by CI. A new one is
checked by `fantree config check FILE`; `fantree config show FILE` lists it with all defaults filled in. Editors that
know JSON Schema find it in `schema.json`.

Unknown fields are errors. The fields:

END
    fantree config fields
} >"$aside/README.md"
cp "$aside/schema.json" "$aside/README.md" configs
fantree registers configs/router-5x8.toml >"$aside/registers.md"
cp "$aside/registers.md" docs
