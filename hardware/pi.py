"""A Raspberry Pi camera, through picamera2.

picamera2 comes with the Pi's system (`python3-picamera2`) and is imported only here, when such a
camera is asked for. What it does off the beaten track, and what is done about it:

- "RGB888" lies in memory as blue, green, red, which is what a frame wants; it is asked for by name.
- What was asked for may be adjusted: size, format and stride are read back after `configure`.
- A request that is not released stalls the camera: each is released at once.
- A job that ran out of time stays in the queue and keeps its request: the camera is closed then.
- A completed request may be kept for the next who asks: the queue is switched off, so that no
  picture is older than the question.
- A loose cable makes a capture, and even `stop`, wait for ever: each capture has a time limit, and
  the camera runs in a process of its own that can be killed (`hardware.apart`).
- Exposure, white balance and focus drift while people lean over the table: they are locked, see
  `hardware.pi_locks`.
"""

import importlib
import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeAlias

from hardware.apart import DeviceApart, SetDevice
from hardware.camera_settings import CameraSettings, CameraWish, difference, model_note
from hardware.glance import Glancer
from hardware.holders import holder_text
from hardware.live import STALL_S, LiveSource, Shot
from hardware.pi_locks import Locks
from hardware.pi_stream import FORMAT, PiStream
from hardware.ports import DeviceError

LoadModule: TypeAlias = Callable[[], Any]
"""Imports picamera2, or gives what stands in for it."""

_BUFFERS: Final = 4
_GLANCE_WH: Final = (320, 240)
_FRAME_US: Final = (33_333, 100_000)  # the least and the most time a picture may take
_INSTALL: Final = "sudo apt install -y python3-picamera2 --no-install-recommends"
_FILES: Final = ("/dev/media", "/dev/video", "/dev/v4l-subdev")
_BUSY: Final = ("busy", "in use", "acquire")

_log = logging.getLogger(__name__)


def load_picamera2() -> Any:
    """Import the real picamera2."""
    return importlib.import_module("picamera2")


def open_pi(
    number: int,
    wish: CameraWish | None = None,
    *,
    load: LoadModule = load_picamera2,
    stall_s: float = STALL_S,
    apart: bool = True,
) -> LiveSource:
    """Open the Pi camera *number*, 0 being the first.

    Args:
        number: which camera; a wish that names another by its id finds that one.
        wish: how the camera is to be set. One that was lost comes back as it was set before.
        load: brings picamera2.
        stall_s: after how long without a picture the camera is lost.
        apart: run the camera in a process of its own.

    Raises:
        DeviceError: picamera2 is missing, there is no such camera, another program uses it, or it
            does not fit the wish.
    """
    name = f"pi:{number}"
    return LiveSource(name, _Opener(name, number, wish, load, stall_s, apart), stall_s=2 * stall_s)


class _Opener:
    """Opens the camera, and each further time as it was set the first time."""

    def __init__(
        self,
        name: str,
        number: int,
        wish: CameraWish | None,
        load: LoadModule,
        stall_s: float,
        apart: bool,
    ) -> None:
        self._name, self._number, self._wish = name, number, wish or CameraWish()
        self._load, self._stall_s, self._apart = load, stall_s, apart

    def __call__(self) -> SetDevice:
        opener = partial(PiDevice, self._name, self._number, self._wish, self._load, self._stall_s)
        device: SetDevice = (
            DeviceApart(self._name, opener, stall_s=self._stall_s) if self._apart else opener()
        )
        self._wish = replace(self._wish, settings=device.settings)
        return device


