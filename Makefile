# Each target makes the virtual environment by itself if it is missing or out of date.
# `make demo` and `make test` are all that a newcomer needs.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
OUT    ?= releases
# Processes of a compile; the result is the same for any number.
WORKERS ?= 2

PROJECTS := pyproject.toml evaluators/pyproject.toml constraints.txt

# What builds the wheels and checks them has an environment of its own: it brings much that
# neither package nor the tests need.
DIST   := .venv-dist
# Likewise what draws mutants of the code.
MUTANTS := .venv-mutants
# And what tasks are exported to for training. verifiers pins what others have newer.
TRL    := .venv-trl
VERIFIERS := .venv-verifiers
BASE   := $(VENV)/.base-installed
MODELS := $(VENV)/.models-installed

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-all check bench docs mutants dist release verify clean

help:  ## what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 18

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# The compiler, the evaluators and the tools to check them; no torch.
$(BASE): $(PROJECTS) | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e evaluators -e '.[fast,dev]'
	@touch $@

# torch and transformers on top, for whoever runs models.
$(MODELS): $(BASE)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt 'torch==2.13.0'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e 'evaluators[models]' -e '.[fast,dev]'
	@touch $@

$(VENV)/.demo-installed: $(PROJECTS) | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e evaluators -e .
	@touch $@

$(VENV)/.docs-installed: $(BASE)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e evaluators -e '.[fast,dev,docs]'
	@touch $@

setup: $(MODELS)  ## the virtual environment, with everything

demo: $(VENV)/.demo-installed  ## compile a small release and evaluate on it, without a network or torch
	@$(BIN)/sorites check specs/sample/syllobio-nli.yaml
	@$(BIN)/sorites compile specs/sample/syllobio-nli.yaml --out demo/releases --workers $(WORKERS)
	@$(BIN)/sorites verify demo/releases/sample-syllobio-nli/2.0.0
	@$(BIN)/sorites-eval run demo/releases/sample-syllobio-nli/2.0.0 --model random --limit 600 --out demo/runs
	@$(BIN)/sorites-eval run demo/releases/sample-syllobio-nli/2.0.0 --model oracle --limit 600 --out demo/runs
	@echo
	@echo 'Read demo/releases/sample-syllobio-nli/2.0.0/README.md; then try a model of your own:'
	@echo '  make setup'
	@echo '  $(BIN)/sorites-eval run demo/releases/sample-syllobio-nli/2.0.0 --model ORG/NAME --out demo/runs'

test: $(MODELS)  ## the tests, in under ten minutes on two cores
	$(BIN)/python -m pytest -q -n 2 --dist worksteal

test-all: $(MODELS) $(TRL)/.installed $(VERIFIERS)/.installed  ## the tests, with those that take minutes
	$(BIN)/python -m pytest -q -n 2 --dist worksteal -m 'slow or not slow'

$(TRL)/.installed: constraints.txt
	$(PYTHON) -m venv $(TRL)
	$(TRL)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt 'torch==2.13.0' trl
	@touch $@

$(VERIFIERS)/.installed: constraints.txt
	$(PYTHON) -m venv $(VERIFIERS)
	$(VERIFIERS)/bin/python -m pip install --quiet --disable-pip-version-check 'verifiers==0.4.0' 'uv==0.13.9' 'hatchling==1.33.0'
	@touch $@

check: $(MODELS)  ## formatting, lint, types, and every spec
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/sorites check specs/*.yaml specs/audits/*.yaml specs/papers/*.yaml specs/sample/*.yaml

bench: $(MODELS)  ## speed and memory, as ratios within one run
	$(BIN)/python -m tests.bench

docs: $(VENV)/.docs-installed  ## the documentation, in docs/_build/html; needs no network
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going --fresh-env -b html docs docs/_build/html
	@echo 'Open docs/_build/html/index.html'

$(MUTANTS)/.installed: constraints.txt
	$(PYTHON) -m venv $(MUTANTS)
	$(MUTANTS)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt cosmic-ray
	@touch $@

mutants: $(MODELS) $(MUTANTS)/.installed  ## change the core in a hundred small ways: do the tests notice?
	$(MUTANTS)/bin/python -m tests.mutants --named
	$(MUTANTS)/bin/python -m tests.mutants

$(DIST)/.installed: constraints.txt
	$(PYTHON) -m venv $(DIST)
	$(DIST)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt build check-wheel-contents hatchling twine
	@touch $@

dist: $(DIST)/.installed  ## wheels and sdists in dist/, each wheel from its sdist, and checked
	rm -rf dist
	$(DIST)/bin/python -m build --no-isolation --outdir dist evaluators
	$(DIST)/bin/python -m build --no-isolation --outdir dist .
	$(DIST)/bin/twine check --strict dist/*
	$(DIST)/bin/check-wheel-contents dist/*.whl

release: $(BASE)  ## compile, verify and publish every spec under specs/ to HUB_ORG
	@$(BIN)/sorites release specs/*.yaml --out $(OUT) --workers $(WORKERS)

verify: $(BASE)  ## rebuild every entry of the ledger whose sources are at hand, and compare
	@$(BIN)/sorites rebuild $(OUT) --workers $(WORKERS)

clean:  ## everything that was made, but not the ledger
	rm -rf $(VENV) $(DIST) $(MUTANTS) $(TRL) $(VERIFIERS) docs/_build docs/*/generated build dist demo runs *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
	rm -rf releases/*/*/data
