# Everything a person needs; each target sets up what it needs first. Python 3.11 or newer and make suffice.
PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help serve test test-slow lint format types check wheels clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1 — \2/p' $(MAKEFILE_LIST)

$(VENV)/serve.stamp: requirements.txt pyproject.toml wort/pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.txt
	$(BIN)/python -m pip install --quiet --no-deps --editable ./wort
	$(BIN)/python -m pip install --quiet --no-deps --editable .
	$(BIN)/python -m compileall -q app building encoders features jit measures models papers snapshots training wiki wort wort_server
	touch $@

$(VENV)/dev.stamp: requirements-dev.txt $(VENV)/serve.stamp
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements-dev.txt
	touch $@

serve: $(VENV)/serve.stamp ## serve the starter snapshot on http://HOST:PORT (127.0.0.1:8000)
	$(BIN)/wort serve --host $(HOST) --port $(PORT)

test: $(VENV)/dev.stamp lint types ## what must be green before a change lands (minutes)
	$(BIN)/python -m pytest -m "not slow" --numprocesses auto --dist loadfile

test-slow: $(VENV)/dev.stamp ## the longer suites: full builds of the real dumps, accuracy floors
	$(BIN)/python -m pytest -m slow

lint: $(VENV)/dev.stamp ## style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev.stamp ## static types
	$(BIN)/mypy

check: test test-slow ## everything that continuous integration runs

format: $(VENV)/dev.stamp ## rewrite the code in the project's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

wheels: $(VENV)/dev.stamp ## build the client and the server, to be installed elsewhere, into dist/
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist ./wort .

clean: ## remove the virtual environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
