# Every command a person types. `make help` lists them.

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint regress clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install the tools that are missing, or say which
	@scripts/setup.sh

demo: setup ## generate, lint and simulate a small router; results in build/demo
	cargo run --quiet --release -- demo

# Documentation tests come first, so that the summary of all the others is the last thing on the screen.
test: setup ## run all tests
	cargo test --workspace --doc
	@if cargo nextest --version >/dev/null 2>&1; then \
		cargo nextest run --workspace; \
	else \
		cargo test --workspace --lib --bins --tests; \
	fi

lint: setup ## check formatting, Rust lints, generated files, configurations and their Verilog
	cargo fmt --all -- --check
	cargo clippy --workspace --all-targets -- -D warnings
	scripts/regenerate.sh
	git diff --exit-code -- configs

# A failing case prints its seed; FANTREE_SEED=... repeats the run it came from.
regress: setup ## run the tests with many more random cases (FANTREE_KERNELS, FANTREE_SEED)
	@seed=$${FANTREE_SEED:-$$(date +%s)}; kernels=$${FANTREE_KERNELS:-5000}; \
	echo "repeat with: make regress FANTREE_SEED=$$seed FANTREE_KERNELS=$$kernels"; \
	FANTREE_SEED=$$seed FANTREE_KERNELS=$$kernels $(MAKE) --no-print-directory test

clean: ## remove everything that was built
	rm -rf build
	cargo clean
