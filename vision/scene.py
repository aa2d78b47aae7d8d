"""What one frame shows of a known table: light taken out, towers found, the rest unexplained."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop import BoardLocation, Colour, DieReading
from vision.evidence import (
    DEFICIT,
    LOG_UNEXPLAINED,
    Backdrop,
    Plane,
    backdrop,
    board_fits,
    board_log_likelihood,
    look_log_likelihoods,
    specks_removed,
    to_lab,
    wall_log_likelihoods,
)
from vision.faint import doubt_paint, find_faint, supported
from vision.frame import Picture
from vision.glare import find_board_in_light, find_glare
from vision.light import Evened, at_least, take_out_light
from vision.pose import estimate_pose
from vision.rectify import Rectifier, picture_to_board, rectifier
from vision.standing import CAP, CONVINCING, Found, Paint, find_towers
from vision.strangers import find_strangers
from vision.table import TableModel
from vision.towers import Outline, Tower, View, outline

SQUARE_PX: Final = 24
MARGIN: Final = 1.0
# A tower's edge, its contact shadow and its gleam on the board are its own up to here, in squares.
_HALO: Final = 0.08
_MOST_HANDICAP: Final = -2.0
# What is burnt out in so many channels may be a bright square or a bright checker: it says little.
_MOST_BURNT: Final = 2
_BURNT_SAYS: Final = np.float32(0.3)
# What a checker explains no better than anything would is not evened out in its favour.
_NOTHING: Final = np.float32(LOG_UNEXPLAINED)
# A checker stands free: of what is around it, up to here, no more than this share is foreign.
_AROUND: Final = 0.2
_CROWDED: Final = 0.25
# Two checkers' feet are farther apart than this, in squares.
_SAME_PLACE: Final = 0.45
_MOST_SUPPORT: Final = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class TableScene:
    """What one frame shows of a known table.

    Attributes:
        lab: the rectified board in L*a*b* under the light of the reference, shape
            (side, side, 3); read-only.
        found: the towers that may stand there, the surest first.
        unexplained: where neither the empty board, lit or shadowed, nor a tower is seen; shape
            (side, side), read-only.
        dazzled: the part of it where a lamp or a shadow hides what is there; read-only.
        burnt: where the light burnt out what is there; read-only.
        blank: where it burnt out so much that bright paint looks like any other; read-only.
        view: how checkers appear on the rectified board.
        colours: the colours that were looked for.
    """

    lab: NDArray[np.float32]
    found: tuple[Found, ...]
    unexplained: NDArray[np.bool_]
    dazzled: NDArray[np.bool_]
    burnt: NDArray[np.bool_]
    blank: NDArray[np.bool_]
    view: View
    colours: tuple[Colour, ...]

    @property
    def towers(self) -> tuple[Tower, ...]:
        """The towers that stand there convincingly."""
        return _convincing(self.found)


def see_table(
    pixels: Picture,
    table: TableModel,
    location: BoardLocation | None = None,
    dice: Sequence[DieReading] = (),
) -> TableScene:
    """Return what *pixels* show of *table*.

    Args:
        pixels: a picture of the table's camera.
        table: what is known of it.
        location: where the board lies now, if not where it lay at calibration.
        dice: dice that surely lie in the picture; what they hide is no evidence of anything.
    """
    now = location or table.location
    moved = now != table.location
    size_wh = (pixels.shape[1], pixels.shape[0])
    view, behind, reference = _view(table, now, size_wh), _backdrop(table), _reference(table)
    evened = take_out_light(_rectifier(now, size_wh).apply(pixels).pixels, reference, SQUARE_PX)
    lab, burnt = to_lab(evened.pixels), evened.burnt_channels()
    board_fit, unlike = board_fits(lab, behind)
    hidden = _under_dice(dice, now, size_wh)
    say = np.where(burnt >= _MOST_BURNT, _BURNT_SAYS, np.float32(1.0))
    say[hidden] = 0.0
    fits = _look_fits(lab, evened, burnt > 0, table)
    differs = behind.itself - board_fit > DEFICIT
    found = find_towers(_paints(fits, lab, board_fit, differs, say, table), view)
    explained = _hidden_by(_convincing(found), view) | hidden
    faint = find_faint(lab, behind.lab, unlike, explained, view, table.looks)
    found = _surest(found, faint)
    standing = _convincing(found)
    foreign = specks_removed(differs)
    bare = foreign & ~_hidden_by(standing, view)
    # A reflection around a checker does not crowd it.
    crowding = foreign & ~find_glare(bare, evened, reference, SQUARE_PX, moved=moved)
    unexplained = foreign & ~_hidden_by(_free(standing, crowding, view), view) & ~hidden
    found = doubt_paint(found, lab, behind.lab, view)
    strangers = find_strangers(unexplained, lab, behind.lab, view, table.looks, moved=moved)
    if strangers:
        found = (*found, *strangers)
        unexplained &= ~_hidden_by([item.tower for item in strangers], view)
    dazzled = find_glare(unexplained, evened, reference, SQUARE_PX, moved=moved)
    dazzled |= find_board_in_light(unexplained, lab, behind.lab, SQUARE_PX)
    if table.unsure is not None:
        dazzled |= unexplained & _unsure(table)
    burnt_out, blank = burnt > 0, burnt >= _MOST_BURNT
    for array in (lab, unexplained, dazzled, burnt_out, blank):
        array.flags.writeable = False
    return TableScene(lab, found, unexplained, dazzled, burnt_out, blank, view, table.colours)


def _paints(
    fits: dict[Colour, Plane],
    lab: NDArray[np.float32],
    board_fit: Plane,
    differs: NDArray[np.bool_],
    say: Plane,
    table: TableModel,
) -> dict[Colour, Paint]:
    """Return what tells each colour's checkers from the board, whose say is *say* at each pixel."""
    even = _even_evidence(table)
    # Where the board explains what is seen, and nothing *differs*, no wall does so better.
    at = np.nonzero(differs)
    paints = {}
    for colour, in_shade in wall_log_likelihoods(lab[at], table.looks).items():
        top = say * _excess(fits[colour], board_fit, even[colour])
        wall = np.zeros_like(top)
        more = say[at] * _excess(in_shade, board_fit[at], even[colour][at]) - top[at]
        wall[at] = np.maximum(more, 0.0)
        paints[colour] = Paint(top, wall)
    return paints


