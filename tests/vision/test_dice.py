"""Reading dice: drawn ones whose values are known, and things that are none."""

from dataclasses import dataclass
from math import cos, radians, sin
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop import BoardLocation, DieState
from vision.dice import read_dice
from vision.frame import Picture

INK = {"white": (0.92, 0.94, 0.95), "black": (0.05, 0.05, 0.06), "red": (0.1, 0.08, 0.7)}


ALPHA, DIFFUSE, GLOSS, PIPS, SHADOW = range(5)


@dataclass(frozen=True)
class Sprite:
    """A drawn die, 54 pixels wide: what it covers, its light, gloss and pips, and its shadow."""

    layers: NDArray[np.uint8]
    label: int
    oblique_deg: float


@pytest.fixture(scope="module")
def sprites() -> list[Sprite]:
    """Return drawn dice that were never learned from, two of each value and two that lean (7)."""
    with np.load(Path(__file__).parent.parent / "data" / "drawn_dice.npz") as stored:
        rows = zip(stored["layers"], stored["labels"], stored["oblique_deg"], strict=True)
        return [Sprite(layers, int(label), float(oblique)) for layers, label, oblique in rows]


def picture(
    sprite: Sprite,
    body: str = "white",
    pips: str = "black",
    cloth: tuple[float, float, float] = (0.25, 0.35, 0.2),
    side_px: float = 54.0,
    turn_deg: float = 0.0,
) -> Picture:
    """Return a table 640x480 with a die in it, on a cloth with a faint grain."""
    rng = np.random.default_rng(5)
    canvas = np.ones((480, 640, 1), np.float32) * np.array(cloth, np.float32)
    grain = cv2.resize(rng.normal(0, 0.03, (120, 160)).astype(np.float32), (640, 480))
    canvas = canvas * (1 + grain[..., None])
    size = round(128 * side_px / 54)
    matrix = cv2.getRotationMatrix2D((63.5, 63.5), turn_deg, 1.0)
    layers = []
    for index, layer in enumerate(sprite.layers):
        turned = cv2.warpAffine(layer, matrix, (128, 128), borderValue=255 * (index == SHADOW))
        layers.append(cv2.resize(turned, (size, size), interpolation=cv2.INTER_AREA) / 255.0)
    cover = layers[PIPS][..., None]
    colour = np.array(INK[body]) * (1 - cover) + np.array(INK[pips]) * cover
    die = colour * layers[DIFFUSE][..., None] * 1.2 + layers[GLOSS][..., None] * 0.5
    alpha = layers[ALPHA][..., None]
    top, left = 240 - size // 2, 320 - size // 2
    part = canvas[top : top + size, left : left + size]
    part[:] = part * layers[SHADOW][..., None] * (1 - alpha) + die * alpha
    soft = np.asarray(cv2.GaussianBlur(canvas, (0, 0), 0.5), np.float32)
    noise = rng.normal(0, 0.01, soft.shape)
    return np.clip((soft + noise) * 255, 0, 255).astype(np.uint8)


def values(pixels: Picture, location: BoardLocation | None = None) -> list[int]:
    """Return the values given for settled dice."""
    return [die.value for die in read_dice(pixels, location) if die.value is not None]


@pytest.mark.parametrize(
    ("body", "pips"), [("white", "black"), ("red", "white"), ("black", "white")]
)
@pytest.mark.parametrize("side_px", [20.0, 48.0, 110.0])
def test_drawn_dice_are_read(sprites: list[Sprite], body: str, pips: str, side_px: float) -> None:
    """Of twelve dice of any make and pose one at most is read wrongly, ten or more rightly."""
    settled = [s for s in sprites if s.label < 7]
    told = [values(picture(s, body, pips, side_px=side_px)) for s in settled]
    wrong = [t for s, t in zip(settled, told, strict=True) if t not in ([], [s.label])]
    assert len(wrong) <= 1, wrong
    assert sum(t == [s.label] for s, t in zip(settled, told, strict=True)) >= 10


def test_smeared_dice_are_not_settled(sprites: list[Sprite]) -> None:
    """A die that slides by half its side while the shutter is open has no value."""
    kernel = np.full((1, 27), 1 / 27, np.float32)
    for sprite in sprites[::4]:
        sliding = cv2.filter2D(picture(sprite), -1, kernel)
        assert values(np.asarray(sliding, np.uint8)) == []


def test_light_die_on_light_cloth(sprites: list[Sprite]) -> None:
    """The pips alone are enough where the body hardly differs from the table."""
    told = [values(picture(s, cloth=(0.86, 0.88, 0.9))) for s in sprites if s.label < 7]
    labels = [s.label for s in sprites if s.label < 7]
    assert all(t in ([], [v]) for t, v in zip(told, labels, strict=True))
    assert sum(bool(t) for t in told) >= 9


