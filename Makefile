# Two commands are all a newcomer needs: `make play` and `make test`. Both set everything up the first time.

SHELL := /bin/bash
.DEFAULT_GOAL := help

VENV := .venv
BIN := $(VENV)/bin
# Stamps, so that setting up again costs nothing.
PINNED := $(VENV)/.pinned
INSTALLED := $(VENV)/.installed
FETCHED := web/node_modules/.fetched
PAGE := sandtable/server/page/index.html
# The first Python on the machine that is new enough; PYTHON=/path/to/python overrides the search.
PYTHON ?= $(shell for name in python3 python3.13 python3.12 python3.11 python; do \
	$$name -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo $$name; break; }; done)

.PHONY: help setup web test play soak pictures bench format requirements clean

help: ## what each command does
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-14s %s\n", $$1, $$2}'

setup: $(INSTALLED) ## the virtual environment with everything in it, made once

$(PINNED): requirements/dev.txt
	@test -n "$(PYTHON)" || { echo "Sandtable needs Python 3.11 or newer with the venv module; none was found." >&2; exit 2; }
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@

# Built with the pinned tools that were just installed, not with whatever is newest today.
$(INSTALLED): $(PINNED) pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

web: $(PAGE) ## the page, built once and again when it changes

$(FETCHED): web/package-lock.json
	cd web && npm ci --silent
	@touch $@

$(PAGE): $(FETCHED) $(shell find web/src web/public web/index.html web/*.ts web/*.js -type f 2>/dev/null)
	cd web && npm run --silent build
	@touch $@

test: setup web ## format, lint, types, tests: all that a change must pass
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	cd web && npm run --silent check && npm run --silent test
	# Compiled once here, so that two test processes do not both compile the same kernels.
	$(BIN)/sandtable play --ruleset hof --red random --blue random --seed 1 --quiet
	$(BIN)/sandtable play --ruleset tr14 --red random --blue random --seed 1 --quiet
	$(BIN)/python -m sandtable.server.rehearsal
	$(BIN)/pytest -n 2 --dist worksteal -q
	$(BIN)/sandtable try
	$(BIN)/sandtable rules coverage --strict

play: setup web ## the table in the browser
	$(BIN)/sandtable serve

soak: setup web ## many random games, for a long while, looking for a crash
	$(BIN)/pytest -q -s -m soak tests/soak

pictures: setup web ## the README's pictures of the page, taken anew
	$(BIN)/python -m tests.page.pictures

bench: setup ## decisions, sight lines and copies per second
	$(BIN)/sandtable bench

format: setup ## put the code into the house's form
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

requirements: ## choose the pinned versions anew (needs the tool uv)
	uv pip compile pyproject.toml --extra dev --extra bench --extra postgres --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-emit-find-links --no-header --no-annotate --upgrade \
		--output-file requirements/dev.txt

clean: ## remove what can be made again
	rm -rf $(VENV) web/node_modules sandtable/server/page build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
