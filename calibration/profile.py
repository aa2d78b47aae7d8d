"""A table profile: what calibration found and people may set, kept in one readable file."""

import base64
import binascii
import hashlib
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import tomlkit
from tomlkit import TOMLDocument
from tomlkit.items import Item, Table

from calibration.document import VERSION, Document, DocumentError, parse_document
from tabletop import BoardLocation, Colour, Point, Seat
from vision.frame import Picture
from vision.table import CheckerLook, TableModel, Tint

_JPEG_END: Final = b"\xff\xd9"
_JPEG_QUALITY: Final = 96
_LINE: Final = 100


class ProfileError(Exception):
    """A table profile cannot be read or written; the message says which, why and what to do."""


@dataclass(frozen=True, slots=True)
class Camera:
    """What took the pictures, and how it was set.

    Attributes:
        source: the source as it is named on the command line; empty where it does not matter.
        id: what tells the camera from others of the same computer; empty where that is not known.
        model: of its sensor; empty where that is not known.
        width_px: of its pictures.
        height_px: of its pictures.
        exposure_us: the exposure time to lock, in microseconds; None leaves it to the camera.
        analogue_gain: the gain to lock; None leaves it to the camera.
        colour_gains: of red and blue, to lock the white balance; None leaves it to the camera.
        colour_temperature_k: to lock the white balance of a camera that counts in kelvins.
        lens_position: where to hold the lens, in dioptres or the camera's own steps; None leaves
            it to the camera.
        crop_xywh: the part of the sensor in view, in its pixels; None where that is not known.
    """

    source: str
    width_px: int
    height_px: int
    exposure_us: int | None = None
    analogue_gain: float | None = None
    colour_gains: tuple[float, float] | None = None
    colour_temperature_k: int | None = None
    lens_position: float | None = None
    crop_xywh: tuple[int, int, int, int] | None = None
    id: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class TableProfile:
    """One table, as calibrated.

    Attributes:
        seats: who plays which colour, in the order of play.
        rotation: by how many quarter turns counter-clockwise the seats are rotated: D4's home is
            at a1, h1, h8, a8 for 0 to 3. The squares' names never turn: a1 is dark.
        location: where the board lay.
        looks: the checkers' colours as measured.
        checker_diameter: in squares.
        checker_height: in squares.
        camera: what took the pictures.
        reference_jpeg: the picture of the empty board, encoded.
        throwing_zone: the corners of the part of the picture where the die is thrown, in pixels;
            None where it may lie anywhere.
    """

    seats: tuple[tuple[Seat, Colour], ...]
    rotation: int
    location: BoardLocation
    looks: tuple[CheckerLook, ...]
    checker_diameter: float
    checker_height: float
    camera: Camera
    reference_jpeg: bytes
    throwing_zone: tuple[Point, ...] | None = None

    def model(self) -> TableModel:
        """Return what vision needs to know of this table.

        Raises:
            ProfileError: the picture of the empty board is broken or of another size.
        """
        size_wh = (self.camera.width_px, self.camera.height_px)
        reference = _decode_picture(self.reference_jpeg)
        if (reference.shape[1], reference.shape[0]) != size_wh:
            raise ProfileError(
                f"the profile's picture of the empty board is {reference.shape[1]}x"
                f"{reference.shape[0]} pixels and its camera {size_wh[0]}x{size_wh[1]}: "
                "calibrate again"
            )
        return TableModel(
            size_wh,
            self.location,
            reference,
            self.looks,
            self.checker_diameter,
            self.checker_height,
            self.throwing_zone,
        )

    @property
    def fingerprint(self) -> str:
        """What tells this profile from every other, as ``sha256:`` and 64 digits."""
        return f"sha256:{hashlib.sha256(profile_text(self).encode()).hexdigest()}"


