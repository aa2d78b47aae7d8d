"""Who may look and who may change: pairing codes, tokens, and how often anybody may ask.

Looking and changing are rights of their own, each with a code of its own. A code is typed once; a
token then stands for it for an evening, also after the program was started anew. Only its hash is
kept, in a file that nobody else may read.
"""

import hashlib
import hmac
import json
import os
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Final

CODE_DIGITS: Final = 6
TOKEN_S: Final = 12 * 3600
"""So long a device is known, which is an evening and some of the night."""
MOST_TOKENS: Final = 64
"""Devices that are known at once; of more the one that was paired first is forgotten."""
MOST_BUCKETS: Final = 512
"""Addresses whose askings are counted at once."""

Clock = Callable[[], float]


class Right(IntEnum):
    """What a visitor may do; each includes those below it."""

    NOTHING = 0
    LOOK = 1
    CHANGE = 2


@dataclass(frozen=True, slots=True)
class Codes:
    """What is typed once on a device to be let in."""

    change: str
    look: str

    @classmethod
    def fresh(cls) -> "Codes":
        """Return two codes that nobody can foresee, and that differ."""
        change = look = _code()
        while look == change:
            look = _code()
        return cls(change, look)


class Buckets:
    """Counts what each name asks for, and refuses what is too much.

    Each has a bucket of *most* drops that fills again at *a_second* drops a second.
    """

    def __init__(self, most: float, a_second: float, clock: Clock = time.monotonic) -> None:
        self._most: Final = most
        self._a_second: Final = a_second
        self._clock: Final = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, name: str) -> bool:
        """Take a drop for *name*; tell whether there was one."""
        now_s = self._clock()
        left, since_s = self._left.pop(name, (self._most, now_s))
        left = min(self._most, left + (now_s - since_s) * self._a_second)
        allowed = left >= 1.0
        self._left[name] = (left - 1.0 if allowed else left, now_s)
        while len(self._left) > MOST_BUCKETS:
            self._left.popitem(last=False)
        return allowed


@dataclass(frozen=True, slots=True)
class _Known:
    """What a device may, and until when by the clock on the wall, in seconds of the epoch."""

    right: Right
    until_s: float


class Access:
    """Knows who is who. Without codes everybody who can reach the page may do everything.

    Args:
        codes: what lets a device in.
        clock: seconds that never go back.
        kept: the file in which the devices' hashes outlast the program; None keeps none.
        now: seconds of the epoch.
    """

    def __init__(
        self,
        codes: Codes | None,
        clock: Clock = time.monotonic,
        kept: Path | None = None,
        now: Clock = time.time,
    ) -> None:
        self.codes: Final = codes
        self._kept: Final = kept
        self._now: Final = now
        self._tokens: Final = OrderedDict[str, _Known]()
        if codes is not None and kept is not None:
            self._tokens.update(_load(kept, now()))
        # A million codes at ten tries a minute are a matter of months; the page lives an evening.
        self._tries: Final = Buckets(10, 10 / 60, clock)
        self._tries_each: Final = Buckets(5, 5 / 60, clock)

    def pair(self, code: str, address: str) -> tuple[str, Right] | None:
        """Return a new token for *code* and its right; None where the code is none.

        Raises:
            TooManyError: so many codes were tried that nobody may try another for now.
        """
        if not self._tries_each.take(address) or not self._tries.take(""):
            raise TooManyError("too many codes were tried: wait a minute")
        right = self._right_of_code("".join(code.split()))
        if right is Right.NOTHING:
            return None
        token = secrets.token_urlsafe(32)
        self._tokens[_hashed(token)] = _Known(right, self._now() + TOKEN_S)
        while len(self._tokens) > MOST_TOKENS:
            self._tokens.popitem(last=False)
        if self._kept is not None:
            with suppress(OSError):  # then the code is typed again after a restart
                _save(self._kept, self._tokens)
        return token, right

    def right(self, token: str | None) -> Right:
        """Return what the bearer of *token* may do."""
        if self.codes is None:
            return Right.CHANGE
        known = None if token is None else self._tokens.get(_hashed(token))
        return Right.NOTHING if known is None or known.until_s < self._now() else known.right

    def _right_of_code(self, code: str) -> Right:
        if self.codes is None:
            return Right.CHANGE
        if hmac.compare_digest(code.encode(), self.codes.change.encode()):
            return Right.CHANGE
        if hmac.compare_digest(code.encode(), self.codes.look.encode()):
            return Right.LOOK
        return Right.NOTHING


class TooManyError(Exception):
    """Somebody asks too often."""


def _code() -> str:
    return f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _load(path: Path, now_s: float) -> dict[str, _Known]:
    """Return the devices in the file at *path* that are still known; none of a broken file."""
    try:
        kept = json.loads(path.read_bytes())
        found = {
            str(name): _Known(Right(right), float(until_s))
            for name, (right, until_s) in list(kept.items())[-MOST_TOKENS:]
        }
    except (OSError, ValueError, TypeError, AttributeError):
        return {}
    # A clock that was set wrong must not let a device in for longer than an evening.
    return {name: one for name, one in found.items() if now_s < one.until_s <= now_s + TOKEN_S}


def _save(path: Path, tokens: OrderedDict[str, _Known]) -> None:
    """Write the devices to *path*, for the eyes of this user alone, whole or not at all."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    kept = {name: (int(one.right), one.until_s) for name, one in tokens.items()}
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump(kept, file)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
