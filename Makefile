# Everything sets up what it needs: a virtual environment with plain venv and pip, pinned by constraints.txt.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

# An editable install has no bytecode yet, and the command should start fast from the first time on.
COMPILE := $(BIN)/python -m compileall -q engine tui hunkdeck.py

.PHONY: demo test check lint types contracts bench bench-tui bench-queue screenshots battery faults format clean

demo: $(VENV)/.installed            ## the whole path on a sample workspace
	@$(BIN)/hunkdeck demo

test: $(VENV)/.ready                ## all tests
	$(BIN)/python -m pytest -n auto

check: lint types contracts test    ## what CI runs

lint: $(VENV)/.ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/.ready
	$(BIN)/mypy

contracts: $(VENV)/.ready
	$(BIN)/lint-imports

format: $(VENV)/.ready
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.ready               ## speed, as ratios against a baseline of the same run
	$(BIN)/python -m benchmarks.startup
	$(BIN)/python -m benchmarks.batch
	$(BIN)/python -m benchmarks.transaction
	$(BIN)/python -m benchmarks.matching
	$(BIN)/python -m benchmarks.line_edits

bench-tui: $(VENV)/.ready           ## the review app in a real terminal, beside a bare Textual app
	$(BIN)/python -m benchmarks.tui

bench-queue: $(VENV)/.ready         ## the watched queue: arrival, ten thousand at once, a thousand kills
	$(BIN)/python -m benchmarks.queue

screenshots: $(VENV)/.ready         ## the pictures in the documentation
	$(BIN)/python -m tests.tui.screenshots

battery: $(VENV)/.ready             ## the list of bad inputs and faults: tested, passed, missing; and that the tests bite
	$(BIN)/python -m tests.battery.report

faults: $(VENV)/.ready              ## slow sweeps: strace, races, power cuts, fuzzing; `git apply` under the same faults
	-@$(PIP_INSTALL) --editable '.[faults]' || echo 'no atheris for this Python: fuzzing is skipped'
	HUNKDECK_SLOW=1 $(BIN)/python -m pytest -n 0 tests/battery/slow tests/battery/test_i_power_cut.py -s -rs

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP_INSTALL) --editable .
	@$(COMPILE)
	@touch $@

$(VENV)/.ready: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP_INSTALL) --editable '.[dev]'
	@$(COMPILE)
	@touch $@ $(VENV)/.installed
