"""Examples in the referee's docstrings run."""

import doctest
import importlib
import pkgutil

import pytest

import referee

MODULES = [f"referee.{module.name}" for module in pkgutil.iter_modules(referee.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name: str) -> None:
    """Every example of the module gives what it shows."""
    assert doctest.testmod(importlib.import_module(name)).failed == 0
