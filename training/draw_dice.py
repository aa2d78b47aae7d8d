"""Draw what the networks that know dice learn from.

    python -m training.draw_dice tables  FOLDER --count 8000 --seed 1
    python -m training.draw_dice crops   FOLDER --count 600000 --seed 2
    python -m training.draw_dice sprites FOLDER --count 8192 --seed 3
    python -m training.draw_dice patches FOLDER --count 6000 --seed 4

Crops (for the reader) show dice traced on the tables in the folder, patches (for the finder) are
put together from the sprites in it. Several commands with different seeds may draw into one folder
at once.
"""

import argparse
from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from training.dice_crops import BATCH, TABLE_PX, TABLE_SIDE_PX, Tables, draw_crops
from training.dice_paints import View
from training.dice_samples import patch_sample
from training.dice_scenes import SpriteBook
from training.dice_sprites import draw_sprites
from training.dice_tables import draw_table

CHUNK: Final = {"tables": 1000, "crops": 40 * BATCH, "sprites": 1024, "patches": 500}

Arrays = dict[str, NDArray[np.generic]]


def draw_chunk(kind: str, rng: np.random.Generator, folder: Path) -> Arrays:
    """Return the arrays of `CHUNK` tables, crops, sprites or patches."""
    if kind == "tables":
        return _tables(rng, CHUNK[kind])
    if kind == "sprites":
        return draw_sprites(rng, CHUNK[kind])
    if kind == "crops":
        tables = load_tables(folder)
        batches = [draw_crops(rng, tables) for _ in range(CHUNK[kind] // BATCH)]
        return {name: np.concatenate([b[name] for b in batches]) for name in batches[0]}
    book = load_book(folder)
    patches = [patch_sample(rng, book) for _ in range(CHUNK[kind])]
    return {"x": np.stack([p[0] for p in patches]), "y": np.stack([p[1] for p in patches])}


def _tables(rng: np.random.Generator, count: int) -> Arrays:
    pixels, obliques, boxes = [], [], []
    for _ in range(count):
        oblique = float(rng.uniform(0, 62) if rng.random() < 0.8 else rng.uniform(0, 25))
        canvas, things = draw_table(rng, TABLE_PX, TABLE_SIDE_PX, View(oblique, 0.0), clutter=1.6)
        seen = [t.box for t in things if _within(t.box)]
        pixels.append(np.clip(canvas * 255, 0, 255).astype(np.uint8))
        obliques.append(oblique)
        boxes.append(seen[int(rng.integers(len(seen)))] if seen else (0.0,) * 4)
    return {
        "pixels": np.stack(pixels),
        "oblique": np.array(obliques, np.float32),
        "things": np.array(boxes, np.float32),
    }


def _within(box: tuple[float, float, float, float]) -> bool:
    x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
    return 0 < x < TABLE_PX and 0 < y < TABLE_PX


@cache
def load_tables(folder: Path) -> Tables:
    """Return all tables that were drawn into *folder*, by rising obliqueness."""
    pixels, oblique, things = _load(folder, "tables", ("pixels", "oblique", "things"))
    order = np.argsort(oblique, kind="stable")
    return Tables(pixels[order], oblique[order], things[order])


@cache
def load_book(folder: Path) -> SpriteBook:
    """Return all sprites that were drawn into *folder*."""
    return SpriteBook(*_load(folder, "sprites", ("layers", "label", "oblique")))


def _load(folder: Path, kind: str, names: tuple[str, ...]) -> list[NDArray[np.generic]]:
    chunks = [dict(np.load(path)) for path in sorted(folder.glob(f"{kind}_*.npz"))]
    if not chunks:
        raise SystemExit(f"no {kind} in {folder}: draw them first ({kind} {folder})")
    return [np.concatenate([chunk[name] for chunk in chunks]) for name in names]


def main() -> None:
    """Read the command line and draw, a file for each chunk."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kind", choices=tuple(CHUNK))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    args.folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(args.seed)
    for number in range(-(-args.count // CHUNK[args.kind])):
        arrays = draw_chunk(args.kind, rng, args.folder)
        path = args.folder / f"{args.kind}_{args.seed}_{number:03d}.npz"
        # Under another name until whole, so that a learner at work never reads half a file.
        unfinished = path.with_name(f".{path.name}.tmp.npz")
        np.savez(unfinished, **arrays)
        unfinished.rename(path)
        print(path, flush=True)


if __name__ == "__main__":
    main()
