"""How the computer fares: heat, power, clock and card, as its kernel reports them."""

import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Final, Self

HOT_C: Final = 80.0
"""Here a Pi begins to slow down."""

LEAST_FREE_MB: Final = 200
WATCHED_EVERY_S: Final = 30.0
EARLIEST: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""A clock before this was never set: a Pi without the network begins where it was switched off."""
LATEST: Final = datetime(2050, 1, 1, tzinfo=UTC)
"""A clock after this was set to something that cannot be."""

_UNDERVOLTAGE, _SLOWED = 0x1, 0x2 | 0x4 | 0x8
_WAS: Final = 16  # the same bits, this many places higher, say that it was so since the start


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something is wrong with the computer.

    Attributes:
        name: what it is about.
        text: what is wrong, in plain words.
        cure: what to do.
    """

    name: str
    text: str
    cure: str


@dataclass(frozen=True, slots=True)
class Readings:
    """Where the kernel reports, and the clock; tests hand in files and clocks of their own."""

    system: Path = Path("/sys")
    mounts: Path = Path("/proc/mounts")
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))

    def temperature_c(self) -> float | None:
        """Return the processor's temperature; None where it is not told."""
        thousandths = _number(self.system / "class/thermal/thermal_zone0/temp", 10)
        return None if thousandths is None else thousandths / 1000

    def throttled(self) -> int | None:
        """Return the firmware's bits for low voltage and slowness; None where there are none."""
        # The folders are called otherwise on a Pi 5, and by later kernels.
        for pattern in ("soc*/*firmware*", "*firmware*"):
            for folder in (self.system / "devices/platform").glob(pattern):
                if (bits := _number(folder / "get_throttled", 16)) is not None:
                    return bits
        return None

    def card_errors(self) -> int:
        """Return how many errors the file systems have noted."""
        counts = self.system.glob("fs/ext4/*/errors_count")
        return sum(_number(path, 10) or 0 for path in counts)

    def read_only(self) -> bool:
        """Tell whether the root file system may not be written to: so it is after an error."""
        try:
            lines = self.mounts.read_text(encoding="utf-8").splitlines()
        except OSError:
            return False
        roots = [line.split() for line in lines if line.split()[1:2] == ["/"]]
        return bool(roots) and "ro" in roots[-1][3].split(",")


def troubles(readings: Readings, games_dir: Path) -> Iterator[Trouble]:
    """Yield what is wrong with the computer now."""
    temperature = readings.temperature_c()
    if temperature is not None and temperature >= HOT_C:
        yield Trouble(
            "heat",
            f"the processor is {temperature:.0f} degrees hot and slows down",
            "give it a heat sink or a fan, and air",
        )
    yield from _power(readings.throttled() or 0)
    if not EARLIEST <= readings.now() < LATEST:
        yield Trouble(
            "clock",
            f"the clock says {readings.now():%Y-%m-%d}, which cannot be: logs get wrong dates",
            "connect the network for a minute, or set it: sudo date -s 'YYYY-MM-DD HH:MM'",
        )
    if readings.read_only():
        yield Trouble(
            "card",
            "the card may not be written to, as after an error: nothing can be logged",
            "copy the games away, then try sudo fsck at the next start, or take a new card",
        )
    elif (errors := readings.card_errors()) > 0:
        yield Trouble(
            "card",
            f"the file system has noted {errors} errors",
            "copy the games away (pachisi games export), and take a new card",
        )
    free_mb = free_space_mb(games_dir)
    if free_mb < LEAST_FREE_MB:
        yield Trouble(
            "disk",
            f"only {free_mb} MB are free for games",
            f"delete what is not needed: a game takes up to {LEAST_FREE_MB // 4} MB",
        )


def free_space_mb(folder: Path) -> int:
    """Return how much is free where *folder* is, or will be."""
    there = next((one for one in (folder, *folder.parents) if one.exists()), Path("/"))
    return shutil.disk_usage(there).free // 1_000_000


class HealthWatch:
    """Looks after the computer during a game, and tells of each trouble once."""

    def __init__(self, readings: Readings, games_dir: Path, tell: Callable[[str], None]) -> None:
        """Tell *tell* of troubles, in one line each."""
        self._readings, self._games_dir, self._tell = readings, games_dir, tell
        self._told: set[str] = set()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="health", daemon=True)

    def step(self) -> None:
        """Look once; what has passed may be told of again when it comes back."""
        now = {trouble.name: trouble for trouble in troubles(self._readings, self._games_dir)}
        for name, trouble in now.items():
            if name not in self._told:
                self._tell(f"{trouble.text}: {trouble.cure}")
        self._told = set(now)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._thread.join(5)

    def _run(self) -> None:
        while not self._ended.wait(WATCHED_EVERY_S):
            self.step()


def _power(bits: int) -> Iterator[Trouble]:
    cure = "use the Pi's own power supply, with a short cable and nothing else on it"
    if bits & _UNDERVOLTAGE:
        yield Trouble("power", "the voltage is too low now: cameras and cards fail then", cure)
    elif bits >> _WAS & _UNDERVOLTAGE:
        yield Trouble("power", "the voltage has been too low since the Pi was started", cure)
    if bits & _SLOWED:
        yield Trouble(
            "speed", "the processor is slowed down", "see that it is cool and has enough power"
        )


def _number(path: Path, base: int) -> int | None:
    try:
        return int(path.read_text(encoding="ascii").strip(), base)
    except (OSError, ValueError):
        return None
