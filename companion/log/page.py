"""A logged game as one page that needs nothing else: to be sent to a friend and opened anywhere."""

import base64
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import cv2
from jinja2 import Environment, PackageLoader, StrictUndefined

from companion.board_view import CHECKER_RGB
from companion.log.evidence import encoded
from companion.log.lines import Line
from companion.log.moments import Moment, told
from companion.log.pictured import KeptPictures
from companion.phrases import Phrases
from hardware.ports import SourceError
from hardware.stills import read_picture
from referee.match import Match
from tabletop import Seat, square_name

PICTURE_PX: Final = 220
"""The side of the pictures in a page: a whole game of them should fit into a letter."""
JPEG_QUALITY: Final = 70


def page_html(folder: Path | None, there: Iterable[Moment], phrases: Phrases, title: str) -> str:
    """Return the page of a game.

    Args:
        folder: the game's folder, whose pictures are put into the page; None for a page without.
        there: its moments.
        phrases: what people were told, in their language.
        title: what the page is called.
    """
    kept = KeptPictures(folder) if folder else None
    shown = [_moment_json(kept, one, phrases) for one in there]
    colours = {
        colour.value: "#{:02x}{:02x}{:02x}".format(*rgb) for colour, rgb in CHECKER_RGB.items()
    }
    environment = Environment(
        loader=PackageLoader("companion.log"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("game.html.j2").render(
        title=title, language=phrases.language, game={"moments": shown, "colours": colours}
    )


def page_title(first: Line) -> str:
    """Return what the page of the game with this *first* line is called."""
    return f"Pachisi, {first.at.astimezone():%Y-%m-%d %H:%M}"


def _moment_json(kept: KeptPictures | None, moment: Moment, phrases: Phrases) -> dict[str, Any]:
    match = moment.after
    pictures = kept.of(moment.first, moment.number) if kept else ()
    return {
        "number": moment.number,
        "at": f"{moment.lines[-1].at.astimezone():%H:%M:%S}",
        "told": list(told(moment, phrases)),
        "squares": {
            square_name(at): [colour.value for colour in standing]
            for at, standing in match.contents().items()
        },
        "wrong": [square_name(one.square) for one in match.wrong.differs] if match.wrong else [],
        "die": moment.die,
        "bank": phrases.amount(match, match.bank.total),
        "players": [_player_json(match, seat, phrases) for seat in match.seats],
        "knock_out": moment.knock_out,
        "refused": moment.refused,
        "pictures": [url for path in pictures if (url := _data_url(path))],
    }


def _player_json(match: Match, seat: Seat, phrases: Phrases) -> dict[str, Any]:
    return {
        "name": phrases.player(match, seat),
        "colour": match.colour(seat).value,
        "paid": dict(match.bank.paid)[seat],
        "to_move": match.winner is None and match.to_move is seat,
        "won": match.winner is seat,
    }


def _data_url(path: Path) -> str:
    """Return the picture at *path*, made small, as part of a page; empty if it cannot be read."""
    try:
        picture = read_picture(path)
    except SourceError:
        return ""
    scale = PICTURE_PX / max(picture.shape[:2])
    if scale < 1:
        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    return "data:image/jpeg;base64," + base64.b64encode(encoded(picture, JPEG_QUALITY)).decode()
