"""How a camera is set at calibration and set again for a game."""

from contextlib import ExitStack
from dataclasses import replace

import numpy as np
import pytest

from companion.appliance import devices
from companion.appliance.device_settings import StripSection
from companion.appliance.devices import camera_wish, with_camera
from companion.loop import Inbox
from companion.settings import Settings
from hardware import DeviceError
from hardware.camera_settings import CameraWish
from hardware.lamp_board import LampState
from hardware.lamps import DrivenLamps, OpenedLamps
from hardware.live import LiveSource, Shot
from hardware.pi import open_pi
from tests.calibration.test_profile import a_profile
from tests.hardware.picamera2_stub import PiStage


def test_a_camera_is_set_for_a_game_as_it_was_for_the_profile() -> None:
    """What the camera kept to goes into the profile, and from there back to the camera."""
    stage = PiStage()
    with open_pi(0, camera_wish(Settings()), load=stage.load, apart=False) as source:
        profile = with_camera(a_profile(), source)
        kept = source.settings
    assert (profile.camera.exposure_us, profile.camera.model) == (20_000, "imx219")
    stage.exposure_us = 90_000
    wish = camera_wish(Settings(), profile)
    assert wish.settings == kept
    with open_pi(0, wish, load=stage.load, apart=False) as source:
        assert source.settings == kept


def test_a_profile_of_another_camera_is_refused() -> None:
    """The reason names both cameras."""
    stage = PiStage()
    profile = a_profile()
    wish = camera_wish(Settings(), replace(profile, camera=replace(profile.camera, model="ov5647")))
    with pytest.raises(DeviceError, match="made with a camera ov5647, this one is imx219"):
        open_pi(0, wish, load=stage.load, apart=False)


def test_a_profile_made_from_pictures_leaves_the_camera_free() -> None:
    """Only the size of the pictures is kept to."""
    profile = a_profile()
    bare = replace(profile.camera, exposure_us=None, analogue_gain=None, colour_gains=None)
    bare = replace(bare, colour_temperature_k=None, lens_position=None, crop_xywh=None)
    bare = replace(bare, id="", model="")
    settings = Settings.model_validate({"camera": {"mains_hz": 60, "upside_down": True}})
    wish = camera_wish(settings, replace(profile, camera=bare))
    assert wish == CameraWish(None, (64, 48), 60, upside_down=True)


def test_a_source_that_is_no_camera_changes_no_profile() -> None:
    """Pictures in a folder have no exposure to lock."""

    class Pictures:
        """No camera."""

    assert with_camera(a_profile(), Pictures()) == a_profile()  # type: ignore[arg-type]


DARK = 100
"""How light the pictures are while no lamp falls into them."""


class Flickering:
    """A camera over a strip: its pictures are light while the strip is, ten a second.

    It never waits: its clock is the lamps' as well, and the lamps are painted before each picture.
    """

    def __init__(self, pictures: int) -> None:
        self.now_s = 100.0
        self.lamps = DrivenLamps([self], clock=lambda: self.now_s, threaded=False)
        self._left = pictures
        self._glows = False

    def paint(self, state: LampState) -> bool:
        """Be lit, or not."""
        self._glows = state.glows
        return True

    def read(self) -> Shot:
        """Give the next picture once it was asked for."""
        if not self._left:
            raise DeviceError("that was all")
        self._left -= 1
        self.now_s += 0.1
        self.lamps.step()
        return Shot(np.full((2, 2, 3), 2 * DARK if self._glows else DARK, np.uint8), self.now_s)

    def close(self) -> None:
        """Nothing is open."""


@pytest.mark.parametrize(("known", "lit"), [(False, True), (True, False)])
def test_pictures_that_the_strip_falls_into_are_not_looked_at(
    monkeypatch: pytest.MonkeyPatch, known: bool, lit: bool
) -> None:
    """While squares are marked only the dark is looked at; without knowing of it, both would be."""
    device = Flickering(100)
    monkeypatch.setattr(devices, "opened_lamps", lambda *_, **__: OpenedLamps(device.lamps))
    device.lamps.mark(("b1",), ("c1",))
    with LiveSource("camera", lambda: device) as source, ExitStack() as stack:
        if known:
            strip = Settings(strip=StripSection(leds_a_side=8))
            devices.open_table_devices(
                stack, strip, source, Inbox(), spoken=True, complain=pytest.fail
            )
        shots = [device.read() for _ in range(100)]
        looked_at = [shot for shot in shots if source.wanted(shot.at_s)]
    assert any(shot.pixels.max() > DARK for shot in looked_at) is lit
    assert len(looked_at) > 20
