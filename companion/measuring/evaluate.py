"""Scoring the reader on labelled pictures: how much it finds, reads rightly, and dares wrongly.

A board counts as found when its worst corner is off by 0.15 of a square at most. Without a profile
the two dark corners cannot be told apart, so a board read half a turn round is right too.
"""

import math
from collections import Counter
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Final

from companion.measuring.labels import DieLabel, Label
from companion.measuring.reliability import Bin, Said, bins, calibration_error
from tabletop import (
    EMPTY,
    SQUARES,
    BoardLocation,
    Contents,
    DieReading,
    DieState,
    Reading,
    Square,
    square,
    square_file,
    square_name,
    square_rank,
)

FOUND_SQUARES: Final = 0.15
SURE: Final = 0.9
_OWN_REACH, _OTHER_REACH = 0.9, 0.6
"""How far apart, in sides of a box, the centres of a labelled and a found die may be."""


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    part: int
    whole: int

    def __str__(self) -> str:
        if not self.whole:
            return "none to judge"
        return f"{self.part}/{self.whole} = {100 * self.part / self.whole:.1f} %"


@dataclass(frozen=True, slots=True)
class PictureScore:
    """How one picture was read.

    Attributes:
        label: what is in it.
        has_board, found: whether it has a board, and whether one was found where it is.
        ghost_board: a board was seen where none is.
        corner_error: of the worst corner, in squares; None where no board was compared.
        judged, occupied: how many squares were compared, and how many of them have checkers.
        wrong_colour, wrong_count: the squares whose colours, or whose contents, are wrong.
        wrong_occupied: of those with checkers, how many have wrong colours.
        dice: how many dice, by what came of them: right, unsure, wrong, "surely wrong", cocked,
            "cocked settled", ghosts.
        elapsed_ms: how long the reading took; 0 where that was not measured.
        said: with what probability each answer was given, and whether it is right, by what was
            asked: "board", "squares" (their colours), "dice".
    """

    label: Label
    has_board: bool = False
    found: bool = False
    ghost_board: bool = False
    corner_error: float | None = None
    judged: int = 0
    occupied: int = 0
    wrong_colour: tuple[Square, ...] = ()
    wrong_count: tuple[Square, ...] = ()
    wrong_occupied: int = 0
    dice: Counter[str] = field(default_factory=Counter)
    elapsed_ms: float = 0.0
    said: dict[str, tuple[Said, ...]] = field(default_factory=dict)

    @property
    def badness(self) -> tuple[int, ...]:
        """By which the worst pictures are chosen: the greater, the worse."""
        return (
            self.dice["surely wrong"] + self.dice["cocked settled"],
            int(self.has_board and not self.found) + int(self.ghost_board),
            len(self.wrong_colour) + self.dice["wrong"] + self.dice["ghosts"],
            len(self.wrong_count) + self.dice["unsure"],
        )


def score_picture(label: Label, reading: Reading) -> PictureScore:
    """Score one reading."""
    board = reading.board if isinstance(reading.board, BoardLocation) else None
    dice, said_of_dice = Counter[str](), tuple[Said, ...]()
    if label.dice is not None:
        dice, said_of_dice = _score_dice(label.dice, reading.dice)
    said = {"dice": said_of_dice}
    common: dict[str, Any] = {
        "dice": dice,
        "elapsed_ms": reading.elapsed_ms.get("total", 0.0),
        "said": said,
    }
    if label.corners is None:
        return PictureScore(label, **common)
    if not label.corners:
        if board is not None:
            said["board"] = (Said(board.confidence, False),)
        return PictureScore(label, ghost_board=board is not None, **common)
    if board is None:
        return PictureScore(label, has_board=True, **common)
    error, half_turn = _corner_error(label, board)
    found = error <= FOUND_SQUARES
    said["board"] = (Said(board.confidence, found),)
    common |= {"has_board": True, "found": found, "corner_error": error}
    if not found or label.squares is None:
        return PictureScore(label, **common)
    squares, said["squares"] = _score_squares(label, reading, half_turn)
    return PictureScore(label, **common, **squares)


