# Everything a person needs; each target sets up what it needs first. Python 3.11 or newer and make suffice.
PYTHON ?= python3
# By the settings of the server, and never by what a shell calls its own machine.
HOST = $(or $(WORT_HOST),127.0.0.1)
PORT = $(or $(WORT_PORT),8000)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# What Python compiles is kept, whatever the shell says: without it, every command takes more than twice as long.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help install serve test test-slow lint format types check docs wheels kernels release clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1 — \2/p' $(MAKEFILE_LIST)

# What serves, and no more; `make install` adds what builds and trains. Of the packages, Python compiles what is
# used when it is: a third of the time that it takes to compile all.
$(VENV)/serve.stamp: requirements-serve.txt pyproject.toml wort/pyproject.toml
	@echo "Installing what serving needs into $(VENV): some 450 MB and about a minute, this once."
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install --no-compile --require-hashes -r requirements-serve.txt
	$(PIP) install --quiet --no-deps --editable ./wort --editable .
	$(BIN)/python -m compileall -q app building datasets encoders features jit measures models papers snapshots training wiki wort wort_server
	touch $@

$(VENV)/install.stamp: requirements.txt $(VENV)/serve.stamp
	$(PIP) install --require-hashes -r requirements.txt
	$(BIN)/wort compare Atheism Religion > /dev/null # compiles what commands use
	touch $@

$(VENV)/dev.stamp: requirements-dev.txt $(VENV)/install.stamp
	$(PIP) install --require-hashes -r requirements-dev.txt
	touch $@

install: $(VENV)/install.stamp ## install what builds snapshots and trains models, too

serve: $(VENV)/serve.stamp ## serve the starter snapshot on http://HOST:PORT (127.0.0.1:8000)
	$(BIN)/wort serve --host $(HOST) --port $(PORT)

# A worker that dies ends the run: with another in its place, xdist may wait for ever for tests it gave to none.
PARALLEL = --numprocesses auto --dist loadfile --max-worker-restart 0

test: $(VENV)/dev.stamp lint types ## what must be green before a change lands (minutes)
	$(BIN)/python -m pytest -m "not slow" $(PARALLEL)

test-slow: $(VENV)/dev.stamp ## the longer suites: full builds of the real dumps, accuracy floors
	$(BIN)/python -m pytest -m "slow and not alone" $(PARALLEL) --durations 20
	$(BIN)/python -m pytest -m "slow and alone"

lint: $(VENV)/dev.stamp ## style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev.stamp ## static types
	$(BIN)/mypy

check: test test-slow ## everything that continuous integration runs

format: $(VENV)/dev.stamp ## rewrite the code in the project's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/dev.stamp ## build the documentation's site into docs/_build, to be read without a network
	$(BIN)/python -m sphinx --quiet --fail-on-warning --builder html --conf-dir docs/site . docs/_build
	@echo "Open docs/_build/index.html in a browser."

wheels: $(VENV)/dev.stamp ## build the client, the server and its starter, to be installed elsewhere, into dist/
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist ./wort ./deploy/starter .

kernels: $(VENV)/dev.stamp ## make the compiled code that comes with wort anew, for this version of Python
	rm -rf build/kernels
	$(BIN)/python -m benchmarks.synthetic 1000 build/kernels
	$(BIN)/wort build build/kernels/*multistream.xml.bz2 --output build/kernels/snapshot
	$(BIN)/python -m app.serving.compiling snapshots/starter build/kernels/snapshot

clean: ## remove the virtual environment and caches
	rm -rf $(VENV) docs/_build .mypy_cache .ruff_cache .pytest_cache .hypothesis

release: $(VENV)/dev.stamp ## make the release VERSION=1.2.0: version, changelog, wheels, checksums, tag (docs/releasing.md)
	$(BIN)/python deploy/release.py $(DRY_RUN) $(VERSION)
