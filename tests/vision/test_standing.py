import math

import numpy as np
import pytest

from tabletop import BoardLocation, Colour
from vision.pose import estimate_pose
from vision.standing import CAP, Paint, find_towers
from vision.towers import Tower, View, outline, wall

# A camera that looks down at about forty degrees from the side of the first rank.
OBLIQUE = BoardLocation(((150.0, 520.0), (650.0, 520.0), (560.0, 150.0), (240.0, 150.0)))
VIEW = View(estimate_pose(OBLIQUE, (800, 600)), 0.4, 0.2, 24, 1.0)


def evidence(towers: list[Tower], seed: int = 1, shaded: float = 0.0) -> dict[Colour, Paint]:
    """Return paints with which *towers* are seen, with noise.

    The *shaded* part of the evidence for walls speaks for walls alone.
    """
    rng = np.random.default_rng(seed)
    paints = {}
    for colour in (Colour.RED, Colour.BLUE):
        plane = np.full((VIEW.side_px, VIEW.side_px), -CAP, dtype=np.float32)
        for tower in towers:
            part = outline(VIEW, tower.foot_xy, tower.count)
            seen = part.cover >= 0.5
            plane[part.rows, part.columns][seen] = CAP if tower.colour is colour else -1.0
        walls = np.zeros_like(plane)
        for tower in towers:
            part = outline(VIEW, tower.foot_xy, tower.count)
            side = shaded * CAP * wall(VIEW, tower, part)
            walls[part.rows, part.columns] = side
            plane[part.rows, part.columns] -= side
        noisy = plane + rng.normal(0, 1.5, plane.shape)
        paints[colour] = Paint(np.clip(noisy, -CAP, CAP).astype(np.float32), walls)
    return paints


def test_places_convert_both_ways() -> None:
    """A pixel of the rectified board is a place on it and back."""
    assert VIEW.from_px(*VIEW.to_px((3.25, 6.5))) == pytest.approx((3.25, 6.5))
    assert VIEW.side_px == 240


def test_an_outline_leans_away_from_the_camera() -> None:
    """A tower hides more of the board beyond it than before it, and more the higher it is."""
    areas = [float(outline(VIEW, (4.0, 4.0), count).cover.sum()) for count in (1, 2, 3)]
    assert areas[0] < areas[1] < areas[2]
    # The camera is on the side of the first rank: the outline reaches up, to lesser rows.
    foot_row = VIEW.to_px((4.0, 4.0))[1]
    part = outline(VIEW, (4.0, 4.0), 3)
    assert foot_row - part.rows.start > part.rows.stop - foot_row


def test_an_outline_outside_the_picture_is_empty() -> None:
    """Far beside the board nothing is hidden of it."""
    assert outline(VIEW, (20.0, 4.0), 1).cover.size == 0


def test_nothing_is_found_on_an_empty_board() -> None:
    """Without evidence there is no tower."""
    assert find_towers(evidence([]), VIEW) == ()


def test_towers_are_found_where_they_stand() -> None:
    """Single, touching, stacked, near the rim: colour, count and foot come out."""
    placed = [
        Tower(Colour.RED, 1, (1.5, 1.6)),
        Tower(Colour.BLUE, 1, (4.1, 3.5)),
        Tower(Colour.BLUE, 1, (4.92, 3.5)),
        Tower(Colour.RED, 3, (6.5, 5.4)),
        Tower(Colour.BLUE, 1, (0.2, 7.7)),
    ]
    found = find_towers(evidence(placed), VIEW)
    sure = [item for item in found if item.score > 10.0]
    assert len(sure) == len(placed)
    for tower in placed:
        near = min(sure, key=lambda item: math.dist(item.tower.foot_xy, tower.foot_xy))
        assert math.dist(near.tower.foot_xy, tower.foot_xy) < 0.06
        assert near.tower.colour is tower.colour
        assert near.tower.count == tower.count


@pytest.mark.parametrize("count", [2, 3, 4])
def test_a_tower_with_its_wall_in_the_shade_is_as_high_as_it_is(count: int) -> None:
    """What looks like neither the board nor the lit paint counts where a wall would be."""
    placed = Tower(Colour.RED, count, (4.5, 4.5))
    (found,) = (
        item for item in find_towers(evidence([placed], shaded=1.0), VIEW) if item.score > 10
    )
    assert found.tower.count == count
    assert math.dist(found.tower.foot_xy, placed.foot_xy) < 0.06


def test_other_colours_and_counts_are_scored_too() -> None:
    """What speaks for another reading of the same place is told, not only the best."""
    (item,) = (
        found
        for found in find_towers(evidence([Tower(Colour.RED, 1, (3.5, 3.5))]), VIEW)
        if found.score > 10.0
    )
    by_colour = dict(item.by_colour)
    assert by_colour[Colour.RED] > by_colour[Colour.BLUE] + 10.0
    assert item.by_count[0] == max(item.by_count)
    assert len(item.by_count) >= 2
    # The top of the higher one is seen at the same place from nearer to the camera.
    assert len(item.feet) == len(item.by_count)
    assert item.feet[0] == item.tower.foot_xy