class PiDevice:
    """An open Pi camera, settled and locked."""

    def __init__(
        self, name: str, number: int, wish: CameraWish, load: LoadModule, stall_s: float
    ) -> None:
        """Open the camera.

        Raises:
            DeviceError: it cannot be opened, or does not fit the wish.
        """
        self._name, self._stall_s = name, stall_s
        module = _loaded(name, load)
        cameras = list(module.Picamera2.global_camera_info())
        self._camera = _acquired(name, _chosen(name, number, wish.settings, cameras), module, wish)
        self._glancer = Glancer()
        try:
            self._streams = self._configured(wish)
            self.settings = self._locked(wish)
        except BaseException as error:
            self._give_up()
            if isinstance(error, DeviceError) or not isinstance(error, Exception):
                raise
            raise DeviceError(f"{name} cannot be set up: {causes(error)}") from error

    def read(self) -> Shot:
        """Wait for the next picture that is worth taking whole.

        Raises:
            DeviceError: the camera gives none any more.
        """
        main, lores = self._streams
        while True:
            with self._request() as request:
                stamp_ns = request.get_metadata().get("SensorTimestamp")
                at_s = stamp_ns / 1e9 if stamp_ns else time.monotonic()
                if lores is None or self._glancer.whole_due(lores.grey(request), at_s):
                    return Shot(main.picture(request), at_s)

    def close(self) -> None:
        """Stop the camera and leave it to others."""
        self._camera.stop()
        self._camera.close()

    def _give_up(self) -> None:
        with suppress(Exception):
            self._camera.close()

    def _configured(self, wish: CameraWish) -> tuple[PiStream, PiStream | None]:
        """Set up the streams and start them; return what they really are."""
        camera = self._camera
        known = camera.camera_controls
        controls: dict[str, Any] = {}
        if "FrameDurationLimits" in known:
            controls["FrameDurationLimits"] = _FRAME_US
        if "AeFlickerPeriod" in known and "AeFlickerMode" in known:
            controls |= {"AeFlickerMode": 1, "AeFlickerPeriod": round(1e6 / (2 * wish.mains_hz))}
        glance_wh = tuple(min(pair) for pair in zip(_GLANCE_WH, wish.size_wh, strict=True))
        options: dict[str, Any] = {}
        if wish.upside_down:
            options["transform"] = importlib.import_module("libcamera").Transform(hflip=1, vflip=1)
        camera.configure(
            camera.create_video_configuration(
                main={"size": wish.size_wh, "format": FORMAT},
                lores={"size": glance_wh, "format": "YUV420"},
                buffer_count=_BUFFERS,
                controls=controls,
                queue=False,
                **options,
            )
        )
        found = camera.camera_configuration()
        main = PiStream("main", found["main"], found.get("colour_space"))
        lores = found.get("lores")
        if main.format != FORMAT:
            _log.info("%s gives %s pictures", self._name, main.format)
        if main.size_wh != wish.size_wh:
            _log.info("%s gives pictures of %dx%d", self._name, *main.size_wh)
        glance = None if lores is None else PiStream("lores", lores, found.get("colour_space"))
        camera.start()
        return main, glance

    def _locked(self, wish: CameraWish) -> CameraSettings:
        """Let the camera settle, or restore what is wished, and see that it keeps to that."""
        properties = self._camera.camera_properties
        model = str(properties.get("Model", ""))
        if note := model_note(model):
            _log.warning("%s is a %s: %s", self._name, model, note)
        crop = self._metadata().get("ScalerCrop")
        wanted = wish.settings
        if wanted is not None and (why := difference(wanted, model, crop)):
            raise DeviceError(f"{self._name} does not fit: {why}; calibrate again")
        locks = Locks(self._name, self._camera, self._metadata)
        settings = locks.settle(wish.mains_hz) if wanted is None else locks.restore(wanted)
        identity = getattr(self._camera, "camera", None)
        return replace(
            settings,
            camera_id=str(getattr(identity, "id", "")),
            model=model,
            crop_xywh=None if crop is None else tuple(crop),
        )

    def _metadata(self) -> Mapping[str, Any]:
        """Return what is known of the next picture."""
        with self._request() as request:
            return dict(request.get_metadata())

    @contextmanager
    def _request(self) -> Iterator[Any]:
        """Hold the next request for as long as it is used, and not a moment longer."""
        job = self._camera.capture_request(wait=False)
        try:
            request = job.get_result(timeout=self._stall_s)
        except TimeoutError as error:
            # The job would take a buffer with it, and stand in the way of closing.
            self._camera.cancel_all_and_flush()
            raise DeviceError(
                f"{self._name} has given no picture for {self._stall_s:g} s: check the ribbon "
                "cable at both ends"
            ) from error
        try:
            yield request
        finally:
            request.release()


def causes(error: BaseException) -> str:
    """Return the texts of an error and of what caused it."""
    texts = []
    cause: BaseException | None = error
    while cause is not None:
        texts.append(str(cause) or type(cause).__name__)
        cause = cause.__cause__ or cause.__context__
    return "; ".join(dict.fromkeys(texts))


def _loaded(name: str, load: LoadModule) -> Any:
    try:
        return load()
    except ImportError as error:
        raise DeviceError(
            f"{name} needs picamera2, which is not here ({error}): on a Pi type `{_INSTALL}` and "
            "make the virtual environment with --system-site-packages"
        ) from error
    except ValueError as error:
        # Bookworm's simplejpeg was built for numpy 1; see picamera2's issue 1211.
        raise DeviceError(
            f"{name}: picamera2 does not fit this numpy ({error}): install "
            "`opencv-python==4.11.0.86` and `numpy<2`"
        ) from error


def _chosen(
    name: str, number: int, wanted: CameraSettings | None, cameras: Sequence[Mapping[str, Any]]
) -> int:
    """Return which camera to open: the one wanted by its id wherever it is, else by number."""
    ids = [str(each.get("Id", "")) for each in cameras]
    if wanted is not None and wanted.camera_id in ids:
        return ids.index(wanted.camera_id)
    if number < len(cameras):
        return number
    found = ", ".join(f"pi:{i} is a {each.get('Model')}" for i, each in enumerate(cameras))
    raise DeviceError(
        f"{name} is missing: {found or 'no camera is found'}; check the ribbon cable with the Pi "
        "switched off, then see `rpicam-hello --list-cameras`"
    )


def _acquired(name: str, number: int, module: Any, wish: CameraWish) -> Any:
    try:
        if wish.tuning:
            tuning = module.Picamera2.load_tuning_file(wish.tuning)
            return module.Picamera2(number, tuning=tuning)
        return module.Picamera2(number)
    except (RuntimeError, IndexError) as error:
        text = causes(error)
        if any(word in text.lower() for word in _BUSY):
            raise DeviceError(f"{name} cannot be opened ({text}): {holder_text(_FILES)}") from error
        raise DeviceError(
            f"{name} cannot be opened ({text}): check the ribbon cable, then see "
            "`rpicam-hello --list-cameras`"
        ) from error
