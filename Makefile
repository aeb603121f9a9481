# The commands that people and machines share; README.md says what each is for.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
CARGO ?= cargo
PROGRAMS := -p ghostlight -p ghostlight-mcp-connector -p ghostlight-browser-connector

.PHONY: demo test again peers audit fuzz bench soak

# An MCP client does a real job in a real Chromium.
demo:
	@scripts/need.sh cargo chromium
	$(CARGO) build --release $(PROGRAMS) -p ghostlight-tests --bins
	target/release/demo

# Everything: checks, units, whole processes, real Chromium without and with windows, widget libraries, the extension.
test:
	@scripts/need.sh cargo chromium Xvfb xdotool node npm python3 python3-venv
	$(CARGO) fmt --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	node --test $$(find extension/test service/page/test -name "*.test.*js")
	$(CARGO) build $(PROGRAMS)
	GHOSTLIGHT_HEADED=1 $(CARGO) test -p ghostlight-tests --test chromium_hidden
	$(CARGO) test --workspace --no-fail-fast

# The real-Chromium part of the tests RUNS (20) times in a row, without and with windows; ends at the first failure.
again:
	@scripts/need.sh cargo chromium Xvfb xdotool node npm python3 python3-venv
	$(CARGO) build $(PROGRAMS)
	scripts/again

# The edge with clients and suites that others wrote, which are installed below target/peers.
peers:
	@scripts/need.sh cargo chromium npm python3 python3-venv
	$(CARGO) build --release $(PROGRAMS) -p ghostlight-tests --bins
	tests/peers/run

# One JSON object, one figure a key; fails on a missed budget. Wants a quiet machine.
bench:
	@scripts/need.sh cargo chromium
	@$(CARGO) build --release $(PROGRAMS) -p ghostlight-tests --bins >&2
	@target/release/bench

# Licences, versions, sources and our own review of every crate in the programs.
audit:
	@scripts/audit

# Every parser that reads a peer, FUZZ_SECONDS (20) each.
fuzz:
	@scripts/need.sh cargo g++
	@scripts/fuzz

# Mixed load with random kills on a real Chromium, for SECONDS_TO_RUN (600).
soak:
	@scripts/need.sh cargo chromium
	$(CARGO) build $(PROGRAMS) -p ghostlight-tests --bins
	target/debug/soak
