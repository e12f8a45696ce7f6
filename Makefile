# SPDX-License-Identifier: MIT
# Every command that a person types. The first run of each sets up what it needs (git-ignored: .venv, node_modules, build,
# firstfault/data); stamp files keep a second run from doing it again.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory

VENV    := .venv
PY      := $(VENV)/bin/python
PIP     := $(PY) -m pip --disable-pip-version-check install -qq --require-hashes
ADDRESS ?= 127.0.0.1:8000
SITE    ?= site
ARGS    ?=
# The theme's end of life is known (requirements/site.in pins it); six lines of it above every build hide what matters.
export NO_MKDOCS_2_WARNING := 1
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)

ENTRIES  := $(shell find entries -name '*.yaml' -o -type d)
DATABASE := firstfault/data/database.jsonl
COMMAND  := $(VENV)/.firstfault
READY    := $(COMMAND) $(DATABASE) node_modules/.installed

.PHONY: help serve test site check bench bench-cases bench-search bench-site bench-browser fuzz prove coverage wheel lint lock setup clean
help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 16

serve: $(READY) ## set everything up and serve the site with live reload
	@$(PY) -m mkdocs serve --livereload --dev-addr $(ADDRESS) $(ARGS)

test: setup ## set everything up and run every test, browser tests included (ARGS="-k word" for some)
	@$(PY) -m pytest $(ARGS)

site: $(READY) ## build the site into site/, ready to be hosted under any path
	@$(PY) -m mkdocs build --strict --clean --site-dir $(SITE)

check: $(COMMAND) ## validate every entry
	@$(VENV)/bin/firstfault check $(ARGS)

bench: $(COMMAND) $(DATABASE) ## score the matcher on the labelled logs, then measure its speed against ripgrep (a few minutes)
	@$(VENV)/bin/firstfault bench tests/cases $(ARGS)
	@$(PY) -m tests.speed.measure

bench-cases: $(VENV)/.site ## measure the matcher on the labelled logs and write proofs/bench.json, which the pages show (ARGS=--check compares)
	@$(PY) -m tools.bench_cases $(ARGS)

bench-site: setup ## measure page weights, build time per page, and what grows with 3,000 entries (ARGS=--keep writes proofs/site.md)
	@$(PY) -m tests.speed.bench_site $(ARGS)

bench-search: $(VENV)/.site $(DATABASE) node_modules/.installed ## measure the search on labelled queries and write proofs/search.md (ARGS=--missed lists misses)
	@$(PY) -m tests.searchbench $(ARGS)

bench-browser: setup ## measure in Chromium how long the first verdict takes, cold and warm, and a large log (ARGS=--keep writes proofs/browser.md)
	@$(PY) -m tests.speed.bench_browser $(ARGS)

fuzz: setup ## fuzz every reader for ten minutes, then the tests of hundreds of megabytes (ARGS="--minutes 60")
	@$(PY) -m tests.fuzz.run --minutes 10 $(ARGS)
	@$(PY) -m pytest -m slow tests/test_hostile.py

prove: $(VENV)/.site ## search every signal's text in the released software that prints it (ARGS="--clones DIR", "--all", words)
	@$(PY) -m tools.prove $(ARGS)

coverage: $(VENV)/.site ## list the field's messages that have no entry yet
	@$(PY) -m tools.coverage $(ARGS)

wheel: $(COMMAND) ## build the Python wheel into dist/
	@$(PY) -m tools.wheel dist

lint: $(VENV)/.test ## style of the Python code
	@$(PY) -m ruff check $(ARGS)

lock: ## compile requirements/*.in and package.json into their lock files
	@sh tools/lock.sh

setup: $(READY) $(VENV)/.test ## set everything up, run nothing
	@$(PY) -m tests.browser_binary

clean: ## remove everything that make made
	rm -rf $(VENV) node_modules build dist site firstfault/data *.egg-info

$(VENV)/.python: tools/make_venv.sh
	@echo "set-up: Python environment in $(VENV) (once, a minute or two)"
	@sh tools/make_venv.sh $(VENV)
	@touch $@

$(VENV)/.site: requirements/site.txt $(VENV)/.python
	@$(PIP) -r $<
	@touch $@

$(VENV)/.test: requirements/test.txt $(VENV)/.site
	@$(PIP) -r $<
	@touch $@

$(VENV)/.node: tools/ensure_node.py requirements/node.txt $(VENV)/.site
	@$(PY) tools/ensure_node.py
	@touch $@

# Editable: the command in .venv/bin runs the code of this checkout. As a plain path (compat): the usual import hook costs every start 25 ms.
$(COMMAND): pyproject.toml setup.py $(VENV)/.site
	@$(PY) -m pip --disable-pip-version-check install -qq --no-index --no-deps --no-build-isolation --editable . --config-settings editable_mode=compat
	@touch $@

node_modules/.installed: package.json package-lock.json .npmrc $(VENV)/.node
	@echo "set-up: npm packages"
	@npm ci --silent --no-progress
	@touch $@

$(DATABASE): $(ENTRIES) $(wildcard schema/*.json hooks/*.py proofs/bench.json) firstfault/patterns.py firstfault/database.py $(wildcard firstfault/search*.py overrides/assets/*.js overrides/assets/*.css) $(VENV)/.site
	@$(PY) -m hooks.bundle $(@D)
	@touch $@
