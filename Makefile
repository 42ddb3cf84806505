# The interface of the project: people and CI call only these targets.
PYTHON ?= python3
UV_VERSION := 0.13.8
BIN := .venv/bin
export HEADROOM_WAREHOUSE ?= warehouse
# Each command would compile the modules that it imports: 10 s of CPU for dbt and Great Expectations.
unexport PYTHONDONTWRITEBYTECODE
# uv installs what uv.lock names into the .venv made here, and never a Python of its own.
UV := UV_PYTHON_DOWNLOADS=never UV_NO_PROGRESS=1 $(BIN)/uv

.DEFAULT_GOAL := help
.PHONY: help setup warehouse test-warehouse test trino torture coverage mutate lint golden wheel boards boards-e2e bench bench-growth corpus audit lock clean

help: ## show the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup: $(BIN)/.locked ## create .venv with the locked packages

$(BIN)/.locked: pyproject.toml uv.lock
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || \
	  { echo "headroom needs Python 3.11 to 3.13; '$(PYTHON)' is another: make PYTHON=python3.12 setup"; exit 2; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	$(UV) sync --quiet --frozen --inexact --python $(BIN)/python
	@touch $@

# A published warehouse is current while nothing that it depends on is newer: the data, and everything
# that reads, shapes or checks it. `find` and not make looks, for results have spaces in their names.
define if_stale
	@if [ ! -e "$(1)/headroom.duckdb" ] || [ -n "$$(find data -newer "$(1)/headroom.duckdb" -print -quit; \
	  find dbt_project headroom ingest expectations uv.lock -type f \
	  -not -name '*.pyc' -newer "$(1)/headroom.duckdb" -print -quit)" ]; then \
	  $(2); fi
endef

warehouse: $(BIN)/.locked ## ingest data/, build, check, publish, and show the status
	$(call if_stale,$(HEADROOM_WAREHOUSE),$(BIN)/headroom nightly data)
	@$(BIN)/headroom status

# Made from nothing: yours may hold results that the tests do not know. `headroom build` runs the models'
# unit tests, and the night finds nothing new.
TEST_WAREHOUSE := .test-warehouse

test-warehouse: $(BIN)/.locked ## build the warehouse of the tests, with the models' unit tests
	$(call if_stale,$(TEST_WAREHOUSE),rm -rf $(TEST_WAREHOUSE); for step in "ingest data" build "nightly data"; do \
	  $(BIN)/headroom --warehouse $(TEST_WAREHOUSE) $$step || exit 1; done)

# xdist would put files with many tests first: tests/conftest.py puts the long ones there.
test: $(BIN)/.locked ## all tests: lint, types, dbt build, unit, golden and end-to-end tests
	@$(MAKE) --no-print-directory --jobs=2 lint test-warehouse
	HEADROOM_TEST_WAREHOUSE=$(TEST_WAREHOUSE) $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

SECONDS_EACH ?= 300
TREES ?= 250
HISTORIES ?= 60

torture: $(BIN)/.locked ## damaged files for each parser for SECONDS_EACH (300); TREES (250) of hostile files; HISTORIES (60) of nightly runs, machines that copy meanwhile, wrong clocks and lost releases; 20 power failures, 16 readers of 50 publications, 12 killed runs, 200 arrays; not part of test
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS_EACH)
	$(MAKE) --no-print-directory test-warehouse
	$(BIN)/python -m tests.fuzz_trees --trees $(TREES) --warehouse $(TEST_WAREHOUSE)
	HISTORIES=$(HISTORIES) HEADROOM_TEST_WAREHOUSE=$(TEST_WAREHOUSE) $(BIN)/python -m pytest -q -n 2 tests/test_refresh.py
	POWER_CUTS=20 $(BIN)/python -m pytest -q tests/test_power_cut.py
	READERS=16 PUBLICATIONS=50 $(BIN)/python -m pytest -q tests/test_readers.py
	KILLS=12 ARRAYS=200 HEADROOM_TEST_WAREHOUSE=$(TEST_WAREHOUSE) $(BIN)/python -m pytest -q tests/test_archive.py tests/test_ceilings.py
	CLOCKS=$(HISTORIES) HEADROOM_TEST_WAREHOUSE=$(TEST_WAREHOUSE) $(BIN)/python -m pytest -q -n 2 tests/test_clocks.py
	COPY_KILLS=$(HISTORIES) $(BIN)/python -m pytest -q -n 2 tests/test_many_machines.py

