# `make` lists what there is to make. Each target sets up what it needs.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory
# The steps of a target run in the order they are listed in.
.NOTPARALLEL:

CARGO ?= cargo
# A stale Cargo.lock is a mistake in CI and work in progress elsewhere.
LOCKED := $(if $(CI),--locked)
FUZZ_SECONDS ?= 60
export FUZZ_SECONDS
# Bash has a variable of this name, which counts.
SECONDS := $(if $(filter command line,$(origin SECONDS)),$(SECONDS),600)
unexport SECONDS
PROFILE := --profile checks
CHECKS := $(CARGO) run $(LOCKED) $(PROFILE) -q -p petrel-checks --
CHECKED := $(foreach option,$(LOCKED) $(PROFILE),--cargo $(option))

heading = printf '\n==> %s\n' "$(1)"

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: demo
demo: setup fixtures build ## write tests for an example and run them; translate a method, find its cases, and run it in SWI-Prolog
	@$(call heading,demo)
	@tools/demo.sh

# Sizes: see docs/testing.md. One profile for all that is compiled: what clippy and rustdoc need of it is there already.
.PHONY: check
check: fixtures jars fmt lint tests-check ## a little of everything, in minutes: while working, after a build
	@$(call heading,the small checks passed)

.PHONY: test
test: setup-test jars fixtures fmt lint doc tests-test ## every kind of check on a fixed sample, as CI runs them
	@$(call heading,all checks passed)

.PHONY: test-full
test-full: setup-test setup-deny jars fixtures fmt lint doc deny tests-full doc-tests ## every check on everything
	@$(call heading,all checks passed)

.PHONY: hunt
hunt: setup-test jars fixtures ## tests that draw, with new seeds and sizes, for SECONDS (600)
	@$(call heading,hunt)
	$(CHECKS) hunt $(SECONDS) $(CHECKED)

.PHONY: bench
bench: setup jars fixtures ## benchmarks on a sample
	@$(call heading,bench (sample))
	$(CARGO) build $(LOCKED) --release -p petrel-cli
	$(CARGO) run $(LOCKED) --release -p petrel-bench -- --sample

.PHONY: bench-full
bench-full: setup jars fixtures ## benchmarks on everything
	@$(call heading,bench (full))
	@tools/fetch-jars.sh --suites
	$(CARGO) build $(LOCKED) --release -p petrel-cli
	$(CARGO) run $(LOCKED) --release -p petrel-bench -- --full

.PHONY: fuzz
fuzz: setup-fuzz fixtures ## each fuzz target for FUZZ_SECONDS (60), on a nightly toolchain
	@$(call heading,fuzz)
	@tools/fuzz.sh

.PHONY: advisories
advisories: setup-deny ## known vulnerabilities in dependencies (fetches a database)
	@$(call heading,cargo deny: advisories)
	$(CARGO) deny $(LOCKED) check advisories

.PHONY: build
build: ## the release binary, target/release/petrel
	@$(call heading,build)
	$(CARGO) build $(LOCKED) --release -p petrel-cli

.PHONY: fixtures
fixtures: ## compile fixtures/ into build/fixtures
	@$(call heading,fixtures)
	@tools/build-fixtures.sh

.PHONY: jars
jars: ## fetch the jars of the differential tests into build/jars
	@$(call heading,jars)
	@tools/fetch-jars.sh

.PHONY: fmt
fmt: ## formatting, checked only
	@$(call heading,cargo fmt)
	$(CARGO) fmt --all --check
	rustfmt --check --edition 2024 fuzz/fuzz_targets/*.rs

.PHONY: lint
lint: ## clippy, warnings are errors
	@$(call heading,cargo clippy)
	$(CARGO) clippy $(LOCKED) $(PROFILE) --workspace --all-targets -- -D warnings

.PHONY: tests-check tests-test tests-full
# The Rust tests alone.
tests-check tests-test tests-full: tests-%:
	@$(call heading,tests ($*))
	PETREL_TEST_SIZE=$* $(CHECKS) run $(CHECKED)

.PHONY: doc-tests
doc-tests: ## the examples in the documentation of the crates
	@$(call heading,examples)
	$(CARGO) test $(LOCKED) $(PROFILE) --workspace --doc

.PHONY: doc
doc: ## the documentation of the crates, warnings are errors
	@$(call heading,cargo doc)
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc $(LOCKED) $(PROFILE) --workspace --no-deps

.PHONY: deny
deny: ## licences, bans and sources of the dependencies by cargo-deny (works offline)
	@$(call heading,cargo deny)
	$(CARGO) deny $(LOCKED) check licenses bans sources

.PHONY: setup setup-test setup-fuzz setup-deny
setup: ## install what is missing: a JDK, SWI-Prolog, z3
	@$(call heading,set-up)
	@tools/setup.sh

setup-test:
	@$(call heading,set-up)
	@tools/setup.sh test

setup-fuzz:
	@$(call heading,set-up)
	@tools/setup.sh fuzz

setup-deny:
	@$(call heading,set-up)
	@tools/setup.sh deny

.PHONY: clean
clean: ## remove what was built and fetched (fuzz/artifacts stays)
	$(CARGO) clean
	rm -rf build fuzz/target fuzz/coverage
