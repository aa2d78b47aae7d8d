"""The opening throws."""

import pytest

from referee.opening import Opening
from tabletop import SEATS, Seat


def test_throws_go_round_in_the_order_of_play() -> None:
    """However the seats are given, D4 throws first, then D3, D2, D1."""
    opening = Opening.start(reversed(SEATS))
    asked = []
    for value in (1, 2, 3, 4):
        asked.append(opening.next)
        assert opening.first is None
        opening = opening.after(value)
    assert asked == [*SEATS]
    assert (opening.first, opening.next, opening.tied) == (Seat.D1, None, ())


def test_only_the_tied_leaders_throw_again() -> None:
    """A tie below the highest does not matter; one at the top makes another round."""
    opening = Opening.start(SEATS)
    for value in (5, 2, 5, 2):
        opening = opening.after(value)
    assert (opening.tied, opening.next) == ((Seat.D4, Seat.D2), Seat.D4)
    opening = opening.after(1)
    assert opening.next is Seat.D2
    assert opening.after(6).first is Seat.D2
    assert opening.after(1).tied == (Seat.D4, Seat.D2)


@pytest.mark.parametrize("value", [0, 7])
def test_a_die_has_six_faces(value: int) -> None:
    """Another number is refused with the number."""
    with pytest.raises(ValueError, match=f"a die shows 1 to 6, not {value}"):
        Opening.start(SEATS).after(value)


def test_no_throw_after_the_decision() -> None:
    """Once it is decided who begins, no opening throw is due."""
    decided = Opening.start([Seat.D4, Seat.D2]).after(6).after(1)
    with pytest.raises(ValueError, match="D4 begins already"):
        decided.after(3)
