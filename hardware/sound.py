"""Sounds as the bytes of WAV files, one channel of 16 bits."""

import io
import struct
import wave
from typing import Final

import numpy as np

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
    """Return how long a sound lasts."""
    with wave.open(io.BytesIO(sound)) as file:
        return float(file.getnframes() / file.getframerate())


def made_ready(sound: bytes, volume: int, lead_s: float) -> bytes:
    """Return a sound as it is played: as loud as *volume* says, after *lead_s* of silence.

    The loudest moment of each sentence is as loud as of any other: 100 is usual, and beyond some
    140 it is as loud as goes.
    """
    with wave.open(io.BytesIO(sound)) as file:
        rate = file.getframerate()
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(np.float32)
    peak = float(np.abs(samples).max(initial=0.0))
    if peak > 0:
        samples *= min(1.0, _USUAL_PEAK * volume / 100) * _FULL / peak
    lead = bytes(2 * round(lead_s * rate))
    return _wav(lead + np.rint(samples).astype("<i2").tobytes(), rate)


def silence(lasts_s: float = 0.01, rate: int = 22_050) -> bytes:
    """Return a moment of silence."""
    return _wav(bytes(2 * round(lasts_s * rate)), rate)


def _wav(samples: bytes, rate: int) -> bytes:
    sound = io.BytesIO()
    with wave.open(sound, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples)
    return sound.getvalue()
