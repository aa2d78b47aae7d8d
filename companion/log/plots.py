"""Statistics as pictures, for those who would rather look than read."""

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.errors import InputError
from companion.log.statistics import PlayerStatistics, all_throws, payments, shortened
from companion.phrases.written import Written

if TYPE_CHECKING:  # it takes seconds to load on a Pi, and only this needs it
    from matplotlib.axes import Axes

Players = tuple[PlayerStatistics, ...]

_SIZE_IN: Final = (7.0, 4.2)
_MOST_WAIT: Final = 30


def write_plots(players: Players, folder: Path, form: str, words: Written) -> tuple[Path, ...]:
    """Draw the statistics of *players* into *folder*, as "png" or "svg", and return the files.

    What is written on them is in the language of *words*.

    Raises:
        InputError: they cannot be written.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    made = []
    # A name may have signs that mean mathematics here, or that the font lacks: boxes stand there.
    with rc_context({"text.parse_math": False}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")
        for name, draw in _PLOTS.items():
            figure = Figure(figsize=_SIZE_IN, layout="constrained")
            draw(figure.subplots(), players, words)
            path = folder / f"{name}.{form}"
            try:
                folder.mkdir(parents=True, exist_ok=True)
                figure.savefig(path)
            except OSError as error:
                raise InputError(f"{path} cannot be written: {error.strerror}") from error
            made.append(path)
    return tuple(made)


def _throws(axes: "Axes", players: Players, words: Written) -> None:
    wide = 0.8 / max(len(players), 1)
    for number, player in enumerate(players):
        places = [value - 0.4 + wide * (number + 0.5) for value in range(1, 7)]
        axes.bar(
            places, [player.throws[value] for value in range(1, 7)], wide, label=_label(player)
        )
        expected = [sum(player.throws.values()) / 6] * 6
        left, right = ([place + side * wide / 2 for place in places] for side in (-1, 1))
        axes.hlines(expected, left, right, colors="black", linewidth=1)
    total = sum(all_throws(players).values())
    axes.set(title=words("plot-throws", throws=total), xlabel=words("plot-value"))
    _legend(axes, players)


def _knock_outs(axes: "Axes", players: Players, words: Written) -> None:
    places = range(len(players))
    dealt, suffered = [one.dealt for one in players], [one.suffered for one in players]
    axes.barh([at - 0.2 for at in places], dealt, 0.4, label=words("dealt"))
    axes.barh([at + 0.2 for at in places], suffered, 0.4, label=words("suffered"))
    _name_rows(axes, [_label(one) for one in players])
    _count_along(axes)
    axes.set(title=words("plot-knock-outs"))
    axes.legend()


def _six_waits(axes: "Axes", players: Players, words: Written) -> None:
    bins = [number + 0.5 for number in range(_MOST_WAIT + 1)]
    waits = [[min(wait, _MOST_WAIT) for wait in one.six_waits] for one in players]
    axes.hist(waits, bins=bins, stacked=True, label=[_label(one) for one in players])
    sixes = sum(len(one.six_waits) for one in players)
    fair = [sixes / 6 * (5 / 6) ** (wait - 1) for wait in range(1, _MOST_WAIT)]
    axes.plot(range(1, _MOST_WAIT), fair, color="black", linewidth=1)
    axes.set(title=words("plot-waits"), xlabel=words("plot-wait"))
    _legend(axes, players)


def _move_times(axes: "Axes", players: Players, words: Written) -> None:
    timed = [one for one in players if one.move_s]
    if timed:
        axes.boxplot([one.move_s for one in timed], showfliers=False)
        names = [_label(one) for one in timed]
        axes.set_xticks(range(1, len(timed) + 1), names, rotation=15, ha="right")
    axes.set(title=words("plot-times"), ylabel=words("plot-seconds"))


def _balances(axes: "Axes", players: Players, words: Written) -> None:
    for player in players:
        course = [sum(player.course[:number]) for number in range(len(player.course) + 1)]
        axes.plot(range(len(course)), course, marker="o", label=_label(player))
    axes.axhline(0, color="black", linewidth=0.5)
    _count_along(axes)
    axes.set(title=words("plot-balances"), xlabel=words("plot-won"))
    _legend(axes, players)


def _payments(axes: "Axes", players: Players, words: Written) -> None:
    owed = [(unit, one) for unit, those in payments(players).items() for one in those]
    bars = axes.barh(range(len(owed)), [one.amount for _, one in owed], 0.5)
    axes.bar_label(bars, [f"{one.amount} {unit}" for unit, one in owed], padding=3)
    axes.margins(x=0.2)
    names = [f"{shortened(one.payer)} → {shortened(one.payee)}" for _, one in owed]
    _name_rows(axes, names)
    _count_along(axes)
    axes.set(title=words("plot-payments"))


def _name_rows(axes: "Axes", names: Sequence[str]) -> None:
    """Write the names beside the rows, the first uppermost."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(max(len(names), 1) - 0.5, -0.5)


def _count_along(axes: "Axes") -> None:
    """Write whole numbers below."""
    from matplotlib.ticker import MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _label(player: PlayerStatistics) -> str:
    """Return a player's name; one with a dash below first would be left out of the legend."""
    name = shortened(player.name)
    return f" {name}" if name.startswith("_") else name


def _legend(axes: "Axes", players: Players) -> None:
    if players:
        axes.legend()


_PLOTS: Final[dict[str, Callable[["Axes", Players, Written], None]]] = {
    "throws": _throws,
    "knock-outs": _knock_outs,
    "waits-for-a-six": _six_waits,
    "move-times": _move_times,
    "balances": _balances,
    "payments": _payments,
}