trino: test-warehouse ## build all models on a Trino of three nodes here (downloads 530 MB once), and compare each table with DuckDB's
	$(UV) sync --quiet --frozen --inexact --group trino-server --python $(BIN)/python
	$(BIN)/python -m tests.trino --warehouse $(TEST_WAREHOUSE) $(ARGS)

QUALITY := $(UV) sync --quiet --frozen --inexact --group test-quality --python $(BIN)/python

# The data is kept by absolute path: commands of the tests run in other folders, too.
coverage: export COVERAGE_FILE := $(CURDIR)/.coverage/data
coverage: test-warehouse ## lines and branches that the tests reach, in all processes: a table, and .coverage/html/
	@$(QUALITY)
	rm -rf .coverage && mkdir .coverage
	HEADROOM_TEST_WAREHOUSE=$(TEST_WAREHOUSE) $(BIN)/coverage run -m pytest -n 2 --dist loadfile --no-loadscope-reorder
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage html --quiet
	$(BIN)/coverage report

mutate: test-warehouse ## small changes of the code that no test notices; MODULES="fio sidecar", ARGS="--most 0" for all changes
	@$(QUALITY)
	HEADROOM_TEST_WAREHOUSE=$(CURDIR)/$(TEST_WAREHOUSE) $(BIN)/python -m tests.mutation --warehouse $(TEST_WAREHOUSE) $(MODULES) $(ARGS)

lint: $(BIN)/.locked .sqlfluff-clean ## ruff, mypy, sqlfluff
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --quiet --check .
	$(BIN)/mypy
	$(BIN)/sqlfluff lint --templater placeholder --disable-progress-bar expectations/checks docs/queries tests/raw_rows

# What sqlfluff found clean is read again when it, a macro or a rule has changed: a minute for all.
.sqlfluff-clean: .sqlfluff uv.lock $(shell find dbt_project -name '*.sql' -not -path '*/target/*') | $(BIN)/.locked
	PYTHONWARNINGS=ignore::UserWarning $(BIN)/sqlfluff lint --processes 2 --disable-progress-bar \
	  $(if $(filter-out dbt_project/models/% dbt_project/tests/%,$?),dbt_project,$?)
	@touch $@

golden: $(BIN)/.locked ## rewrite the golden files; read the diff before committing it
	$(BIN)/python -m pytest tests/test_golden.py --regenerate

DIST ?= dist
wheel: $(BIN)/.locked ## build dist/headroom-*.whl, to install anywhere (docs/install.md)
	$(UV) build --quiet --wheel --no-build-isolation --python $(BIN)/python --out-dir $(DIST)

boards: $(BIN)/.locked ## write dashboards/generated/ and dbt's exposures from dashboards/boards/
	$(BIN)/python -m dashboards

boards-e2e: warehouse ## every board in a real Grafana (GRAFANA_URL, or GRAFANA_HOME to start one) and Chromium
	$(UV) sync --quiet --frozen --inexact --group boards-e2e --python $(BIN)/python
	$(BIN)/python -m tests.boards_e2e --warehouse $(HEADROOM_WAREHOUSE) $(ARGS)

SIZE := full
bench: $(BIN)/.locked ## time ingest, nights and the boards' queries; SIZE=small is quick, ARGS=--write keeps the figures
	$(BIN)/python -m benchmarks.ingest --size $(SIZE) $(ARGS)
	$(BIN)/python -m benchmarks.nightly --size $(SIZE) $(ARGS)

bench-growth: $(BIN)/.locked ## measure how the cost of ingest grows with files, jobs, documents, revisions and lines
	$(BIN)/python -m benchmarks.growth --size $(SIZE)

audit: $(BIN)/.locked ## licences, checksums, an SBOM (.audit/), and known vulnerabilities (asks api.osv.dev)
	$(BIN)/python -m pytest -q tests/test_licences.py
	mkdir -p .audit
	$(UV) export --quiet --frozen --no-dev --format cyclonedx1.5 --output-file .audit/sbom.cdx.json
	$(UV) audit --frozen --no-dev

corpus: $(BIN)/.locked ## DIRS="a b": checkouts of public results through one night; ARGS=--write keeps the report
	$(BIN)/python -m benchmarks.corpus $(DIRS) $(ARGS)

lock: $(BIN)/.locked ## update uv.lock from pyproject.toml
	$(UV) lock --upgrade

clean: ## remove everything the targets made (not .venv)
	rm -rf .bench .boards .coverage .mutation .sqlfluff-clean .trino/work dist $(HEADROOM_WAREHOUSE) $(TEST_WAREHOUSE) dbt_project/target dbt_project/logs .pytest_cache .mypy_cache .ruff_cache
