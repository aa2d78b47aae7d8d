"""The set-up of a table, guided step by step: aim, empty board, checkers at home, die, terms.

One thread owns it and hands it the camera's frames; what people say on the page waits until then.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum
from queue import Empty, SimpleQueue
from typing import Final

from calibration.fit import (
    FoundPlayer,
    Refusal,
    average_frames,
    doubts,
    find_players,
    fit_table,
    strays,
)
from calibration.profile import TableProfile
from calibration.quality import shift_squares
from companion.console.aiming import Aim, Fault, aim, fault_of, grid, not_empty
from companion.console.setting import (
    Begin,
    Corners,
    Language,
    LanguageName,
    Seats,
    SetUpForm,
    Step,
    Zone,
)
from companion.console.state import Json
from companion.console.terms import SetTable, options_json, terms_json
from companion.loop import Answered
from companion.seeing import AVERAGED_FRAMES, Look, TableWatch
from referee.rules import Rules
from tabletop import SEATS, BoardLocation, Colour, DieSign, Seat
from vision.frame import Frame
from vision.stillness import Stillness

LOOK_S: Final = 0.4
"""How often the picture is judged while the camera is being aimed."""
THROWS: Final = 3
SAME_SQUARES: Final = 0.3
"""A board that lies no farther from where it lay is the same table."""


class Stage(StrEnum):
    """The steps, in their order."""

    AIM = "aim"
    EMPTY = "empty"
    HOMES = "homes"
    DIE = "die"
    TERMS = "terms"
    DONE = "done"


class SetUpError(ValueError):
    """What was asked for cannot be done now; the text says why."""


class SetUp:
    """Guides people through the set-up.

    Args:
        source: the camera's name, to be noted.
        show: shows the state of the set-up on the page.
        tell: says aloud which step begins, by its name, or what the die shows.
        known: the table as it was set up before, if it was.
        wished: who plays which colour, if that was said before.
        terms: what was agreed on the last time.
        language: of what is said aloud.
        speak: hears which language is to be spoken from now on.
    """

    def __init__(
        self,
        source: str,
        show: Callable[[Json], None],
        tell: Callable[[str], None],
        known: TableProfile | None = None,
        wished: Mapping[Seat, Colour] | None = None,
        *,
        terms: Begin | None = None,
        language: str = "en",
        speak: Callable[[str], None] | None = None,
    ) -> None:
        self._source: Final = source
        self._show: Final = show
        self._tell: Final = tell
        self._known: Final = known
        self._wished: Final = dict(wished or {})
        self._asked: Final[SimpleQueue[tuple[SetUpForm, Answered]]] = SimpleQueue()
        self._frames: Final[deque[Frame]] = deque(maxlen=AVERAGED_FRAMES)
        self._hint: BoardLocation | None = None if known is None else known.location
        self._by_hand: BoardLocation | None = None
        self._zone = None if known is None else known.throwing_zone
        self._options: Final = options_json()
        self._kept: Final = terms_json(terms)
        self._language = language
        self._chosen: LanguageName | None = None
        self._speak: Final = speak
        self._throws: list[int] = []
        self._terms: Begin | None = None
        self._profile: TableProfile | None
        self._stillness = Stillness()
        self._over = False
        self._enter(Stage.AIM)

    def ask(self, form: SetUpForm, answered: Answered) -> None:
        """Hand in what a person wants; any thread may."""
        self._asked.put((form, answered))
        if self._over:
            self._refuse_all(_gone_on())

    @property
    def result(self) -> SetTable | None:
        """What came of it; None until it is done."""
        if self._profile is None or self._terms is None:
            return None
        return SetTable(self._profile, self._terms)

    def guide(self, frames: Iterable[Frame | None]) -> SetTable | None:
        """Go through all steps; None if the *frames* end before.

        Where there is None instead of a frame the camera is lost, and nothing can be done.
        """
        for frame in frames:
            if frame is None:
                self._refuse_all(_no_camera())
                continue
            self.step(frame)
            if (found := self.result) is not None:
                self._over = True
                self._refuse_all(_gone_on())
                return found
        return None

    def step(self, frame: Frame) -> None:
        """Take notice of *frame*, and of what people asked for since the one before."""
        self._obey(frame)
        self._stillness = self._stillness.step(frame)
        if self._stillness.settled:
            self._frames.append(frame)
        else:
            self._frames.clear()
            self._tried = False
        match self.stage:
            case Stage.AIM:
                self._look(frame)
            case Stage.EMPTY:
                self._take_empty(frame)
            case Stage.HOMES:
                self._take_homes(frame)
            case Stage.DIE:
                self._see_die(frame)
            case _:
                pass

    def _enter(self, stage: Stage) -> None:
        self.stage = stage
        self._stillness = Stillness()
        self._frames.clear()
        self._tried = False
        self._looked_s: float | None = None
        if stage is Stage.AIM:
            self._aim = Aim(None, ())
            self._empty: Frame | None = None
        if stage in (Stage.AIM, Stage.EMPTY, Stage.HOMES):
            self._doubted: Frame | None = None
            self._homes: Frame | None = None
            self._faults: tuple[Fault, ...] = ()
            self._seats: tuple[tuple[Seat, Colour], ...] = ()
            self._read: dict[Seat, Colour] = {}
            self._said: dict[Seat, Colour] = {}
            self._profile = None
            self._corners: dict[Seat, tuple[float, float]] = {}
            self._same = False
        if stage is Stage.DIE and self._profile is not None:
            self._watch = TableWatch(self._profile.model())
            self._throws.clear()
        self._tell(stage.value)

    def _refuse_all(self, why: SetUpError) -> None:
        """Answer those who ask in vain; any thread may, and each is answered once."""
        with suppress(Empty):
            while True:
                _, answered = self._asked.get_nowait()
                answered(str(why))

    def _obey(self, frame: Frame) -> None:
        while True:
            try:
                form, answered = self._asked.get_nowait()
            except Empty:
                return
            try:
                self._do(form, frame)
            except SetUpError as error:
                answered(str(error))
                continue
            answered(None)
            self._publish(frame)

    def _do(self, form: SetUpForm, frame: Frame) -> None:
        match form:
            case Corners(corners=corners):
                self._set_corners(corners)
            case Zone(corners=corners):
                self._set_zone(corners)
            case Language(language=language):
                self._language = self._chosen = language
                if self._speak is not None:
                    self._speak(language)
            case Seats(seats=seats):
                self._set_seats({str(seat): str(colour) for seat, colour in seats.items()})
            case Begin():
                self._begin(form)
            case Step(at=at) if at not in (None, self.stage.value):
                raise _gone_on()
            case Step(do="next"):
                self._next(frame)
            case Step(do="back"):
                self._back()
            case Step(do="same_table"):
                self._take_known(frame)

    def _next(self, frame: Frame) -> None:
        match self.stage:
            case Stage.AIM if self._aim.board is not None:
                self._enter(Stage.EMPTY)
            case Stage.EMPTY if self._doubted is not None:
                self._empty = self._doubted
                self._enter(Stage.HOMES)
            case Stage.HOMES if self._homes is not None and self._seats:
                self._fit(frame)
            case Stage.DIE:
                self._enter(Stage.TERMS)
            case _:
                raise SetUpError("this step is not finished yet")

    def _back(self) -> None:
        order = list(Stage)
        before = max(0, order.index(self.stage) - 1)
        # An empty board is taken again with the next still picture, so one goes back to aiming.
        self._enter(Stage.AIM if order[before] is Stage.EMPTY else order[before])

    def _set_corners(self, corners: tuple[tuple[float, float], ...] | None) -> None:
        if self.stage is not Stage.AIM:
            raise SetUpError("corners are set while the camera is aimed")
        self._looked_s = None
        if corners is None:
            self._hint = self._by_hand = None
            return
        a1, h1, h8, a8 = corners
        self._hint = self._by_hand = BoardLocation((a1, h1, h8, a8))

    def _set_zone(self, corners: tuple[tuple[float, float], ...] | None) -> None:
        """Let the die be thrown inside *corners*; what was thrown elsewhere does not count."""
        self._zone = corners
        if self._profile is not None:
            self._profile = replace(self._profile, throwing_zone=corners)
            self._watch = TableWatch(self._profile.model())
            self._throws.clear()

    def _set_seats(self, seats: dict[str, str]) -> None:
        if self.stage is not Stage.HOMES or self._homes is None:
            raise SetUpError("colours are corrected when the checkers stand on their homes")
        if {Seat(seat) for seat in seats} != self._corners.keys():
            raise SetUpError("somebody is named who does not play")
        if len(set(seats.values())) < len(seats):
            raise SetUpError("two players cannot have the same colour")
        self._seats = tuple((seat, Colour(seats[seat])) for seat in Seat if seat in seats)
        self._said = dict(self._seats)
        self._faults = ()

    def _take_known(self, frame: Frame) -> None:
        if self._known is None or not self._same or frame.size_wh != self._known.model().size_wh:
            raise SetUpError("this is not the table that is known")
        self._profile = replace(self._known, throwing_zone=self._zone)
        self._enter(Stage.TERMS)

    def _begin(self, terms: Begin) -> None:
        if self.stage is not Stage.TERMS or self._profile is None:
            raise SetUpError("the table is not set up yet")
        playing = {seat.value for seat, _ in self._profile.seats}
        if not set(terms.names) <= playing or terms.first not in (None, *playing):
            raise SetUpError("somebody is named who does not play")
        if not all(_may_be_written(name) for name in (*terms.names.values(), terms.unit)):
            raise SetUpError("names and unit must be printable and without quotation marks")
        try:
            Rules().with_options(terms.rules)
        except ValueError as error:
            raise SetUpError(str(error)) from error
        self._terms = terms.model_copy(update={"language": terms.language or self._chosen})
        self._enter(Stage.DONE)

    def _look(self, frame: Frame) -> None:
        """Judge how the camera is aimed."""
        if self._looked_s is not None and frame.at_s - self._looked_s < LOOK_S:
            return
        self._looked_s = frame.at_s
        self._aim = aim(frame.pixels, self._hint or self._aim.board)
        known, board = self._known, self._aim.board
        self._same = (
            known is not None
            and board is not None
            and frame.size_wh == (known.camera.width_px, known.camera.height_px)
            and shift_squares(known.location, board, frame.size_wh) <= SAME_SQUARES
        )
        self._publish(frame)

    def _take_empty(self, frame: Frame) -> None:
        """Take the picture of the empty board when it is still, good and empty.

        Something may be printed on a board: where it seems to bear something, people are asked.
        """
        if len(self._frames) < AVERAGED_FRAMES or self._tried:
            return
        self._tried = True
        picture = average_frames(tuple(self._frames))
        self._aim = aim(picture.pixels, self._hint or self._aim.board)
        self._doubted, self._faults = None, ()
        if self._aim.board is not None and not self._aim.faults:
            if there := strays(picture.pixels, self._aim.board):
                self._doubted, self._faults = picture, (not_empty(there),)
            else:
                self._empty = picture
                self._enter(Stage.HOMES)
        self._publish(frame)

    def _take_homes(self, frame: Frame) -> None:
        """Find who sits where, in each scene that comes to rest."""
        if len(self._frames) < AVERAGED_FRAMES or self._tried or self._empty is None:
            return
        self._tried = True
        picture = average_frames(tuple(self._frames))
        found = find_players(self._empty, picture, self._hint)
        if isinstance(found, Refusal):
            if self._homes is None:
                self._faults = tuple(fault_of(reason) for reason in found.reasons)
        else:
            self._homes, self._faults = picture, ()
            seated = self._seated(found)
            self._seats = self._corrected({seat: player.colour for seat, player in seated})
            self._corners = {seat: player.corner_xy for seat, player in seated}
        self._publish(frame)

    def _corrected(self, read: dict[Seat, Colour]) -> tuple[tuple[Seat, Colour], ...]:
        """Return who plays which colour: what people said of a set outlives its being read again.

        A set that looks another than it did when they said it is another set.
        """
        before, self._read = self._read, read
        if read.keys() != before.keys():
            self._said = {}
        self._said = {seat: said for seat, said in self._said.items() if read[seat] is before[seat]}
        colours = read | self._said
        if len(set(colours.values())) < len(colours):
            self._said, colours = {}, read
        return tuple(colours.items())

    def _seated(self, found: Sequence[FoundPlayer]) -> list[tuple[Seat, FoundPlayer]]:
        """Return who sits where: as was wished, else the first that was found begins."""
        by_colour = {player.colour: player for player in found}
        if set(self._wished.values()) == by_colour.keys():
            return [(seat, by_colour[colour]) for seat, colour in self._wished.items()]
        first = found[0].corner
        return [(SEATS[(player.corner - first) % len(SEATS)], player) for player in found]

    def _fit(self, frame: Frame) -> None:
        self._publish(frame, working=True)
        assert self._empty is not None
        assert self._homes is not None
        fitted = fit_table(self._empty, self._homes, dict(self._seats), self._source, self._hint)
        if isinstance(fitted, Refusal):
            self._faults = tuple(fault_of(reason) for reason in fitted.reasons)
            self._publish(frame)
            raise SetUpError("; ".join(fitted.reasons))
        self._profile = replace(fitted, throwing_zone=self._zone)
        self._enter(Stage.DIE)

    def _see_die(self, frame: Frame) -> None:
        """Take down what the die shows, each time it was thrown."""
        look = self._watch.step(frame)
        if not isinstance(look, Look):
            return
        die = look.observation.die
        if die is not None and die.sign is DieSign.THROWN and die.reading.value is not None:
            self._watch.die_told()
            self._throws.append(die.reading.value)
            self._tell(str(die.reading.value))
            if len(self._throws) >= THROWS:
                self._enter(Stage.TERMS)
        self._publish(frame)

    def _publish(self, frame: Frame, *, working: bool = False) -> None:
        board, profile = self._aim.board, self._profile
        corners = board or self._by_hand
        faults = (*self._aim.faults, *self._faults)
        self._show(
            {
                "stage": self.stage.value,
                "working": working,
                "size": list(frame.size_wh),
                "corners": None
                if corners is None
                else [list(corner) for corner in corners.corners],
                "grid": None if board is None else grid(board, frame.size_wh),
                "faults": [
                    {"name": one.name, "text": one.text, "squares": list(one.squares)}
                    for one in faults
                ],
                "fitness": self._aim.fitness,
                "same": self._same,
                "seats": [
                    {
                        "seat": seat.value,
                        "colour": colour.value,
                        "corner": list(self._corners.get(seat, (0.0, 0.0))),
                    }
                    for seat, colour in (profile.seats if profile else self._seats)
                ],
                "doubts": [] if profile is None else list(doubts(profile)),
                "throws": list(self._throws),
                "options": self._options,
                "terms": self._kept,
                "language": self._language,
                "zone": None if self._zone is None else [list(corner) for corner in self._zone],
            }
        )


def _gone_on() -> SetUpError:
    return SetUpError("the set-up has gone on in the meantime: look again")


def _no_camera() -> SetUpError:
    return SetUpError("the camera gives no picture: see to its cable")


def _may_be_written(text: str) -> bool:
    """Tell whether *text* can stand in a record and be said aloud."""
    return text.isprintable() and '"' not in text
