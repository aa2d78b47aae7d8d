"""Draw what the networks that know dice learn from.

    python -m training.draw_dice sprites FOLDER --count 5000 --seed 1
    python -m training.draw_dice crops   FOLDER --count 60000 --seed 11
    python -m training.draw_dice patches FOLDER --count 4000 --seed 12

Crops (for the reader) and patches (for the finder) are put together from the sprites in the folder.
Several commands with different seeds may draw into one folder at once.
"""

import argparse
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from training.dice_samples import crop_sample, patch_sample
from training.dice_scenes import SpriteBook
from training.dice_sprites import draw_sprite

CHUNK: Final = {"sprites": 250, "crops": 5000, "patches": 500}


def draw_chunk(
    kind: str, rng: np.random.Generator, count: int, book: SpriteBook | None
) -> dict[str, np.ndarray]:
    """Return the arrays of *count* sprites, crops or patches."""
    if book is None:
        sprites = [draw_sprite(rng) for _ in range(count)]
        return {
            "layers": np.stack([s.layers for s in sprites]),
            "label": np.array([s.label for s in sprites]),
            "oblique": np.array([s.oblique_deg for s in sprites], np.float32),
        }
    if kind == "crops":
        crops = [crop_sample(rng, book) for _ in range(count)]
        return {
            "x": np.stack([c.pixels for c in crops]),
            "y": np.array([c.label for c in crops]),
            "box": np.array([c.box for c in crops], np.float32),
            "masks": np.stack([c.masks for c in crops]),
            "ob": np.array([c.oblique_deg for c in crops], np.float32),
        }
    patches = [patch_sample(rng, book) for _ in range(count)]
    return {"x": np.stack([p[0] for p in patches]), "y": np.stack([p[1] for p in patches])}


def load_book(folder: Path) -> SpriteBook:
    """Return all sprites that were drawn into *folder*."""
    chunks = [dict(np.load(path)) for path in sorted(folder.glob("sprites_*.npz"))]
    if not chunks:
        raise SystemExit(f"no sprites in {folder}: draw them first (sprites {folder})")
    layers, labels, oblique = (
        np.concatenate([chunk[name] for chunk in chunks]) for name in ("layers", "label", "oblique")
    )
    return SpriteBook(layers, labels, oblique)


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
    args.folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(args.seed)
    book = None if args.kind == "sprites" else load_book(args.folder)
    for number in range(-(-args.count // CHUNK[args.kind])):
        arrays = draw_chunk(args.kind, rng, CHUNK[args.kind], book)
        path = args.folder / f"{args.kind}_{args.seed}_{number:03d}.npz"
        # Under another name until whole, so that a learner at work never reads half a file.
        unfinished = path.with_name(f".{path.name}.tmp.npz")
        np.savez(unfinished, allow_pickle=False, **arrays)
        unfinished.rename(path)
        print(path, flush=True)


if __name__ == "__main__":
    main()
