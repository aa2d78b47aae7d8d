"""The terminal: a picture of the game where there is room for one, else a line a ruling."""

from collections import deque
from math import ceil
from typing import Final

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from companion.board_view import board_text, disc
from companion.game import News
from companion.phrases import Importance, Phrases
from referee.match import Match
from referee.moves import move_text
from referee.position import home_count, reserve_count
from tabletop import Seat

ROOM_WH: Final = (80, 24)
"""Columns and lines that the picture needs."""

RULINGS_SHOWN: Final = 4
MOST_MOVES_SHOWN: Final = 6

_LOST_BY_FOLDING: Final = 8
"""Columns at the end of a line that the next word is too long for, as a rule."""
_DICE: Final = "⚀⚁⚂⚃⚄⚅"


class TerminalView:
    """Shows each ruling as it comes.

    Where the console is a terminal with room enough, the whole picture is drawn anew at every
    ruling, and the line below it stays free for what people type. Else each ruling is one line that
    begins with the number of its last event.
    """

    def __init__(self, console: Console, phrases: Phrases, note: str = "") -> None:
        """Show on *console*, in the words of *phrases*, with *note* below the picture."""
        self._console = console
        self._phrases = phrases
        self._note = note
        self._told: deque[str] = deque(maxlen=RULINGS_SHOWN)

    def hear(self, news: News) -> None:
        """Show *news*."""
        sentences = self._phrases.rulings(news.events, news.before, news.after)
        # What is awaited stands beside the board, where that is shown.
        least = Importance.NORMAL if self._has_room() else Importance.CHATTER
        told = " ".join(one.text for one in sentences if one.importance >= least)
        if news.again:
            told = self._phrases.prompt(news.after, no_die=news.no_die).text
        if told:
            self._told.append(f"{news.after.sequence:>4}  {told}")
        if self._has_room():
            self._console.clear()
            self._console.print(game_view(news.after, self._phrases, tuple(self._told)))
            if self._note:
                self._console.print(self._note, style="dim", markup=False, highlight=False)
        elif told:
            self._console.print(self._told[-1], soft_wrap=True, markup=False, highlight=False)

    def _has_room(self) -> bool:
        size = self._console.size
        return self._console.is_terminal and size.width >= ROOM_WH[0] and size.height >= ROOM_WH[1]


def game_view(match: Match, phrases: Phrases, told: tuple[str, ...]) -> RenderableType:
    """Return the picture of a game: board, what is awaited, players, bank, and what was *told*."""
    beside = Table.grid(padding=(0, 0))
    beside.add_column(width=ROOM_WH[0] - 38)
    beside.add_row(_awaited(match, phrases))
    beside.add_row(_players(match, phrases))
    both = Table.grid(padding=(0, 1))
    both.add_row(board_text(match), beside)
    return Group(both, *_told_lines(told))


def _told_lines(told: tuple[str, ...]) -> list[Text]:
    """Return the newest of what was *told* whole, and of the earlier what there is room for."""
    if not told:
        return []
    rows = ceil(cell_len(told[-1]) / (ROOM_WH[0] - _LOST_BY_FOLDING))
    earlier = told[:-1][-(RULINGS_SHOWN - rows) :] if rows < RULINGS_SHOWN else ()
    return [
        *(Text(line, no_wrap=True, overflow="ellipsis") for line in earlier),
        Text(told[-1], "bold", overflow="fold"),
    ]


def _awaited(match: Match, phrases: Phrases) -> RenderableType:
    """Return what is awaited of whom, the throw, and the moves it allows."""
    facts = Table.grid(padding=(0, 1))
    if match.die is not None:
        facts.add_row(phrases.label("throw"), Text(f"{_DICE[match.die - 1]} {match.die}", "bold"))
    if match.legal:
        moves = [move_text(move) for move in match.legal[:MOST_MOVES_SHOWN]]
        more = ["…"] if len(match.legal) > MOST_MOVES_SHOWN else []
        facts.add_row(phrases.label("moves"), ", ".join([*moves, *more]))
    prompt = Text(phrases.prompt(match).text, style="bold red" if match.wrong else "bold")
    return Padding(Group(prompt, Text(), facts), (1, 0, 1, 0))


def _players(match: Match, phrases: Phrases) -> RenderableType:
    table = Table(box=None, padding=(0, 1, 0, 0), show_edge=False, header_style="dim")
    table.add_column("")
    table.add_column(phrases.label("player"), overflow="ellipsis", no_wrap=True, max_width=12)
    for heading in ("waiting", "home", "knocked-out", "balance"):
        table.add_column(phrases.label(heading), justify="right")
    for seat, colour in match.setup.seats:
        active = match.winner is seat or (match.winner is None and match.to_move is seat)
        table.add_row(
            disc(colour),
            Text(phrases.player(match, seat)),
            str(reserve_count(match.position, seat)),
            str(home_count(match.position, seat, match.rules)),
            str(_times_knocked_out(match, seat)),
            f"{_balance(match, seat):+d}",
            style="bold" if active else "",
        )
    bank = f"{phrases.label('bank')}: {phrases.amount(match, match.bank.total)}"
    return Group(table, Text(), Text(bank))


def _times_knocked_out(match: Match, seat: Seat) -> int:
    return sum(
        count for throw in match.throws for victim, count in throw.played.knocked if victim is seat
    )


def _balance(match: Match, seat: Seat) -> int:
    """Return what *seat* is up or down: what he paid in, and at the end what he won."""
    if match.winner is not None:
        return match.bank.net(match.winner)[seat]
    if match.abandoned:
        return 0
    return -dict(match.bank.paid)[seat]
