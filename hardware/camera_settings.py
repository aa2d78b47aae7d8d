"""How a camera is set: what is locked at calibration and restored for each game."""

from dataclasses import dataclass
from typing import Final

DEFAULT_SIZE_WH: Final = (1280, 960)


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """The camera and the values it keeps; what is None was left to the camera.

    Attributes:
        camera_id: what tells it from other cameras of the same computer.
        model: of its sensor, as in ``imx708_wide``.
        exposure_us: microseconds.
        analogue_gain: as a factor.
        colour_gains: of red and blue.
        colour_temperature_k: of the white balance, in kelvins, where a camera counts so.
        lens_position: where the lens is focused: of a Pi camera in dioptres, 0 being far away and
            2 half a metre; of others in steps of their own.
        crop_xywh: the part of the sensor that is shown, in its pixels.
    """

    camera_id: str = ""
    model: str = ""
    exposure_us: int | None = None
    analogue_gain: float | None = None
    colour_gains: tuple[float, float] | None = None
    colour_temperature_k: int | None = None
    lens_position: float | None = None
    crop_xywh: tuple[int, int, int, int] | None = None


@dataclass(frozen=True, slots=True)
class CameraWish:
    """How a camera is wanted.

    Attributes:
        settings: what it must be set to, as a table profile has it; None lets it settle by itself.
        size_wh: of its pictures, where it has that.
        mains_hz: of the lamps' current, 50 or 60: they flicker twice as fast.
        tuning: the name of a tuning file of libcamera, as ``imx219_noir.json``; empty for its own.
        upside_down: the camera hangs the other way up; its pictures are turned.
    """

    settings: CameraSettings | None = None
    size_wh: tuple[int, int] = DEFAULT_SIZE_WH
    mains_hz: int = 50
    tuning: str = ""
    upside_down: bool = False

    def __post_init__(self) -> None:
        if self.mains_hz not in (50, 60):
            raise ValueError(f"the mains have 50 or 60 Hz, not {self.mains_hz}")


def without_flicker(exposure_us: int, gain: float, mains_hz: int) -> tuple[int, float]:
    """Return an exposure that lamps cannot flicker in, and the gain that keeps the brightness.

    A lamp on the mains is bright twice a period, and an exposure of whole such halves gathers the
    same light whenever it begins. Where the light is too bright for one, nothing is changed: that
    is daylight, or near it.

    >>> without_flicker(26_000, 2.0, 50)
    (20000, 2.6)
    """
    half_us = 1e6 / (2 * mains_hz)
    halves = int(exposure_us / half_us + 0.02)
    if halves == 0:
        # One half needs less gain than there is.
        halves = 1
        if gain * exposure_us / half_us < 1:
            return exposure_us, gain
    steady_us = round(halves * half_us)
    return steady_us, round(gain * exposure_us / steady_us, 4)


def model_note(model: str) -> str:
    """Return what a person should know of a camera module, empty where there is nothing."""
    notes = []
    if "noir" in model:
        notes.append(
            "it has no infrared filter: by daylight red, black and wood look alike, so play by "
            "lamps without infrared (LED), and calibrate under them"
        )
    if "wide" in model:
        notes.append("its lens is wide: mount it lower, and calibrate with the whole board in view")
    return "; ".join(notes)


def difference(wanted: CameraSettings, model: str, crop: tuple[int, ...] | None) -> str:
    """Return why pictures of another camera cannot fit a profile, empty where they can."""
    if wanted.model and model and wanted.model != model:
        return f"the table profile was made with a camera {wanted.model}, this one is {model}"
    if wanted.crop_xywh and crop and tuple(wanted.crop_xywh) != tuple(crop):
        return (
            f"the table profile was made with the part {wanted.crop_xywh} of the sensor in view, "
            f"now it is {tuple(crop)}"
        )
    return ""
