"""How people of a scripted game play: how hastily, how wrongly, and what happens around them."""

from dataclasses import dataclass, replace
from typing import Final

from companion.scripts.happenings import REST_S

COCKED: Final = 0.05
"""How often a die comes to lean on something."""
SHOVED: Final = 0.15
"""How often somebody shoves a checker in passing."""
MISTAKEN: Final = 0.12
"""How often a throw is played wrongly at first."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a game is played.

    Attributes:
        die: how often each value is thrown, for 1 first.
        hurried: how often a player moves before his throw can have been called.
        hasty: how often the next throw is made before the move can have been called.
        slow_hands: whether a hand is seen where it takes a checker, and not only where it puts it.
        with_mistakes: whether people play wrongly, cock the die and shove checkers.
        mistaken: how often a throw is played wrongly at first.
        cocked: how often a die comes to lean on something.
        on_board: how often the die is thrown onto the board.
        sliding: how often a checker is pushed along the squares, and slowly.
        sharing: how gladly a checker joins its like on a square, against going elsewhere.
        habits: how often people do what need not be done: change their minds, turn the die, throw
            too early, take back, command.
        happenings: how often something happens to the table between two acts.
        rest_s: for how long people wait for what is ruled, in seconds.
    """

    die: tuple[int, ...] = (1, 1, 1, 1, 1, 1)
    hurried: float = 0.1
    hasty: float = 0.0
    slow_hands: bool = True
    with_mistakes: bool = True
    mistaken: float = MISTAKEN
    cocked: float = COCKED
    on_board: float = 0.0
    sliding: float = 0.0
    sharing: float = 1.0
    habits: float = 0.0
    happenings: float = 0.0
    rest_s: float = REST_S


SHORT: Final = Style(die=(1, 1, 2, 3, 5, 7), hurried=0.85, slow_hands=False)
"""A generous die and hurried players."""
LIVELY: Final = Style(
    die=(1, 1, 1, 1, 1, 2),
    hurried=0.3,
    hasty=0.3,
    mistaken=0.3,
    on_board=0.15,
    sliding=0.15,
    sharing=0.05,
    habits=0.3,
    happenings=0.35,
    rest_s=REST_S + 1.2,
)
"""Something happens all the time; people wait for a second look where the first leaves a doubt."""
UNQUIET: Final = replace(LIVELY, hasty=0.0, mistaken=0.0, habits=0.0, happenings=0.7)
"""People play by the rules, and something happens to the table between most of their acts."""