def reliability(scores: tuple[PictureScore, ...]) -> dict[str, tuple[Bin, ...]]:
    """Return the answers of a set in bins of probability, by what was asked."""
    asked = dict.fromkeys(about for score in scores for about in score.said)
    sorted_answers = {
        about: bins(said for score in scores for said in score.said.get(about, ()))
        for about in asked
    }
    return {about: found for about, found in sorted_answers.items() if any(b.count for b in found)}


def figures(scores: tuple[PictureScore, ...]) -> dict[str, Share | float | int]:
    """Return the sums over a set by their names, those with nothing to judge left out."""
    boards = [score for score in scores if score.has_board]
    found = [score for score in boards if score.found]
    bare = [score for score in scores if score.label.corners == ()]
    read = [score for score in found if score.judged]
    dice: Counter[str] = sum((score.dice for score in scores), Counter())
    judged = sum(score.judged for score in read)
    occupied = sum(score.occupied for score in read)
    labelled = sum(score.has_board and score.label.squares is not None for score in scores)
    all_dice = dice["right"] + dice["unsure"] + dice["wrong"]
    shares = {
        "boards found": Share(len(found), len(boards)),
        "boards seen where none is": Share(sum(score.ghost_board for score in bare), len(bare)),
        "squares right in colour": Share(
            judged - sum(len(score.wrong_colour) for score in read), judged
        ),
        "occupied squares right in colour": Share(
            occupied - sum(score.wrong_occupied for score in read), occupied
        ),
        "squares right in colour and count": Share(
            judged - sum(len(score.wrong_count) for score in read), judged
        ),
        "boards wholly right in colour": Share(
            sum(not score.wrong_colour for score in read), labelled
        ),
        "dice right": Share(dice["right"], all_dice),
        "dice not told": Share(dice["unsure"], all_dice),
        "dice wrong": Share(dice["wrong"], all_dice),
        "dice surely wrong": Share(dice["surely wrong"], all_dice),
        "cocked dice not read as settled": Share(
            dice["cocked"] - dice["cocked settled"], dice["cocked"]
        ),
    }
    out: dict[str, Share | float | int] = {
        name: share for name, share in shares.items() if share.whole
    }
    if any(score.label.dice is not None for score in scores):
        out["dice seen where none is"] = dice["ghosts"]
    for about, answers in reliability(scores).items():
        out[f"expected calibration error, {about}"] = round(calibration_error(answers), 4)
    errors = [score.corner_error for score in found if score.corner_error is not None]
    if errors:
        out["corner error, median (squares)"] = round(median(errors), 3)
    if any(score.elapsed_ms for score in scores):
        out["milliseconds a picture, median"] = round(median(s.elapsed_ms for s in scores), 1)
    return out


def worst_pictures(scores: tuple[PictureScore, ...], count: int) -> tuple[PictureScore, ...]:
    """Return the pictures with the most wrong, at most *count*, none that is faultless."""
    bad = [score for score in scores if any(score.badness)]
    return tuple(sorted(bad, key=lambda score: score.badness, reverse=True)[:count])


def fault_text(score: PictureScore) -> str:
    """Say what is wrong with a reading, in a few words."""
    told = []
    if score.has_board and not score.found:
        error = score.corner_error
        told.append("no board found" if error is None else f"board off by {error:.2f} squares")
    if score.ghost_board:
        told.append("a board seen where none is")
    if score.wrong_count:
        names = " ".join(square_name(at) for at in score.wrong_count[:8])
        colours = len(score.wrong_colour)
        told.append(f"squares wrong: {len(score.wrong_count)} ({colours} in colour), {names}")
    told += [
        f"{text}: {score.dice[kind]}"
        for kind, text in (
            ("surely wrong", "dice surely wrong"),
            ("wrong", "dice wrong, surely or not"),
            ("unsure", "dice not told"),
            ("cocked settled", "cocked dice read as settled"),
            ("ghosts", "dice seen where none is"),
        )
        if score.dice[kind]
    ]
    return "; ".join(told)


