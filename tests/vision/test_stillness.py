import numpy as np
import pytest

from vision.frame import Frame, Picture
from vision.stillness import Stillness


def table(die_at: int | None = None, light: float = 1.0, seed: int | None = None) -> Picture:
    """Return a picture of a chequered table, with a die where wanted, noise and other light."""
    height, width = 480, 640
    rows, columns = np.mgrid[0:height, 0:width]
    grey = 70.0 + 90.0 * ((rows // 48 + columns // 48) % 2)
    if die_at is not None:
        grey[200:224, die_at : die_at + 24] = 240.0
    noise = 0.0 if seed is None else np.random.default_rng(seed).normal(0, 6, (height, width))
    pixels = np.clip(light * grey + noise, 0, 255).astype(np.uint8)
    return np.repeat(pixels[..., None], 3, axis=2)


def watch(pictures: list[Picture], settle_s: float = 1.0) -> list[Stillness]:
    """Return what is known after each of *pictures*, ten a second."""
    known, state = [], Stillness(settle_s)
    for number, pixels in enumerate(pictures):
        state = state.step(Frame(pixels, at_s=number / 10, number=number))
        known.append(state)
    return known


def test_a_still_table_settles_after_the_settle_time() -> None:
    """One second after the first frame, not before."""
    known = watch([table()] * 15)
    assert known[0].moving
    assert not known[1].moving
    assert [state.settled for state in known].index(True) == 10


@pytest.mark.parametrize("settle_s", [0.3, 0.5])
def test_the_settle_time_may_be_set(settle_s: float) -> None:
    """Whoever wants quicker rulings sets it shorter."""
    known = watch([table()] * 9, settle_s=settle_s)
    assert [state.settled for state in known].index(True) == round(settle_s / 0.1)


def test_a_rolling_die_moves_and_then_settles() -> None:
    """While the die rolls the table moves; the settle time begins when it lies."""
    rolling = [table(60 + 30 * step) for step in range(6)]
    known = watch(rolling + [rolling[-1]] * 12)
    assert all(state.moving for state in known[:6])
    assert not any(state.settled for state in known[:15])
    assert known[15].settled


def test_a_settled_scene_that_changed_says_so_once() -> None:
    """The die in another place is a change until the new scene has settled."""
    known = watch([table(100)] * 12 + [table(300)] * 13)
    assert not known[11].changed
    assert all(state.changed for state in known[12:23])
    assert not known[24].changed


def test_noise_flicker_and_drift_are_no_motion() -> None:
    """A sensor's noise, lamps that flicker and light that fades leave the table at rest."""
    pictures = [
        table(100, light=1.0 - 0.004 * number + 0.02 * (-1) ** number, seed=number)
        for number in range(25)
    ]
    known = watch(pictures)
    assert not any(state.moving for state in known[1:])
    assert known[-1].settled
    assert not known[-1].changed


def test_a_gap_between_frames_is_not_stillness() -> None:
    """What went on while no picture came nobody knows."""
    state = Stillness().step(Frame(table(), at_s=0.0)).step(Frame(table(), at_s=0.1))
    assert not state.moving
    assert state.step(Frame(table(), at_s=5.0)).moving


def test_a_frame_that_is_vouched_for_is_settled_by_itself() -> None:
    """Pictures from a folder are each a settled moment."""
    state = Stillness().step(Frame(table(100), at_s=0.0, still=True))
    assert state.settled
    assert not state.moving
    after = state.step(Frame(table(300), at_s=2.0, still=True))
    assert after.settled
    assert after.changed


def test_a_picture_of_another_size_is_a_change() -> None:
    """A camera that starts anew with another size is no still table."""
    state = Stillness().step(Frame(table(), at_s=0.0))
    other = Frame(np.ascontiguousarray(table()[:300]), at_s=0.1)
    assert state.step(other).moving
