"""What the judge says of a scene."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from referee.events import Event
from referee.weighing import Weighed

SURE: Final = 0.9
"""A tale this probable is ruled on."""
LIFTED_S: Final = 4.0
"""So long a checker may be held in the air, before a live camera, until it is missed."""
DOUBT_S: Final = 2.0
"""So long a live camera looks again before people are asked, or told to throw again."""


class Ruling(StrEnum):
    """What a verdict says of a scene."""

    OBSCURED = "obscured"
    """Something covers the board: nothing is judged."""
    NOTHING = "nothing"
    """All stands as the match says."""
    LAWFUL = "lawful"
    """Something was done, and rightly."""
    UNFINISHED = "unfinished"
    """Somebody is in the middle of a move."""
    WRONG = "wrong"
    """Something stands that the rules forbid."""
    RESTORING = "restoring"
    """The board is not yet put as a correction, or the end of a pause, asks."""
    ASKED = "asked"
    """The picture cannot tell; a person can."""
    DOUBTFUL = "doubtful"
    """The picture cannot tell; a further look may."""


@dataclass(frozen=True, slots=True)
class Against:
    """What a verdict that goes back was weighed against: the match as it was ruled.

    Attributes:
        tale: the likeliest tale of the scene in it.
        since: the number of the event after which another cast was read.
        gain: by how many nats the other reading explains all that was seen since better.
    """

    tale: Weighed
    since: int
    gain: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge says of a scene.

    Attributes:
        ruling: in one word.
        events: what is to be written, in order; none where nothing new is to be said.
        weighed: the tales that were weighed, the most probable first.
        die_counted: the die as it lies is accounted for: only another cast is news.
        accepted: the scene is as the match then says; later scenes may be compared with it.
        patience_s: a live table that lies still for less is somebody in the middle of a move: the
            verdict is to be held back, and the scene looked at again.
        against: where it goes back to read an earlier cast otherwise, what it had been.
    """

    ruling: Ruling
    events: tuple[Event, ...] = ()
    weighed: tuple[Weighed, ...] = ()
    die_counted: bool = False
    accepted: bool = False
    patience_s: float = 0.0
    against: Against | None = None