def _corner_error(label: Label, board: BoardLocation) -> tuple[float, bool]:
    """Return the worst corner's distance in squares, and whether half a turn made it least."""
    assert label.corners
    true = label.corners
    side = sum(math.dist(true[at], true[at - 1]) for at in range(4)) / 4 / 8
    turned = (*board.corners[2:], *board.corners[:2])
    straight, round_about = (
        max(math.dist(one, other) for one, other in zip(true, corners, strict=True)) / side
        for corners in (board.corners, turned)
    )
    return min(straight, round_about), round_about < straight


def _score_squares(
    label: Label, reading: Reading, half_turn: bool
) -> tuple[dict[str, Any], tuple[Said, ...]]:
    assert label.squares is not None
    judged = [at for at in SQUARES if at not in label.unknown]
    true = {at: label.squares.get(at, EMPTY) for at in judged}
    got = {at: _seen(reading, _turned(at) if half_turn else at) for at in judged}
    colour = tuple(at for at in judged if set(true[at]) != set(got[at]))
    count = tuple(at for at in judged if true[at] != got[at]) if label.count_known else colour
    said = (_said(reading, _turned(at) if half_turn else at, true[at]) for at in judged)
    figures = {
        "judged": len(judged),
        "occupied": sum(bool(true[at]) for at in judged),
        "wrong_colour": colour,
        "wrong_count": count,
        "wrong_occupied": sum(bool(true[at]) for at in colour),
    }
    return figures, tuple(one for one in said if one is not None)


def _said(reading: Reading, at: Square, true: Contents) -> Said | None:
    """Return how sure the reading is of the colours on a square; None where it says nothing."""
    if not reading.squares or reading.squares[at].hidden:
        return None
    colours = set(reading.squares[at].best)
    options = reading.squares[at].options
    probability = sum(part for listed, part in options if set(listed) == colours)
    return Said(min(probability, 1.0), colours == set(true))


def _seen(reading: Reading, at: Square) -> Contents:
    if not reading.squares or reading.squares[at].hidden:
        return EMPTY
    return reading.squares[at].best


def _turned(at: Square) -> Square:
    return square(7 - square_file(at), 7 - square_rank(at))


def _score_dice(
    true: tuple[DieLabel, ...], found: tuple[DieReading, ...]
) -> tuple[Counter[str], tuple[Said, ...]]:
    """Return how many dice came out how, and how sure each value was.

    Each found die answers for one labelled die at most.
    """
    gaps = sorted(
        (gap, mine, other)
        for mine, label in enumerate(true)
        for other, die in enumerate(found)
        if (gap := _gap(label, die)) is not None
    )
    partner: dict[int, int] = {}
    for _, mine, other in gaps:
        if mine not in partner and other not in partner.values():
            partner[mine] = other
    out: Counter[str] = Counter()
    for mine, label in enumerate(true):
        _count_die(out, label, found[partner[mine]] if mine in partner else None)
    taken = set(partner.values())
    ghosts = [die for other, die in enumerate(found) if other not in taken and die.value]
    out["ghosts"] = len(ghosts)
    said = [Said(die.confidence, False) for die in ghosts]
    said += [
        Said(found[other].confidence, found[other].value == true[mine].value)
        for mine, other in partner.items()
        if found[other].value and not true[mine].ambiguous
    ]
    return out, tuple(said)


def _count_die(out: Counter[str], label: DieLabel, got: DieReading | None) -> None:
    value = got.value if got is not None and got.state is DieState.SETTLED else None
    if label.ambiguous:
        return
    if label.cocked or label.value is None:
        out["cocked"] += 1
        out["cocked settled"] += value is not None
    elif value is None:
        out["unsure"] += 1
    elif value == label.value:
        out["right"] += 1
    else:
        out["wrong"] += 1
        out["surely wrong"] += got is not None and got.confidence >= SURE


def _gap(label: DieLabel, die: DieReading) -> float | None:
    """Return how far a found die is from a labelled one in pixels; None where it is too far."""
    (x, y, width, height), (a, b, across, down) = label.box, die.box
    gap = math.hypot(x + width / 2 - a - across / 2, y + height / 2 - b - down / 2)
    reach = max(_OWN_REACH * max(width, height), _OTHER_REACH * max(across, down))
    return gap if gap <= reach else None