def test_box_is_where_the_die_is(sprites: list[Sprite]) -> None:
    """The box's middle is within a fifth of the die's side of the drawn body's middle."""
    sprite = next(s for s in sprites if s.label == 5)
    rows, columns = np.nonzero(sprite.layers[ALPHA] > 128)
    (die,) = read_dice(picture(sprite))
    x, y, wide, high = die.box
    drawn_x = 320 - 64 + (columns.min() + columns.max()) / 2
    drawn_y = 240 - 64 + (rows.min() + rows.max()) / 2
    assert x + wide / 2 == pytest.approx(drawn_x, abs=11)
    assert y + high / 2 == pytest.approx(drawn_y, abs=11)


def test_brighter_and_turned_pictures_read_alike(sprites: list[Sprite]) -> None:
    """Light does not change a value, nor does turning a picture taken from straight above."""
    flat = [s for s in sprites if s.label < 7 and s.oblique_deg < 12]
    for sprite in flat:
        plain = picture(sprite, cloth=(0.2, 0.2, 0.2))
        brighter = np.clip(plain.astype(np.float32) * 1.2 + 8, 0, 255).astype(np.uint8)
        turned = np.ascontiguousarray(np.rot90(plain))
        assert values(brighter) in ([], [sprite.label])
        assert values(turned) in ([], [sprite.label])


def test_rolled_camera_with_a_known_pose(sprites: list[Sprite]) -> None:
    """Where the board tells the pose, a picture lying on its side is read as an upright one."""
    slanted = next(s for s in sprites if s.label < 7 and 30 < s.oblique_deg < 50)
    location = board_seen(slanted.oblique_deg)
    upright = picture(slanted)
    turned = np.ascontiguousarray(np.rot90(upright))  # counter-clockwise: (x, y) -> (y, 639 - x)
    a1, h1, h8, a8 = ((y, 639 - x) for x, y in location.corners)
    told = values(upright, location)
    assert told in ([], [slanted.label])
    assert values(turned, BoardLocation((a1, h1, h8, a8))) == told


def board_seen(oblique_deg: float) -> BoardLocation:
    """Return a board around the picture's middle, seen from far away at *oblique_deg*."""
    focal, far = 525.0, 14.0
    c, s = cos(radians(oblique_deg)), sin(radians(oblique_deg))

    def seen(x: float, y: float) -> tuple[float, float]:
        depth = far + y * s
        return 319.5 + focal * x / depth, 239.5 - focal * y * c / depth

    return BoardLocation((seen(-4, -4), seen(4, -4), seen(4, 4), seen(-4, 4)))


def empty_table(kind: str) -> Picture:
    """Return a table without a die."""
    rng = np.random.default_rng(9)
    canvas = np.full((480, 640, 3), (60, 90, 70), np.uint8)
    if kind == "noise":
        canvas = rng.integers(0, 255, canvas.shape).astype(np.uint8)
    elif kind == "board":
        y, x = np.mgrid[0:480, 0:640]
        canvas[(x // 50 + y // 50) % 2 == 0] = (200, 220, 230)
    elif kind == "ringed checkers":
        for x in range(80, 640, 120):
            for radius, tone in ((44, 40), (36, 200), (28, 40), (12, 200)):
                cv2.circle(canvas, (x, 240), radius, (tone, tone, tone), -1, cv2.LINE_AA)
    elif kind == "dotted checkers":
        for x in range(80, 640, 120):
            cv2.circle(canvas, (x, 240), 44, (40, 40, 190), -1, cv2.LINE_AA)
            for turn in range(6):
                spot = (int(x + 24 * cos(turn * 1.047)), int(240 + 24 * sin(turn * 1.047)))
                cv2.circle(canvas, spot, 5, (230, 230, 230), -1, cv2.LINE_AA)
    elif kind == "text":
        cv2.putText(canvas, "ABCDEFGH 1:8", (20, 250), 0, 2.4, (240, 240, 240), 5, cv2.LINE_AA)
    return canvas


@pytest.mark.parametrize(
    "kind", ["plain", "noise", "board", "ringed checkers", "dotted checkers", "text"]
)
def test_what_is_no_die_has_no_value(kind: str) -> None:
    """Nothing is read on tables without dice."""
    assert values(empty_table(kind)) == []


def test_die_over_the_edge_is_not_read(sprites: list[Sprite]) -> None:
    """A die that the picture cuts has no value."""
    sprite = next(s for s in sprites if s.label == 6)
    cut = np.ascontiguousarray(picture(sprite, side_px=90.0)[:, 320:])
    assert all(die.state is not DieState.SETTLED for die in read_dice(cut))


def test_tiny_picture_has_no_dice() -> None:
    """A picture too small for a die is answered, not refused."""
    assert read_dice(np.zeros((20, 20, 3), np.uint8)) == ()
