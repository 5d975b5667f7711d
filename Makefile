# Every command a person types. `make help` lists them.

.DEFAULT_GOAL := help
.PHONY: help setup demo test testplan lint regress newer-tools mpi-test formal mutate bench bench-page synth clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install the tools that are missing, or say which
	@scripts/setup.sh

demo: setup ## generate, lint and simulate a small router; results in build/demo
	cargo run --quiet --release -- demo

# Documentation tests come first, so that the summary of all the others is the last thing on the screen.
test: setup ## run all tests
	cargo test --workspace --doc
	@if cargo nextest --version >/dev/null 2>&1; then \
		cargo nextest run --workspace --no-fail-fast; \
	else \
		cargo test --workspace --lib --bins --tests --no-fail-fast; \
	fi

testplan: ## show which points of the test plan have tests, and how these went in the last `make test` and `make regress`
	cargo run --quiet -- testplan

lint: setup ## check formatting, Rust lints, generated files, configurations and their Verilog
	cargo fmt --all -- --check
	cargo clippy --workspace --all-targets -- -D warnings
	scripts/regenerate.sh
	git diff --exit-code -- configs docs/registers.md
	@set -e; for config in configs/*.toml; do cargo run --quiet -- lint $$config; done

# Every run has other random cases; the first line tells how to repeat it, or to go on with it. A failing case prints its own
# seed, too.
regress: setup ## run all tests with many more random cases (FANTREE_KERNELS, from FANTREE_SEED), then tests/regression.toml
	@export FANTREE_SEED=$${FANTREE_SEED:-$$(date +%s)} FANTREE_KERNELS=$${FANTREE_KERNELS:-2000}; \
	echo "to repeat: FANTREE_SEED=$$FANTREE_SEED FANTREE_KERNELS=$$FANTREE_KERNELS make regress"; \
	FANTREE_LOCKSTEP_SEED=$$FANTREE_SEED FANTREE_LOCKSTEP_CYCLES=20000 $(MAKE) --no-print-directory test && \
	cargo run --quiet --release -- regress tests/regression.toml --seed $$FANTREE_SEED
	cargo run --quiet -- lint configs/router-5x8.toml --block router_tile --full
	scripts/setup-synth.sh
	scripts/setup-flows.sh
	scripts/setup-openocd.sh
	scripts/setup.sh chromium
	cargo test --quiet --test synth --test flows --test report_browser -- --ignored
	cargo test --quiet --workspace --test jtag -- --ignored
	cargo test --quiet --workspace --test regress -- --ignored each_kind_of_fault

# Everything runs with the programs that come first in PATH. What they need besides is looked for once they are there.
newer-tools: export PATH := $(CURDIR)/build/tools/newer/bin:$(PATH)
newer-tools: export YOWASP_CACHE_DIR := $(CURDIR)/build/tools/newer/cache
newer-tools: setup ## lint, lockstep and a simulation with current versions of Verilator and Yosys
	scripts/setup-newer-tools.sh
	scripts/setup.sh
	@set -e; for config in configs/*.toml; do cargo run --quiet --release -- lint $$config; done
	cargo test --quiet --workspace --test lockstep_cells --test lockstep_router
	cargo run --quiet --release -- sim configs/router-2x2.toml --load 0.9 --cycles 5000

mpi-test: setup ## check that a regression spread over ranks of MPI comes to the same results
	scripts/setup-mpi.sh
	cargo test --workspace --features mpi --test regress -- --ignored ranks_of_mpi

mutate: setup ## put faults into every unit and show which check finds each, and that all are found; in build/mutate
	cargo run --quiet --release -- mutate tests/structures/2x2-full.toml tests/structures/2x2-phases.toml \
		--all --waivers tests/mutants.toml

formal: setup ## prove what blocks must never do, by model checking; runs that break a claim in build/formal
	cargo run --quiet --release -- formal

bench: setup ## measure what the whole chip carries, its size and its speed; figures in build/bench
	cargo run --quiet --release -- bench

bench-page: setup ## the same with curves of all patterns, into docs/performance.md
	cargo run --quiet --release -- bench --curves --page docs/performance.md

# The whole tile of the 40-port chip is more than nextpnr can route: docs/area.md says why.
synth: setup ## measure area, longest path and clock of a tile; figures in docs/area.md and build/synth
	scripts/setup-synth.sh
	cargo run --quiet --release -- synth configs/router-5x8.toml --page docs/area.md
	cp build/synth/router-5x8/router_tile-ecp5.svg docs/area-ecp5.svg
	cp build/synth/router-5x8/router_tile-cells.svg docs/area-cells.svg
	cargo run --quiet --release -- synth configs/router-5x8.toml --block input_unit --target ecp5 --place --out build/synth/input_unit
	cargo run --quiet --release -- synth configs/router-4x2.toml --target ecp5 --place

clean: ## remove everything that was built
	rm -rf build
	cargo clean
