"""From what people configured, and what a table profile holds, to how devices are set."""

from dataclasses import replace

from calibration.profile import Camera, TableProfile
from companion.settings import Settings
from hardware.camera_settings import DEFAULT_SIZE_WH, CameraSettings, CameraWish
from hardware.live import LiveSource
from hardware.ports import FrameSource


def camera_wish(settings: Settings, profile: TableProfile | None = None) -> CameraWish:
    """Return how a camera is wanted: for calibration, or as *profile* was made."""
    asked = settings.camera
    size_wh, wanted = DEFAULT_SIZE_WH, None
    if profile is not None:
        camera = profile.camera
        size_wh = (camera.width_px, camera.height_px)
        wanted = CameraSettings(
            camera_id=camera.id,
            model=camera.model,
            exposure_us=camera.exposure_us,
            analogue_gain=camera.analogue_gain,
            colour_gains=camera.colour_gains,
            colour_temperature_k=camera.colour_temperature_k,
            lens_position=camera.lens_position,
            crop_xywh=camera.crop_xywh,
        )
        if wanted == CameraSettings():
            # It was made from pictures, or from a camera that cannot be set.
            wanted = None
    return CameraWish(wanted, size_wh, asked.mains_hz, asked.tuning, asked.upside_down)


def with_camera(profile: TableProfile, source: FrameSource) -> TableProfile:
    """Return *profile* with how the camera of *source* was set while it was made."""
    settings = source.settings if isinstance(source, LiveSource) else None
    if settings is None:
        return profile
    camera = Camera(
        profile.camera.source,
        profile.camera.width_px,
        profile.camera.height_px,
        settings.exposure_us,
        settings.analogue_gain,
        settings.colour_gains,
        settings.colour_temperature_k,
        settings.lens_position,
        settings.crop_xywh,
        settings.camera_id,
        settings.model,
    )
    return replace(profile, camera=camera)
