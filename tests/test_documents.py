"""What the documents say is so: their examples run, their commands and files exist."""

import doctest
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from companion.cli import cli, run
from companion.log.journal import Journal
from companion.settings import Settings, load_settings
from referee.match import replay
from tests.companion.conftest import own_home
from tests.companion.journals import knock_out, write
from tests.test_architecture import ROOT

README = (ROOT / "README.md").read_text()
DOCUMENTS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]

__all__ = ["own_home"]


def blocks(language: str, text: str = README) -> list[str]:
    """Return the fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def commands(group: click.Group, *path: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield every command of the program with the words that call it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from commands(command, *path, name)


COMMANDS = dict(commands(cli))
SHOWN = [
    shlex.split(line)[1:]
    for block in blocks("sh")
    for line in block.splitlines()
    if line.startswith("pachisi ")
]


def test_the_examples_of_the_readme_run() -> None:
    """Expect each example to give what is printed below it."""
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    found = doctest.testfile(
        str(ROOT / "README.md"), module_relative=False, optionflags=flags, encoding="utf-8"
    )
    assert found.attempted > 10
    assert found.failed == 0


@pytest.mark.parametrize("line", SHOWN, ids=" ".join)
def test_commands_in_the_readme_are_understood(line: list[str]) -> None:
    """Expect every argument and option of a command that is shown to be known and well formed."""
    name = tuple(line[:2]) if tuple(line[:2]) in COMMANDS else tuple(line[:1])
    command = COMMANDS[name]
    command.make_context(" ".join(name), line[len(name) :])


def test_commands_about_games_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Expect the commands that look at games to work as they are shown, with a game there."""
    folder = write(tmp_path, knock_out())
    with Journal.open(folder) as journal:
        journal.write_record(replay(line.event for line in journal.lines))
    shown = [line for line in SHOWN if line[0] == "games"]
    assert len(shown) == 9
    monkeypatch.chdir(tmp_path)  # they write files where they are called
    for line in shown:
        assert run([*line, "--games", str(tmp_path)]) == 0


def test_every_command_is_named_in_the_readme() -> None:
    """Expect a row for each command in the table of all commands."""
    table = README[README.index("## All commands") :]
    for name in COMMANDS:
        assert re.search(rf"`[^`]*\b{name[-1]}\b", table), name


@pytest.mark.parametrize("name", [(), *COMMANDS], ids=" ".join)
def test_every_command_explains_itself(
    name: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect help with a first sentence that is not cut short in the list of commands."""
    assert run([*name, "--help"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"Usage: {' '.join(('pachisi', *name))}")
    assert "..." not in re.sub(r"\[?[A-Z]+\]?\.\.\.\]?|,\.\.\.|/\.\.\.", "", shown)


def test_the_sample_settings_are_sound_and_whole(tmp_path: Path) -> None:
    """Expect the sample to load, and to name every setting there is."""
    (sample,) = blocks("toml")
    (tmp_path / "settings.toml").write_text(sample)
    settings = load_settings(tmp_path / "settings.toml")
    named = tomllib.loads(sample)
    assert set(named) == set(Settings.model_fields)
    assert settings.lamps
    assert set(named["lamps"]) == set(type(settings.lamps).model_fields)
    assert set(named["voice"]) == set(type(settings.voice).model_fields)
    assert set(named["timing"]) == set(type(settings.timing).model_fields)
    assert set(named["log"]) == set(type(settings.log).model_fields)
    assert settings.strip
    for name, section in (
        ("strip", settings.strip),
        ("buttons", settings.buttons),
        ("camera", settings.camera),
    ):
        assert set(named[name]) == set(type(section).model_fields)


def test_the_make_targets_that_are_named_exist() -> None:
    """Expect each `make X` of the documents in the Makefile."""
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {
        name
        for path in DOCUMENTS
        for name in re.findall(r"(?:^|`)make ([a-z-]+)", path.read_text(), re.MULTILINE)
    }
    assert {"demo", "test"} <= named <= targets


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    """Expect each link to a file of ours to have its file."""
    for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text()):
        assert (path.parent / target).exists(), target
