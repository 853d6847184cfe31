# Two commands are all a newcomer needs: `make play` and `make test`. Both set everything up the first time.

SHELL := /bin/bash
.DEFAULT_GOAL := help

BIN := .venv/bin
# The first Python on the machine that is new enough; PYTHON=/path/to/python overrides the search.
PYTHON ?= $(shell for name in python3 python3.13 python3.12 python3.11 python; do \
	$$name -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo $$name; break; }; done)
# Makes what is missing or out of date, with a line of progress; the second time costs nothing.
SET_UP = @test -n "$(PYTHON)" || { echo "Sandtable needs Python 3.11 or newer with the venv module; none was found." >&2; exit 2; }; \
	$(PYTHON) tools/set_up.py

.PHONY: help setup web test play soak pictures bench format requirements clean

help: ## what each command does
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-14s %s\n", $$1, $$2}'

setup: ## the virtual environment with everything in it, made once
	$(SET_UP) python

web: ## the page, built once and again when it changes
	$(SET_UP) page

test: ## format, lint, types, tests: all that a change must pass
	$(SET_UP) system python page kernels
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	cd web && npm run --silent check && npm run --silent test
	$(BIN)/pytest -n 2 --dist worksteal -q
	$(BIN)/sandtable try
	$(BIN)/sandtable rules coverage --strict

play: ## the table in the browser
	$(SET_UP) python page
	$(BIN)/sandtable serve

soak: ## many random games, for a long while, looking for a crash
	$(SET_UP) system python page kernels
	$(BIN)/pytest -q -s -m soak tests/soak tests/hof tests/tr14 tests/sof

pictures: ## the README's pictures of the page, taken anew
	$(SET_UP) system python page kernels
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
	# What a server needs, in the very versions that are tested.
	uv pip compile pyproject.toml --extra postgres --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-emit-find-links --no-header --no-annotate \
		--constraint requirements/dev.txt --output-file requirements/server.txt

clean: ## remove what can be made again
	rm -rf .venv web/node_modules sandtable/server/page build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
