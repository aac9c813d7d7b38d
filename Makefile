# Everything works from a bare clone with Python 3.11, git and make: each target first brings .venv up to date.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.runtime
TOOLS := $(VENV)/.tools
YARDSTICKS := $(VENV)/.yardsticks
COMPILED := $(VENV)/compiled
# Puts the compiled copy before the sources; safe path, so that the working folder does not come first.
WITH_COMPILED := PYTHONSAFEPATH=1 PYTHONPATH=$(CURDIR)/$(COMPILED):$(CURDIR)
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
# Many tests wait for processes and clocks: twice the cores are never too many.
WORKERS := $(shell echo $$((2 * $$(getconf _NPROCESSORS_ONLN))))
ARGS ?=
N ?= 5000

.DEFAULT_GOAL := help
.PHONY: help setup proto play compiled serve test test-compiled test-all clients torture check format bench soak mutate cases golden record duel baseline wheels clean

help: ## Shows this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(TOOLS) ## Installs everything into .venv, the tools for development too, if that is not up to date

# The constraints pin what was tested. As an environment variable they hold for the build environments of pip as well, so
# that the code generator always fits the protobuf runtime. The generated package is made by installing ./proto.
export PIP_CONSTRAINT := constraints.txt

$(RUNTIME): pyproject.toml proto/pyproject.toml clients/python/pyproject.toml constraints.txt $(wildcard proto/unoduo/v1/*.proto)
	$(PYTHON) -m venv $(VENV)
	$(PIP) --editable ./proto --editable ./clients/python --editable .[tournament]
	@touch $@

$(TOOLS): $(RUNTIME)
	$(PIP) --editable .[dev]
	@touch $@

proto: $(TOOLS) ## Generates the package unoduo from proto/unoduo/v1 again
	PATH="$(CURDIR)/$(BIN):$$PATH" $(PIP) --no-deps --no-build-isolation --editable ./proto
	@touch $(RUNTIME) $(TOOLS)

play: $(RUNTIME) ## Plays a match of two bots and verifies its replay (ARGS="greedy greedy --target 100")
	$(BIN)/unoduo play $(ARGS)

# Made anew when any source has changed, so that what runs is never older than what was read.
$(COMPILED)/.made: $(TOOLS) $(shell find referee -name '*.py')
	rm -rf $(COMPILED)
	HATCH_BUILD_HOOKS_ENABLE=1 $(PIP) --no-deps --no-build-isolation --target $(COMPILED) .
	@ls $(COMPILED)/*__mypyc* >/dev/null 2>&1 || echo "no C compiler or no Python.h here: the copy is Python alone" >&2
	@touch $@

compiled: $(COMPILED)/.made ## Installs a copy of the referee into .venv/compiled, hot modules compiled if a C compiler is there

serve: $(COMPILED)/.made ## Serves matches with that copy (ARGS="--port 7878 --store matches")
	$(WITH_COMPILED) $(BIN)/python -m referee serve $(ARGS)

test-compiled: $(COMPILED)/.made ## Runs the fast tests of all that is compiled, with that copy
	$(WITH_COMPILED) $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -m "not slow and not exhaustive and not sources" \
		-o pythonpath="$(COMPILED) ." tests/compiled tests/rules tests/properties tests/adjudication tests/codec \
		tests/log tests/cases tests/audit tests/golden tests/match tests/server $(ARGS)

test: setup ## Runs the fast tests, a few minutes
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -m "not slow and not fetches and not exhaustive" $(ARGS)

# The slow ones one after the other: some keep the machine busy themselves.
test-all: test ## Runs all tests at suite size, the slow ones too, but those of make clients
	$(BIN)/python -m pytest -m "slow and not fetches and not exhaustive" $(ARGS)

clients: setup ## Builds and tests the clients of each language whose tools are here, and says which are not
	$(BIN)/python -m pytest -rs tests/clients $(wildcard tests/clients_*) tests/conformance/test_clients.py $(ARGS)

torture: setup ## Runs the tests of faults and figures at their large sizes and states figures, takes hours (ARGS="-k kills")
	UNODUO_TORTURE=1 $(BIN)/python -m pytest tests/faults tests/leaks tests/audit/test_edits.py tests/arena \
		tests/contest tests/clients_shared -p tests.faults.figures --timeout=0 -vv -s $(ARGS)

check: setup ## Checks style, types, layers, the wire against its baseline, and the commands of the documents
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy referee clients/python tests
	$(BIN)/lint-imports --no-cache
	cd proto && ../$(BIN)/buf lint
	cd proto && ../$(BIN)/buf breaking --against baseline.binpb
	$(BIN)/python -m pytest tests/docs

format: setup ## Formats the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(YARDSTICKS): $(TOOLS)
	$(PIP) --editable .[bench]
	@touch $@

bench: $(YARDSTICKS) $(COMPILED)/.made ## Measures engine and service, as compiled, beside their yardsticks
	$(WITH_COMPILED) $(BIN)/python -m tests.benchmarks $(ARGS)

soak: setup ## Plays N random rounds through all invariants and the checker (N=5000)
	$(BIN)/python -m tests.properties.soak $(N)

mutate: setup ## Breaks the pure core in each place and lists what no test notices, takes long (ARGS="referee.rules.*")
	$(BIN)/python -m tests.mutation.report $(ARGS)

cases: $(RUNTIME) ## Runs the cases of the rules
	$(BIN)/unoduo cases run proto/vectors/rules $(ARGS)

perft: setup ## Explores all small worlds, looking at each move (an hour)
	$(BIN)/python -m pytest tests/perft $(ARGS)

golden: setup ## Renews the golden logs on purpose
	$(BIN)/python -m tests.golden.make

record: setup ## Records a session of this version, once, for the tests of later ones
	$(BIN)/python -m tests.versions.record

duel: setup ## Plays 500 matches of two baselines (ARGS="careful greedy 500")
	$(BIN)/python -m tests.clients.duel $(or $(ARGS),careful greedy 500)

baseline: setup ## Renews proto/baseline.binpb on purpose; needs a "- Wire:" line under Unreleased in CHANGELOG.md
	@awk '/^## / { open = /Unreleased/ } open && /^- Wire:/ { found = 1 } END { exit !found }' CHANGELOG.md || \
		{ echo "baseline: first add a line '- Wire: ...' under Unreleased in CHANGELOG.md" >&2; exit 1; }
	cd proto && ../$(BIN)/buf build --exclude-source-info -o baseline.binpb

wheels: $(RUNTIME) ## Builds the wheels of the three distributions into dist/
	$(BIN)/pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist \
		./proto ./clients/python .

clean: ## Removes .venv, generated code and caches
	rm -rf $(VENV) dist mutants proto/gen/unoduo .mypy_cache .ruff_cache .pytest_cache .hypothesis
