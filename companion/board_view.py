"""The board in a terminal: four columns and two lines a square, in the colours of board and men."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from rich.color import Color
from rich.style import Style
from rich.text import Text

from referee.match import Match
from referee.paths import home, start_square
from tabletop import FILES, RANKS, Colour, Contents, Square, is_dark, square

Rgb = tuple[int, int, int]

CHECKER_RGB: Final[Mapping[Colour, Rgb]] = {
    Colour.RED: (205, 35, 40),
    Colour.ORANGE: (240, 130, 20),
    Colour.YELLOW: (245, 210, 40),
    Colour.GREEN: (30, 140, 60),
    Colour.BLUE: (30, 80, 200),
    Colour.PURPLE: (125, 50, 160),
    Colour.WHITE: (250, 250, 245),
    Colour.BLACK: (20, 20, 22),
    Colour.BROWN: (150, 95, 45),
}

_LIGHT: Final[Rgb] = (226, 206, 170)
_DARK: Final[Rgb] = (148, 112, 82)
_WRONG: Final[Rgb] = (255, 90, 90)
_HOME_SHARE: Final = 0.35
"""How much of its owner's colour a home square takes on."""

_SQUARE_WIDTH: Final = 4


@dataclass(frozen=True, slots=True)
class _Look:
    """How an empty square looks.

    Attributes:
        ground: its colour.
        start_of: the colour that enters there.
    """

    ground: Rgb
    start_of: Rgb | None = None


def board_text(match: Match) -> Text:
    """Return the board as *match* says it must stand, the eighth rank first; 18 lines of 36.

    Squares that differ from it, where something is wrong, are lit.
    """
    looks = _looks(match)
    there = match.contents()
    files = Text("  " + "".join(f" {file}  " for file in FILES) + "  ", style="dim")
    lines = [files]
    for rank in reversed(range(len(RANKS))):
        row = [square(file, rank) for file in range(len(FILES))]
        upper, lower = Text("  "), Text().append(f"{RANKS[rank]} ", style="dim")
        for at in row:
            top, bottom = _square_texts(looks[at], there.get(at, ()))
            upper.append_text(top)
            lower.append_text(bottom)
        lines += [upper, lower]
    return Text("\n").join([*lines, files])


def disc(colour: Colour) -> Text:
    """Return a small disc of *colour*, on a ground on which all colours can be told."""
    return Text(" ● ", style=_style(CHECKER_RGB[colour], _LIGHT))


def _looks(match: Match) -> dict[Square, _Look]:
    looks = {at: _Look(_DARK if is_dark(at) else _LIGHT) for at in range(64)}
    for seat, colour in match.setup.seats:
        own = CHECKER_RGB[colour]
        for at in home(seat, match.rules):
            looks[at] = _Look(_mixed(looks[at].ground, own))
        start = start_square(seat, match.rules)
        looks[start] = _Look(looks[start].ground, own)
    for difference in match.wrong.differs if match.wrong is not None else ():
        looks[difference.square] = _Look(_WRONG)
    return looks


def _mixed(ground: Rgb, own: Rgb) -> Rgb:
    red, green, blue = (
        round(one + _HOME_SHARE * (other - one)) for one, other in zip(ground, own, strict=True)
    )
    return red, green, blue


def _square_texts(look: _Look, there: Contents) -> tuple[Text, Text]:
    """Return the upper and the lower line of a square."""
    counts = Counter(there)
    if not counts:
        mark = Text("◆" if look.start_of else " ", style=_style(look.start_of, look.ground))
        return _line(look, ()), _line(look, (mark,))
    if len(counts) > 1:
        styles = [_style(CHECKER_RGB[colour], look.ground) for colour in sorted(counts)[:2]]
        return (
            _line(look, [Text("▟▙", style=style) for style in styles]),
            _line(look, [Text("▜▛", style=style) for style in styles]),
        )
    ((colour, count),) = counts.items()
    style = _style(CHECKER_RGB[colour], look.ground)
    lower = Text("▝██▘", style=style)
    if count > 1:
        number = Text(str(count), style=_style(_contrast(colour), CHECKER_RGB[colour]))
        lower = Text("▝█", style=style) + number + Text("▘", style=style)
    return Text("▗██▖", style=style), lower


def _contrast(colour: Colour) -> Rgb:
    """Return black or white, whichever can be read on *colour*."""
    dark = sum(CHECKER_RGB[colour]) < 400
    return CHECKER_RGB[Colour.WHITE if dark else Colour.BLACK]


def _line(look: _Look, parts: Iterable[Text]) -> Text:
    """Return *parts* in the middle of a square's line."""
    content = Text().join(parts)
    spare = _SQUARE_WIDTH - content.cell_len
    ground = _style(None, look.ground)
    left = Text(" " * (spare // 2), style=ground)
    return left + content + Text(" " * (spare - spare // 2), style=ground)


def _style(front: Rgb | None, ground: Rgb) -> Style:
    colour = None if front is None else Color.from_rgb(*front)
    return Style(color=colour, bgcolor=Color.from_rgb(*ground))
