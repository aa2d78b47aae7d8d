"""Who may look and who may change: pairing codes, tokens, and how often anybody may ask.

Looking and changing are rights of their own, each with a code of its own. A code is typed once; a
token then stands for it.
"""

import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.console.devices import Devices, Right

CODE_DIGITS: Final = 6
MOST_BUCKETS: Final = 512
"""Addresses whose askings are counted at once."""

Clock = Callable[[], float]


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


class Access:
    """Knows who is who. Without codes everybody who can reach the page may do everything.

    Args:
        codes: what lets a device in.
        clock: seconds that never go back.
        kept: the file in which the devices outlast the program; None keeps none.
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
        self._devices: Final = Devices(kept, now)
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
        self._devices.let_in(token, right)
        return token, right

    def right(self, token: str | None) -> Right:
        """Return what the bearer of *token* may do."""
        if self.codes is None:
            return Right.CHANGE
        return Right.NOTHING if token is None else self._devices.right(token)

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
