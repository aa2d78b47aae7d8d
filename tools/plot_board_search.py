"""Draw how a board is found, for the documentation: from saddle points to the fitted grid.

    plot_board_search.py [--seed 11] [--out docs/pictures]

Shows a simulated table, its look chosen by the seed, with checkers on it.
"""

import argparse
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike

from hardware.scene import PlacedChecker, Scene
from hardware.simulated import TableLook, render
from tabletop import BoardLocation
from vision.board import find_board, logarithmic
from vision.frame import Picture
from vision.lattice import Lattice, find_lattices
from vision.rectify import board_to_picture, rectify
from vision.saddles import Saddles, find_saddles

SIZE_WH: Final = (960, 720)
LEVEL_WH: Final = (480, 360)
SHOWN_WH: Final = (640, 480)
CHECKERS: Final = 18
MOST_BYTES: Final = 60_000
MARK: Final = (255, 0, 255)
LIGHT: Final = (0, 220, 255)


def main() -> None:
    """Draw the four steps, one picture each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--out", type=Path, default=Path("docs/pictures"))
    choices = parser.parse_args()
    pixels = photograph(choices.seed)
    red = cv2.resize(
        np.ascontiguousarray(pixels[..., 2]), LEVEL_WH, interpolation=cv2.INTER_AREA
    ).astype(np.uint8)
    saddles = find_saddles(logarithmic(red))
    lattice = find_lattices(saddles, LEVEL_WH)[0]
    location = find_board(pixels)
    if not isinstance(location, BoardLocation):
        raise SystemExit(f"no board is found on table {choices.seed}: {location.reason}")
    choices.out.mkdir(parents=True, exist_ok=True)
    for name, picture in (
        ("board-saddles", with_saddles(pixels, saddles)),
        ("board-lattice", with_lattice(pixels, lattice)),
        ("board-grid", with_grid(pixels, location)),
        ("board-rectified", rectify(pixels, location).pixels),
    ):
        save(choices.out / f"{name}.jpg", picture)


def photograph(seed: int) -> Picture:
    """Return a picture of a simulated table with checkers anywhere on its board."""
    rng = np.random.default_rng(seed)
    look = TableLook.from_seed(seed, SIZE_WH)
    colours = [colour for colour, _ in look.checkers.colours]
    squares = rng.permutation(64)[:CHECKERS].tolist()
    checkers = tuple(
        PlacedChecker(colours[rng.integers(len(colours))], at % 8 + 0.5, at // 8 + 0.5)
        for at in squares
    )
    return render(Scene(checkers), look, rng)


def with_saddles(pixels: Picture, saddles: Saddles) -> Picture:
    """Return the picture with each saddle point and its axis into the light squares."""
    shown = shrunk(pixels)
    scale = SHOWN_WH[0] / LEVEL_WH[0]
    for point, axis in zip(saddles.points_xy * scale, saddles.light_axis, strict=True):
        step = 9 * np.array((np.cos(axis), np.sin(axis)))
        ends = np.rint(np.stack((point - step, point + step))).astype(int).tolist()
        cv2.line(shown, ends[0], ends[1], LIGHT, 1, cv2.LINE_AA)
        cv2.circle(shown, np.rint(point).astype(int).tolist(), 3, MARK, 1, cv2.LINE_AA)
    return shown


def with_lattice(pixels: Picture, lattice: Lattice) -> Picture:
    """Return the picture with the largest lattice: its points, joined to their neighbours."""
    shown = shrunk(pixels)
    points = lattice.grid.project(lattice.places) * (SHOWN_WH[0] / LEVEL_WH[0])
    at = {(x, y): point for (x, y), point in zip(lattice.places.tolist(), points, strict=True)}
    for (x, y), point in at.items():
        for beside in ((x + 1, y), (x, y + 1)):
            if beside in at:
                draw_path(shown, np.stack((point, at[beside])))
        cv2.circle(shown, np.rint(point).astype(int).tolist(), 4, LIGHT, -1, cv2.LINE_AA)
    return shown


def with_grid(pixels: Picture, location: BoardLocation) -> Picture:
    """Return the picture with the lines between the squares."""
    shown = pixels.copy()
    along = np.linspace(0.0, 8.0, 17)
    for line in range(9):
        across = np.full_like(along, line)
        for path in (np.column_stack((along, across)), np.column_stack((across, along))):
            draw_path(shown, board_to_picture(location, SIZE_WH, path))
    return shrunk(shown)


def shrunk(pixels: Picture) -> Picture:
    """Return a picture in the size that is shown."""
    return np.asarray(cv2.resize(pixels, SHOWN_WH, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def draw_path(picture: Picture, points: ArrayLike) -> None:
    """Draw lines through points, in place."""
    cv2.polylines(picture, [np.rint(points).astype(np.int32)], False, MARK, 2, cv2.LINE_AA)


def save(path: Path, picture: Picture) -> None:
    """Write a picture, as good as its size allows."""
    for quality in range(90, 20, -5):
        done, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if done and len(coded) <= MOST_BYTES:
            path.write_bytes(coded.tobytes())
            return
    raise SystemExit(f"{path} cannot be made as small as {MOST_BYTES} bytes")


if __name__ == "__main__":
    main()