def _excess(fit: Plane, board_fit: Plane, even: Plane) -> Plane:
    """Return by how many nats a colour explains pixels better than the board, evenly weighed."""
    return _capped(fit - board_fit + np.minimum(fit - _NOTHING, -even))


def _surest(found: Sequence[Found], faint: Sequence[Found]) -> tuple[Found, ...]:
    """Return all that was *found*, each place only once: the way it is surest.

    What its paint told and what its shape tells support each other.
    """
    kept = list(found)
    for item in faint:
        near = [
            one for one in kept if math.dist(one.tower.foot_xy, item.tower.foot_xy) < _SAME_PLACE
        ]
        told = [supported(one, min(max(item.score, 0.0), _MOST_SUPPORT)) for one in near]
        best = max([item, *told], key=lambda one: one.score)
        kept = [one for one in kept if one not in near] + [best]
    return tuple(sorted(kept, key=lambda one: -one.score))


def _look_fits(
    lab: NDArray[np.float32], evened: Evened, burnt: NDArray[np.bool_], table: TableModel
) -> dict[Colour, Plane]:
    """Return how well each colour's checker explains each pixel; burnt out, it may be brighter."""
    fits = look_log_likelihoods(lab, table.looks)
    if not burnt.any():
        return fits
    channels, least = evened.burnt[burnt], evened.pixels[burnt]
    for look in table.looks:
        painted = cv2.cvtColor(np.array([[look.lab]], np.float32), cv2.COLOR_Lab2BGR) * 255.0
        seen = np.where(channels, at_least(least, painted.reshape(3)), least)
        at = look_log_likelihoods(to_lab(seen[None]), (look,))[look.colour]
        fits[look.colour][burnt] = np.maximum(fits[look.colour][burnt], at[0])
    return fits


def _under_dice(
    dice: Sequence[DieReading], location: BoardLocation, size_wh: tuple[int, int]
) -> NDArray[np.bool_]:
    """Return what *dice* hide of the rectified board, their edges and contact shadows included."""
    side = round((8 + 2 * MARGIN) * SQUARE_PX)
    mask = np.zeros((side, side), np.uint8)
    for die in dice:
        x, y, wide, high = die.box
        corners = [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)]
        at = picture_to_board(location, size_wh, corners)
        seen = np.column_stack((MARGIN + at[:, 0], 8 + MARGIN - at[:, 1])) * SQUARE_PX - 0.5
        hull = cv2.convexHull(np.rint(seen).astype(np.int32)).reshape(-1, 2)
        cv2.fillConvexPoly(mask, hull, 1)
        cv2.polylines(mask, [hull], True, 1, round(2 * _HALO * SQUARE_PX))
    return mask > 0


