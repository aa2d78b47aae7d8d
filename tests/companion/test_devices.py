"""How a camera is set at calibration and set again for a game."""

from dataclasses import replace

import pytest

from companion.appliance.devices import camera_wish, with_camera
from companion.settings import Settings
from hardware import DeviceError
from hardware.camera_settings import CameraWish
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
