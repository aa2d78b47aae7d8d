"""Sounds as the bytes of WAV files, one channel of 16 bits."""

import io
import struct
import wave
from typing import Final

import numpy as np

RATE: Final = 22_050
"""Samples a second of all that is played, which is what espeak-ng makes."""

_SAMPLE_BYTES: Final = 2
_ENDLESS: Final = 0x7FFFF000  # what espeak-ng promises where it pipes
_FULL: Final = 32_767
_USUAL_PEAK: Final = 0.7  # of full scale, at the volume 100


def with_sizes(sound: bytes) -> bytes:
    """Write the true sizes into a WAV's header: a program cannot know them while it pipes.

    Raises:
        ValueError: it is no WAV.
    """
    start = sound.find(b"data", 12)
    if not sound.startswith(b"RIFF") or start < 0:
        raise ValueError("this is no sound")
    body = sound[start + 8 :]
    return b"".join(
        (
            b"RIFF" + struct.pack("<I", len(sound) - 8),
            sound[8 : start + 4] + struct.pack("<I", len(body)),
            body,
        )
    )


def seconds(sound: bytes) -> float:
    """Return how long samples at `RATE` last."""
    return len(sound) / (_SAMPLE_BYTES * RATE)


def beginning(silent_s: float) -> bytes:
    """Return how a sound begins whose end is not made yet: a WAV's head, and a little silence.

    The head promises more than ever comes, as that of a program that pipes: who plays it plays
    until the pipe ends.
    """
    byte_rate = _SAMPLE_BYTES * RATE
    shape = struct.pack("<IHHIIHH", 16, 1, 1, RATE, byte_rate, _SAMPLE_BYTES, 8 * _SAMPLE_BYTES)
    riff = b"RIFF" + struct.pack("<I", _ENDLESS + 36) + b"WAVE"
    return riff + b"fmt " + shape + b"data" + struct.pack("<I", _ENDLESS) + silence(silent_s)


def silence(lasts_s: float) -> bytes:
    """Return the samples of a silence."""
    return bytes(_SAMPLE_BYTES * round(lasts_s * RATE))


def samples(sound: bytes, volume: int) -> bytes:
    """Return the samples of a WAV at `RATE`, as loud as *volume* says.

    The loudest moment of each sentence is as loud as of any other: 100 is usual, and beyond some
    140 it is as loud as goes.
    """
    with wave.open(io.BytesIO(sound)) as file:
        rate, count = file.getframerate(), file.getnframes()
        heard = np.frombuffer(file.readframes(count), "<i2").astype(np.float32)
    if rate != RATE:
        moments = np.arange(round(len(heard) * RATE / rate)) * (rate / RATE)
        heard = np.interp(moments, np.arange(len(heard)), heard).astype(np.float32)
    peak = float(np.abs(heard).max(initial=0.0))
    if peak > 0:
        heard *= min(1.0, _USUAL_PEAK * volume / 100) * _FULL / peak
    return np.rint(heard).astype("<i2").tobytes()
