"""What is counted over games: waits, times, comebacks, and what an evening cost."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from companion.cli import run
from companion.log.journal import Journal
from companion.log.lines import Line, Writer
from companion.log.plots import write_plots
from companion.log.statistics import payments, statistics
from companion.phrases.written import Written
from referee.events import (
    CheckerEntered,
    CheckerKnockedOut,
    CheckerMoved,
    DieThrown,
    Event,
    GameWon,
    Paused,
    PlayerRenamed,
    Resumed,
)
from tabletop import Colour, Seat, parse_square
from tests.companion.journals import BLUE, RED, SETUP, STARTED_AT, knock_out, write

WON = GameWon(Seat.D4, Colour.RED, 21, ((Seat.D4, 11), (Seat.D2, -11)))


def logged(*timed: tuple[float, Event], writer: Writer | None = None) -> tuple[Line, ...]:
    """Return lines of a game, each so many seconds after the first."""
    return tuple(
        Line(number, STARTED_AT + timedelta(seconds=at_s), event, writer if number == 1 else None)
        for number, (at_s, event) in enumerate(timed, 1)
    )


def thrown(value: int) -> DieThrown:
    """Return a throw of the first player."""
    return DieThrown(Seat.D4, RED, value)


ENTERED = CheckerEntered(Seat.D4, RED, parse_square("b1"))


def test_throws_until_a_six_are_counted() -> None:
    """Expect for each six the throws since the last, the others being open still."""
    lines = logged((0, SETUP), *((n, thrown(v)) for n, v in enumerate((1, 2, 6, 6, 3, 4, 5, 6, 1))))
    anna, boris = statistics([lines])
    assert anna.six_waits == [3, 1, 4]
    assert boris.six_waits == []


def test_only_moves_that_somebody_thought_over_are_timed() -> None:
    """Expect a move after five seconds; not one seen with its throw, after a pause, or hours."""
    lines = logged(
        (0, SETUP),
        (1, thrown(6)), (6, ENTERED),
        (7, thrown(6)), (7.1, ENTERED),
        (8, thrown(6)), (9, Paused()), (50, Resumed()), (51, ENTERED),
        (60, thrown(6)), (5000, ENTERED),
    )  # fmt: skip
    anna, _ = statistics([lines])
    assert anna.move_s == [5.0]
    imported = logged((0, SETUP), (1, thrown(6)), (6, ENTERED), writer=Writer(imported="record"))
    assert statistics([imported])[0].move_s == []


@pytest.mark.parametrize(("there", "squares"), [("d1", 32), ("e8", 0)])
def test_a_win_from_behind_is_a_comeback(there: str, squares: int) -> None:
    """Expect by how far the winner was behind where that was a round or more, and else nothing.

    A blue checker on d1 has come 17 squares, and there are two; the red one has come two.
    """
    to = parse_square(there)
    lines = logged(
        (0, SETUP),
        (1, ENTERED),
        (2, CheckerMoved(Seat.D4, RED, parse_square("b1"), parse_square("c1"), 1)),
        *((3 + n, CheckerEntered(Seat.D2, BLUE, parse_square("g8"))) for n in range(2)),
        *((5 + n, CheckerMoved(Seat.D2, BLUE, parse_square("g8"), to, 6)) for n in range(2)),
        (8, CheckerKnockedOut(Seat.D2, BLUE, to, Seat.D4)),
        (9, WON),
    )
    anna, _ = statistics([lines])
    assert anna.comebacks == ([squares] if squares else [])


def test_an_evening_is_settled_by_unit() -> None:
    """Expect payments for each unit by itself."""
    lines = logged((0, SETUP), (1, WON))
    other = logged((0, replace(SETUP, unit="chips")), (1, WON))
    owed = payments(statistics([lines, other, other]))
    assert {unit: [tuple(one) for one in due] for unit, due in owed.items()} == {
        "points": [("Борис", "Anna", 11)],
        "chips": [("Борис", "Anna", 22)],
    }


def test_statistics_of_an_evening_are_told_and_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Expect the tables, the die in words, who owes whom, and a picture of each plot."""
    games = tmp_path / "games"
    write(games, [*knock_out(), WON])
    day = f"{STARTED_AT.astimezone():%Y-%m-%d}"
    plots = tmp_path / "plots"
    command = ["games", "stats", "--games", str(games), "--evening", day, "--plots", str(plots)]
    assert run([*command, "--plot-format", "svg"]) == 0
    out = capsys.readouterr().out
    assert "Борис owes Anna 11 points" in out
    assert "too few" in out
    assert {path.name for path in plots.iterdir()} == {
        "throws.svg", "knock-outs.svg", "waits-for-a-six.svg", "move-times.svg", "balances.svg",
        "payments.svg",
    }  # fmt: skip
    assert "<svg" in (plots / "throws.svg").read_text()
    assert run(["games", "stats", "--games", str(games), "--evening", "2020-01-01"]) == 0
    assert "Anna" not in capsys.readouterr().out


def test_odd_names_are_drawn(tmp_path: Path) -> None:
    """Expect names with signs of mathematics, or that the font lacks, to spoil no plot."""
    folder = write(tmp_path / "games", knock_out())
    with Journal.open(folder) as journal:
        for seat, name in ((Seat.D4, r"$\frac{x$"), (Seat.D2, "漢字")):
            journal.append(PlayerRenamed(seat, name), journal.lines[-1].at)
    assert run(["games", "stats", str(folder), "--plots", str(tmp_path / "plots")]) == 0
    assert len(list((tmp_path / "plots").iterdir())) == 6


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_an_evening_at_the_end_of_time_has_no_games(day: str, tmp_path: Path) -> None:
    """Expect no trouble with it."""
    write(tmp_path, knock_out())
    assert run(["games", "stats", "--games", str(tmp_path), "--evening", day]) == 0


def test_two_of_one_name_are_two_people() -> None:
    """Expect their seats to tell apart two who play each other under the same name."""
    twins = replace(SETUP, names=((Seat.D4, "Anna"), (Seat.D2, "Anna")))
    names = [player.name for player in statistics([logged((0, twins)), logged((0, SETUP))])]
    assert names == ["Anna (D4)", "Anna (D2)", "Anna", "Борис"]


def test_a_name_of_any_kind_is_in_the_plots(tmp_path: Path) -> None:
    """Expect names that the plots' library would hide, and ones too long for them, to be drawn."""
    names = ((Seat.D4, "_Anna"), (Seat.D2, "B" * 10_000))
    players = statistics([logged((0, replace(SETUP, names=names)))])
    paths = write_plots(players, tmp_path, "svg", Written("ru"))
    assert {path.stem for path in paths} >= {"throws", "balances"}
    for name in ("throws", "balances"):
        text = (tmp_path / f"{name}.svg").read_text()
        assert len(text) < 200_000
        assert '<g id="legend_1">' in text
