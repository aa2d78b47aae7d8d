# `make demo` and `make test` set everything up by themselves and need nothing before.
SHELL := /bin/bash
.PHONY: demo test tested check proof proof-camera install-pi figures screenshots clean help

BIN := .venv/bin
READY := .venv/.ready

# Set-up is done again when what it depends on has changed.
$(READY): pyproject.toml scripts/set-up $(wildcard constraints/*.txt)
	@scripts/set-up

demo: $(READY) ## play a whole game on the simulated table
	@$(BIN)/pachisi demo $(ARGS)

check: $(READY) ## format, lint, types
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/mypy tools

test: $(READY) ## all that must hold, in a few minutes
	@scripts/provide-browser || true
	@$(MAKE) --no-print-directory -j 2 check tested

tested:
	@$(BIN)/pytest -n 2 -m "not proof" $(ARGS)

proof: $(READY) ## the long measurements
	@scripts/provide-browser || true
	@$(BIN)/pytest -n 2 -m proof $(ARGS)

proof-camera: ## the real picamera2 with a virtual camera: root, 2 GB and some minutes
	@tests/virtual_camera/run

install-pi: ## make this Raspberry Pi a referee that starts by itself
	@scripts/install-pi $(ARGS)

figures: $(READY) ## measure on labelled pictures: make figures DATA=folder
	@test -n "$(DATA)" || { echo 'make figures DATA=folder of labelled sets'; exit 2; }
	@$(BIN)/python tools/figures.py "$(DATA)" --out docs/figures.md

screenshots: $(READY) ## make the README's pictures from the running program
	@scripts/provide-browser
	@$(BIN)/python tools/screenshots.py docs/pictures

clean: ## remove what make made
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

help: ## name the targets
	@sed -n 's/^\([a-z-]*\):.*## /    make \1: /p' Makefile
