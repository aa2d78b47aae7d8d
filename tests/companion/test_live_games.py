"""Whole games on the simulated table, from pixels to the log: every ruling right, none wrong.

People play wrongly, hastily and change their minds; the board is bumped and turned, the camera
knocked, lamps are lit, clouds pass, hands and cups rest on the board.
"""

from dataclasses import replace

import pytest

from companion.scripts.script import GameScript, write_game
from companion.scripts.style import LIVELY, UNQUIET, Style
from hardware.simulated import TableLook
from tabletop import Colour, Seat
from tests.companion.live import SEATS, kept_in_view, play, table_look, told

GAMES = 20
PROOF_GAMES = 200
FIRST_SEED, FIRST_PROOF_SEED = 1, 1001
ADAPTS_S = 0.8


def a_game(seed: int, style: Style = LIVELY) -> tuple[GameScript, TableLook, dict[Seat, Colour]]:
    """Return a late game in which something happens all the time, and the table it is played on.

    Every second camera follows the light.
    """
    seats = SEATS[2 + seed % 3]
    script = write_game(seed, seats, style=replace(style, cocked=0.0), late=True)
    look = table_look(seed, adapts_s=ADAPTS_S if seed % 2 else 0.0)
    return kept_in_view(script, look), look, seats


@pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + GAMES))
def test_every_ruling_is_right(seed: int) -> None:
    """What is ruled is what was done and happened, event by event, to the end of the game."""
    script, look, seats = a_game(seed)

    ruled = [told(one.event) for one in play(script, look, seats)]
    assert ruled == [told(event) for event in script.truth]


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(FIRST_PROOF_SEED, FIRST_PROOF_SEED + PROOF_GAMES))
def test_what_happens_to_the_table_is_no_act(seed: int) -> None:
    """In two hundred games by the rules nothing is ruled of bumps, turns, lamps, clouds, hands."""
    script, look, seats = a_game(seed, UNQUIET)

    ruled = [told(one.event) for one in play(script, look, seats)]
    assert ruled == [told(event) for event in script.truth]


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(FIRST_PROOF_SEED, FIRST_PROOF_SEED + PROOF_GAMES))
def test_every_ruling_of_many_games_is_right(seed: int) -> None:
    """The same for two hundred games on as many tables."""
    test_every_ruling_is_right(seed)
