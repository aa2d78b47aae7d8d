"""Pictures of scenes: the table, the things on it far to near, shadows, lens and sensor."""

import math
from collections import OrderedDict
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, TypeAlias

import cv2
import numpy as np

from hardware.scene import Cup, Hand, PlacedChecker, PlacedDie, Room, Scene
from hardware.simulated.arrays import Floats, Points
from hardware.simulated.camera import hang, knocked
from hardware.simulated.checkers import Disc, draw_checker
from hardware.simulated.die import Cube, cube, draw_die
from hardware.simulated.ground import (
    draw_ground,
    fall,
    on_board,
    pixels_a_square,
    shadow_depths,
    vignette,
)
from hardware.simulated.hand import draw_hand, limbs
from hardware.simulated.light import screen_factor
from hardware.simulated.look import TableLook
from hardware.simulated.parts import Bgr, CameraLook, CheckerLook, Relief
from hardware.simulated.patch import Patch, cast, darken, lay, moved, shadow_map, soften
from tabletop import Colour
from vision.frame import Picture

_THINGS_KEPT: Final = 200
_NOISE_MARGIN: Final = 64  # pixels the bank of noise is larger than a picture
_CONTACT: Final = 0.5  # how dark the table is right under the edge of a thing
_CONTACT_SPREAD: Final = 0.035  # how far that is blurred, in squares

_HAND_HEIGHT: Final = 1.2  # of a hand's middle over the board, in squares
_NEAREST_SHADOW: Final = 1.0  # in front of the camera, in squares; what is nearer is left out
_HAND_SHADOW_LEVEL: Final = 0.1  # what a hand's shadow falls on: board and checkers, about

_CUP_GLOSS: Final = 0.5

_USUAL_ROOM: Final = Room()

_Thing: TypeAlias = PlacedChecker | PlacedDie | Cup

_SKIN: Final[tuple[Bgr, ...]] = ((120, 150, 205), (96, 126, 184), (60, 82, 130), (140, 172, 222))
_SLEEVES: Final[tuple[Bgr, ...]] = ((96, 70, 52), (60, 58, 58), (70, 92, 60), (150, 146, 142))


def render(scene: Scene, look: TableLook, rng: np.random.Generator) -> Picture:
    """Return a picture of *scene*, its noise drawn from *rng*, shape (height, width, 3)."""
    return expose(painter_of(look, scene.room).paint(scene), look, rng)


def expose(picture: Picture, look: TableLook, rng: np.random.Generator) -> Picture:
    """Return *picture* with a sensor's noise."""
    height, width = picture.shape[:2]
    x, y, mirrored = (
        rng.integers(0, _NOISE_MARGIN),
        rng.integers(0, _NOISE_MARGIN),
        rng.integers(2),
    )
    banks = _noise_bank(look.seed, look.camera)
    up, down = (bank[y : y + height, x : x + width] for bank in banks)
    if mirrored:
        up, down = down, up
    noisy = cv2.add(picture, up)
    return np.asarray(cv2.subtract(noisy, down, noisy), np.uint8)


@lru_cache(maxsize=3)
def painter_of(look: TableLook, room: Room = _USUAL_ROOM) -> "Painter":
    """Return the painter of a table, the one made before where there is one."""
    return Painter(look, room)


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """A thing as it was drawn: itself, and in pixels where its shadows fall and its foot is."""

    patch: Patch | None
    shadows: tuple[Points, ...]
    contact: Points | None