def load_profile(path: Path) -> TableProfile:
    """Load the table profile in the file *path*; the twin of `save_profile`.

    Raises:
        ProfileError: there is none, it cannot be read, or it is broken; the message says where.
    """
    try:
        if path.exists() and not path.is_file():
            # A pipe or a device may never end.
            raise ProfileError(
                f"the table profile {path} is no file but a folder, a pipe or a device"
            )
        text = path.read_text(encoding="utf-8-sig")  # some editors begin with a mark
    except FileNotFoundError:
        raise ProfileError(
            f"there is no table profile {path}: make one with `pachisi calibrate`"
        ) from None
    except OSError as error:
        raise ProfileError(f"the table profile {path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ProfileError(f"the table profile {path} is broken: it is no text") from error
    try:
        profile = parse_profile(text)
        profile.model()
    except ProfileError as error:
        raise ProfileError(f"the table profile {path} is broken: {error}") from None
    return profile


def save_profile(profile: TableProfile, path: Path) -> None:
    """Write *profile* to the file *path*, which at no moment holds half of one.

    Raises:
        ProfileError: it cannot be written; what was there before still is.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_atomically(path, profile_text(profile))
    except OSError as error:
        raise ProfileError(
            f"the table profile {path} cannot be written: {error.strerror}; name another with --out"
        ) from error


def parse_profile(text: str) -> TableProfile:
    """Return the profile that *text* holds; the twin of `profile_text`.

    Raises:
        ProfileError: the text is broken; the message names the key.
    """
    try:
        document = parse_document(text)
    except DocumentError as error:
        raise ProfileError(str(error)) from None
    return _from_document(document)


def profile_text(profile: TableProfile) -> str:
    """Write *profile* as TOML; the twin of `parse_profile`."""
    text = TOMLDocument()
    text.add(tomlkit.comment("A table profile of Pachisi Companion, made by `pachisi calibrate`."))
    text.add(tomlkit.comment("Seats, rotation, camera and throwing_zone may be edited by hand."))
    text.add("version", tomlkit.item(VERSION))
    text.add("seats", _table({seat.value: colour.value for seat, colour in profile.seats}))
    text.add("board", _board_table(profile))
    camera = profile.camera
    settings = {
        "source": camera.source,
        "width_px": camera.width_px,
        "height_px": camera.height_px,
        "exposure_us": camera.exposure_us,
        "analogue_gain": camera.analogue_gain,
        "colour_gains": list(camera.colour_gains) if camera.colour_gains else None,
        "colour_temperature_k": camera.colour_temperature_k,
        "lens_position": camera.lens_position,
        "crop_xywh": list(camera.crop_xywh) if camera.crop_xywh else None,
        "id": camera.id or None,
        "model": camera.model or None,
    }
    text.add("camera", _table(settings))
    if profile.throwing_zone is not None:
        text.add("throwing_zone", _table({"corners_px": _lists(profile.throwing_zone)}))
    text.add("checkers", _checkers_table(profile))
    reference = _table({})
    reference.comment("the picture of the empty board")
    encoded = base64.b64encode(profile.reference_jpeg).decode()
    lines = [encoded[start : start + _LINE] for start in range(0, len(encoded), _LINE)]
    reference.add("jpeg_base64", tomlkit.string("\n" + "\n".join(lines) + "\n", multiline=True))
    text.add("reference", reference)
    return tomlkit.dumps(text)


def encode_picture(pixels: Picture) -> bytes:
    """Return *pixels* as a JPEG of high quality, its colours at full resolution."""
    settings = [
        cv2.IMWRITE_JPEG_QUALITY,
        _JPEG_QUALITY,
        cv2.IMWRITE_JPEG_SAMPLING_FACTOR,
        cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444,
    ]
    _, encoded = cv2.imencode(".jpg", pixels, settings)
    return encoded.tobytes()


def _decode_picture(encoded: bytes) -> Picture:
    # One without its end would be read with a warning of the library's own, and a grey rest.
    whole = encoded.endswith(_JPEG_END)
    data = np.frombuffer(encoded, dtype=np.uint8)
    pixels = cv2.imdecode(data, cv2.IMREAD_COLOR) if whole else None
    if pixels is None:
        raise ProfileError("reference.jpeg_base64 holds no picture: calibrate again")
    return np.asarray(pixels, dtype=np.uint8)


def _from_document(document: Document) -> TableProfile:
    board, camera, checkers = document.board, document.camera, document.checkers
    corners = board.corners_px
    looks = tuple(
        CheckerLook(
            look.colour,
            tuple(Tint(tint.weight, tint.lab, tint.spread) for tint in look.tints),
        )
        for look in checkers.looks
    )
    try:
        encoded = base64.b64decode("".join(document.reference.jpeg_base64.split()), validate=True)
    except binascii.Error:
        raise ProfileError("the key reference.jpeg_base64 is not base64: calibrate again") from None
    colours = list(document.seats.values())
    known = {look.colour for look in looks}
    for seat, colour in document.seats.items():
        if colours.count(colour) > 1:
            raise ProfileError(f"the key seats gives {colour} to two players")
        if colour not in known:
            raise ProfileError(f"the key seats.{seat} is {colour}, which checkers.looks lacks")
    zone = document.throwing_zone
    return TableProfile(
        seats=tuple((seat, document.seats[seat]) for seat in Seat if seat in document.seats),
        rotation=board.rotation,
        location=BoardLocation(
            (corners.a1, corners.h1, corners.h8, corners.a8),
            board.confidence,
            board.lens_distortion,
        ),
        looks=looks,
        checker_diameter=checkers.diameter_squares,
        checker_height=checkers.height_squares,
        camera=Camera(
            camera.source,
            camera.width_px,
            camera.height_px,
            camera.exposure_us,
            camera.analogue_gain,
            camera.colour_gains,
            camera.colour_temperature_k,
            camera.lens_position,
            camera.crop_xywh,
            camera.id,
            camera.model,
        ),
        reference_jpeg=encoded,
        throwing_zone=None if zone is None else zone.corners_px,
    )


def _board_table(profile: TableProfile) -> Table:
    board = _table({"rotation": profile.rotation})
    rotation = board.item("rotation")
    if isinstance(rotation, Item):
        rotation.comment("D4's home is at a1, h1, h8, a8 for 0, 1, 2, 3")
    board.add("lens_distortion", profile.location.distortion)
    board.add("confidence", profile.location.confidence)
    names = ("a1", "h1", "h8", "a8")
    corners = dict(zip(names, _lists(profile.location.corners), strict=True))
    board.add("corners_px", _table(corners))
    return board


def _checkers_table(profile: TableProfile) -> Table:
    checkers = _table(
        {
            "diameter_squares": profile.checker_diameter,
            "height_squares": profile.checker_height,
        }
    )
    looks = tomlkit.aot()
    for look in profile.looks:
        entry = _table({"colour": look.colour.value})
        tints = tomlkit.array()
        for tint in look.tints:
            fields = tomlkit.inline_table()
            fields.update(
                {"weight": tint.weight, "lab": list(tint.lab), "spread": list(tint.spread)}
            )
            tints.append(fields)
        entry.add("tints", tints.multiline(True))
        looks.append(entry)
    checkers.add("looks", looks)
    return checkers


def _table(entries: Mapping[str, object]) -> Table:
    table = tomlkit.table()
    for key, value in entries.items():
        if value is not None:
            table.add(key, value)
    return table


def _lists(points: tuple[Point, ...]) -> list[list[float]]:
    return [list(point) for point in points]


def _write_atomically(path: Path, text: str) -> None:
    """Write beside *path*, sync, and put in its place, so that a power cut loses nothing."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
