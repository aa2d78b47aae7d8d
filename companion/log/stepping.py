"""Stepping through a logged game at a terminal, key by key."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.text import Text

from companion.log.moments import Moment, told
from companion.log.pictured import KeptPictures
from companion.phrases import Phrases
from companion.terminal import game_view

KEYS: Final = (
    "→ or space: on    ←: back    k, K: next, last knock-out    r, R: next, last refused move    "
    "g, G: begin, end    q: quit"
)
_ON: Final = (" ", "n", "\r", "\x1b[C")
_BACK: Final = ("p", "\x7f", "\x1b[D")
_QUIT: Final = ("q", "\x1b", "\x03", "\x04")


def step_through(
    folder: Path | None,
    there: tuple[Moment, ...],
    phrases: Phrases,
    console: Console,
    read_key: Callable[[], str],
    at: int = 0,
) -> None:
    """Show the moments of a game one after another, as the keys that are typed ask.

    Args:
        folder: the game's folder, for its pictures; None for a record alone.
        there: its moments.
        phrases: what people were told, in their language.
        console: the terminal.
        read_key: waits for a key and returns what it sends.
        at: with which moment to begin, counted from 0.
    """
    kept = KeptPictures(folder) if folder else None
    while True:
        console.clear()
        console.print(moment_view(kept, there[at], phrases))
        console.print(Text(f"{at + 1}/{len(there)}   {KEYS}", style="dim"))
        key = read_key()
        if key in _QUIT:
            return
        at = _next(there, at, key)


def moment_view(kept: KeptPictures | None, moment: Moment, phrases: Phrases) -> RenderableType:
    """Return the picture of a moment: the game, what was told, and where its pictures are."""
    head = f"{moment.number}   {moment.lines[-1].at.astimezone():%d %b %Y %H:%M:%S}"
    paths = kept.of(moment.first, moment.number) if kept else ()
    pictures = [Text(str(path), style="dim", overflow="fold") for path in paths]
    view = game_view(moment.after, phrases, (" ".join(told(moment, phrases)),))
    return Group(Text(head, style="dim"), view, *pictures)


def _next(there: tuple[Moment, ...], at: int, key: str) -> int:
    """Return which moment a key leads to; the same one where there is none that way."""
    further, earlier = range(at + 1, len(there)), range(at - 1, -1, -1)
    match key:
        case "k":
            ways = (one for one in further if there[one].knock_out)
        case "K":
            ways = (one for one in earlier if there[one].knock_out)
        case "r":
            ways = (one for one in further if there[one].refused)
        case "R":
            ways = (one for one in earlier if there[one].refused)
        case "g":
            return 0
        case "G":
            return len(there) - 1
        case _ if key in _ON:
            ways = (one for one in further)
        case _ if key in _BACK:
            ways = (one for one in earlier)
        case _:
            return at
    return next(ways, at)