class Painter:
    """Paints scenes of one table in one room, keeping what it painted before."""

    def __init__(self, look: TableLook, room: Room) -> None:
        self.look = replace(look, light=replace(look.light, lamps=room.lamps))
        self.room = room
        self.camera = knocked(hang(look.camera), room.camera)
        self._ground = draw_ground(self.look, room.board, self.camera)
        self._vignette = vignette(self.camera, look.camera.vignette)
        self._square_px = pixels_a_square(self.camera)
        self._things: OrderedDict[_Thing, _Drawn] = OrderedDict()
        self._last_hand: tuple[Hand, Patch | None] | None = None

    def paint(self, scene: Scene) -> Picture:
        """Return a picture of *scene* without noise."""
        picture = self._ground.copy()
        self._shade_ground(picture, scene)
        for thing in self._far_to_near(scene):
            _lay(picture, self._drawn(thing).patch)
        if scene.hand:
            self._shade_under(picture, scene.hand)
            _lay(picture, self._hand(scene.hand))
        blurred = cv2.GaussianBlur(picture, (0, 0), self.look.camera.blur_px)
        if scene.brightness == 1:
            return np.asarray(blurred, np.uint8)
        factor = float(screen_factor(scene.brightness))
        return np.asarray(cv2.convertScaleAbs(blurred, alpha=factor), np.uint8)

    def foot(self, thing: _Thing) -> tuple[float, float, float]:
        """Return where the ground is that a thing is on: on the board, or beside it and lower."""
        if on_board(self.look, thing.x, thing.y):
            return (*self.room.board.carried(thing.x, thing.y), 0.0)
        return thing.x, thing.y, -self.look.board.thickness

    def disc(self, thing: PlacedChecker | Cup) -> Disc:
        """Return where a checker or a cup is in space."""
        x, y, ground = self.foot(thing)
        if isinstance(thing, Cup):
            return Disc(x, y, ground, ground + thing.height, thing.radius)
        own = self.look.checkers
        base = ground + thing.layer * own.thickness
        return Disc(x, y, base, base + own.thickness, own.radius)

    def cube(self, die: PlacedDie) -> Cube:
        """Return where a die is in space."""
        x, y, ground = self.foot(die)
        turn_deg = die.turn_deg
        if on_board(self.look, die.x, die.y):
            turn_deg += self.room.board.turn_deg
        placed = replace(die, x=x, y=y, turn_deg=turn_deg)
        return cube(placed, self.look.die, ground + die.height)

    def _drawn(self, thing: _Thing) -> "_Drawn":
        """Return how a thing looks where it is, drawn now or before."""
        if thing not in self._things:
            self._things[thing] = self._draw(thing)
            if len(self._things) > _THINGS_KEPT:
                self._things.popitem(last=False)
        self._things.move_to_end(thing)
        return self._things[thing]

    def _draw(self, thing: _Thing) -> "_Drawn":
        look, camera = self.look, self.camera
        _, _, ground = self.foot(thing)
        if isinstance(thing, PlacedDie):
            die = self.cube(thing)
            patch = draw_die(die, look.die, look.light, camera)
            points = die.corners()
            foot = np.column_stack([points[:, :2], np.full(len(points), ground)])
            touches = thing.height == 0
        else:
            disc = self.disc(thing)
            colour, own = (
                Colour.WHITE,
                _cup_look(thing) if isinstance(thing, Cup) else look.checkers,
            )
            if isinstance(thing, PlacedChecker):
                colour = thing.colour
            patch = draw_checker(disc, colour, own, look.light, camera)
            points = disc.outline()
            foot = replace(disc, base=ground, top=ground, radius=1.04 * disc.radius).outline()
            touches = disc.base == ground
        return _Drawn(
            patch=self._darkened(patch),
            shadows=tuple(camera.project(fallen) for fallen in fall(points, ground, look)),
            contact=camera.project(foot) if touches else None,
        )

    def _hand(self, hand: Hand) -> Patch | None:
        """Return how a hand looks; one that comes or goes is drawn once and slid along its arm."""
        reached = replace(hand, drawn_back=0.0)
        if self._last_hand is None or self._last_hand[0] != reached:
            look = self.look
            skin, sleeve = _SKIN[look.seed % 4], _SLEEVES[look.seed // 4 % 4]
            patch = self._darkened(draw_hand(reached, skin, sleeve, look.light, self.camera))
            self._last_hand = (reached, patch)
        patch = self._last_hand[1]
        if patch is None or not hand.drawn_back:
            return patch
        ends = np.array([(*each.tips_xy, _HAND_HEIGHT) for each in (reached, hand)])
        if self.camera.depth(ends).min() <= 0:
            return None
        start, end = self.camera.project(ends)
        x, y = np.round(end - start).astype(int)
        return moved(patch, int(x), int(y), self.camera)

    def _darkened(self, patch: Patch | None) -> Patch | None:
        """Apply the lens's vignette to a patch."""
        if patch is None:
            return None
        left, top, width, height = patch.box
        part = self._vignette[top : top + height, left : left + width]
        return Patch(patch.box, patch.colour * part, patch.cover)

    def _far_to_near(self, scene: Scene) -> list[_Thing]:
        """Return the order to draw in; the checkers of a stack from the ground up."""
        feet = [checker for checker in scene.checkers if checker.layer == 0]

        def nearness(thing: _Thing) -> tuple[float, float, float, int]:
            foot, layer = thing, 0
            if isinstance(thing, PlacedChecker):
                layer = thing.layer
                below = (each for each in feet if _apart(each, thing) < self.look.checkers.radius)
                foot = min(below, key=lambda each: _apart(each, thing), default=thing)
            x, y, _ = self.foot(foot)
            away = (x - self.camera.place[0]) ** 2 + (y - self.camera.place[1]) ** 2
            return -float(away), foot.x, foot.y, layer

        return sorted(_things(scene), key=nearness)

    def _shade_ground(self, picture: Picture, scene: Scene) -> None:
        """Throw the shadows of checkers, die and cup on the ground."""
        depths = shadow_depths(self.look)
        thrown = [shadow_map(self.camera) for _ in depths]
        contact = shadow_map(self.camera)
        for thing in _things(scene):
            drawn = self._drawn(thing)
            for shadow, outline, depth in zip(thrown, drawn.shadows, depths, strict=True):
                cast(shadow, outline, depth)
            if drawn.contact is not None:
                cast(contact, drawn.contact, _CONTACT)
        kept = 1 - soften(contact, _CONTACT_SPREAD * self._square_px)
        for shadow in thrown:
            kept *= 1 - soften(shadow, self.look.light.softness * self._square_px)
        darken(picture, 1 - kept)

    def _shade_under(self, picture: Picture, hand: Hand) -> None:
        """Throw a hand's shadows on all that is below it."""
        depths = shadow_depths(self.look)
        shadows = [shadow_map(self.camera) for _ in depths]
        for limb in limbs(hand, self.camera):
            fallen = fall(_rims(limb), _HAND_SHADOW_LEVEL, self.look)
            for shadow, rims, depth in zip(shadows, fallen, depths, strict=True):
                ahead = rims[self.camera.depth(rims) > _NEAREST_SHADOW]
                if len(ahead) > 2:
                    cast(shadow, self.camera.project(ahead), depth)
        for shadow in shadows:
            darken(picture, soften(shadow, (self.look.light.softness + 0.08) * self._square_px))


def _things(scene: Scene) -> list[_Thing]:
    others = (one for one in (scene.die, scene.cup) if one is not None)
    return [*scene.checkers, *others]


@lru_cache(maxsize=4)
def _cup_look(cup: Cup) -> CheckerLook:
    """Return a cup as a checker that is very thick and hollow."""
    own = ((Colour.WHITE, cup.bgr),)
    return CheckerLook(cup.radius, cup.height, Relief.DISHED, _CUP_GLOSS, own)


def _lay(picture: Picture, patch: Patch | None) -> None:
    if patch is not None:
        lay(picture, patch)


def _apart(first: _Thing, second: _Thing) -> float:
    return math.hypot(first.x - second.x, first.y - second.y)


def _rims(limb: Floats) -> Points:
    """Return points round both ends of a limb, level, (n, 3)."""
    angle = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    level_xyz = np.stack([np.cos(angle), np.sin(angle), np.zeros(12)], axis=1)
    rims = limb[:, None, :3] + limb[:, None, 3:] * level_xyz
    return np.asarray(rims, np.float64).reshape(-1, 3)


@lru_cache(maxsize=2)
def _noise_bank(seed: int, look: CameraLook) -> tuple[Picture, Picture]:
    """Return what is added to and taken from a picture: a sensor's noise, a little blotched."""
    width, height = look.size_wh
    rng = np.random.default_rng((seed, 2))
    shape = (height + _NOISE_MARGIN, width + _NOISE_MARGIN, 3)
    fine = rng.standard_normal(shape, np.float32)
    # Demosaicing spreads a pixel's noise over its neighbours; the sum has spread 1.
    noise = fine + 0.8 * cv2.blur(fine, (3, 3))
    noise *= look.noise / float(noise.std())
    return (
        np.asarray(cv2.convertScaleAbs(np.maximum(noise, 0)), np.uint8),
        np.asarray(cv2.convertScaleAbs(np.minimum(noise, 0)), np.uint8),
    )