def _capped(plane: Plane) -> Plane:
    return np.asarray(np.clip(plane, -CAP, CAP), dtype=np.float32)


def _convincing(found: Sequence[Found]) -> tuple[Tower, ...]:
    return tuple(item.tower for item in found if item.score >= CONVINCING)


def _free(standing: Sequence[Tower], foreign: NDArray[np.bool_], view: View) -> list[Tower]:
    """Return the towers that stand free, as checkers do.

    A hand or a sleeve of a checker's colour is full of checkers, seemingly.
    """
    free = list(standing)
    while free:
        hidden = _hidden_by(free, view)
        crowded = [_crowding(foreign, hidden, tower, view) for tower in free]
        if max(crowded) <= _CROWDED:
            break
        del free[int(np.argmax(crowded))]
    return free


def _hidden_by(towers: Sequence[Tower], view: View) -> NDArray[np.bool_]:
    """Return what *towers* hide, a little around them included."""
    hidden = np.zeros((view.side_px, view.side_px), dtype=np.bool_)
    for tower in towers:
        part = _with_halo(tower, view)
        hidden[part.rows, part.columns] |= part.cover >= 0.5
    return hidden


@lru_cache(maxsize=32)
def _with_halo(tower: Tower, view: View) -> Outline:
    return outline(view, tower.foot_xy, tower.count, grow=_HALO)


def _crowding(
    foreign: NDArray[np.bool_], hidden: NDArray[np.bool_], tower: Tower, view: View
) -> float:
    """Return what share is foreign of what is seen around a tower."""
    around = outline(view, tower.foot_xy, tower.count, grow=_AROUND)
    seen = (around.cover >= 0.5) & ~hidden[around.rows, around.columns]
    return float(foreign[around.rows, around.columns][seen].mean()) if seen.any() else 0.0


@lru_cache(maxsize=4)
def _rectifier(location: BoardLocation, size_wh: tuple[int, int]) -> Rectifier:
    return rectifier(location, size_wh, SQUARE_PX, MARGIN)


@lru_cache(maxsize=2)
def _even_evidence(table: TableModel) -> dict[Colour, Plane]:
    """Return for each colour the evidence, in nats, at which its checker is as likely as not.

    White paint on a white square is explained by the board nearly as well as by a checker, and the
    board, whose every pixel is known, is the narrower explanation. So for each pixel of the board
    the evidence lies halfway between what an empty board shows and what a checker would.
    """
    behind = _backdrop(table)
    empty = look_log_likelihoods(behind.lab, table.looks)
    even = {}
    for look in table.looks:
        shown = np.zeros_like(behind.itself)
        for tint in look.tints:
            painted = np.full_like(behind.lab, np.array(tint.lab, np.float32))
            own = look_log_likelihoods(painted, (look,))[look.colour]
            shown += tint.weight * _capped(own - board_log_likelihood(painted, behind))
        halfway = (_capped(empty[look.colour] - behind.itself) + shown) / 2.0
        even[look.colour] = np.clip(halfway, _MOST_HANDICAP, 0.0)
    return even


@lru_cache(maxsize=2)
def _reference(table: TableModel) -> Picture:
    return _rectifier(table.location, table.size_wh).apply(table.reference).pixels


@lru_cache(maxsize=2)
def _unsure(table: TableModel) -> NDArray[np.bool_]:
    """Return where the rectified reference is not as the board looks where it lies."""
    assert table.unsure is not None
    mask = np.repeat(table.unsure[..., None].astype(np.uint8) * np.uint8(255), 3, axis=2)
    return np.asarray(_rectifier(table.location, table.size_wh).apply(mask).pixels[..., 0] > 0)


@lru_cache(maxsize=2)
def _backdrop(table: TableModel) -> Backdrop:
    return backdrop(_reference(table), SQUARE_PX)


@lru_cache(maxsize=4)
def _view(table: TableModel, location: BoardLocation, size_wh: tuple[int, int]) -> View:
    pose = estimate_pose(location, size_wh)
    return View(pose, table.checker_diameter / 2.0, table.checker_height, SQUARE_PX, MARGIN)
