"""The composition root: what a command needs is opened here, put together, and closed again."""

import json
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Final

from rich.console import Console

from calibration.fit import Refusal, colour_doubts
from calibration.profile import ProfileError, TableProfile, load_profile, save_profile
from companion.announcer import Announcer
from companion.calibrating import calibrate_from
from companion.devices import camera_wish, with_camera
from companion.errors import ArgumentError, ExitStatus, InputError
from companion.evidence import Evidence
from companion.game import Game, Listener
from companion.games import newest_unfinished
from companion.journal import Journal
from companion.keyboard import listen
from companion.listeners import Background, JsonLines, LampShow, Speech
from companion.loop import Inbox, referee_game
from companion.options import CalibrateOptions, DemoOptions, Outputs, ReadOptions, WatchOptions
from companion.phrases import Phrases
from companion.pictures import load_frame
from companion.reading import reading_json, reading_text
from companion.script import GameScript, write_game
from companion.seeing import TableWatch
from companion.settings import Settings, table_path
from companion.terminal import TerminalView
from hardware.lamps import LampSettings, open_lamps
from hardware.ports import FrameSource
from hardware.scene import TimedScene
from hardware.simulated import DEFAULT_FPS, SimulatedTable, TableLook
from hardware.sources import SourceKind, open_source, parse_source
from hardware.voice import VoiceSettings, open_voice
from referee.events import FirstPlayer, GameStarted, Resumed
from referee.match import Phase
from referee.rules import changed_options, rules_from
from tabletop import Colour, Seat
from vision.reader import read, read_table

HASTY_FPS: Final = 5
"""Frames a second of the table's clock where it runs as fast as it can: enough to see it settle."""
DEFAULT_STAKE: Final = 10
DEFAULT_FINE: Final = 1

DEMO_SEATS: Final = {
    2: {Seat.D4: Colour.RED, Seat.D2: Colour.BLUE},
    3: {Seat.D4: Colour.RED, Seat.D3: Colour.GREEN, Seat.D2: Colour.BLUE},
    4: {
        Seat.D4: Colour.RED,
        Seat.D3: Colour.GREEN,
        Seat.D2: Colour.BLUE,
        Seat.D1: Colour.YELLOW,
    },
}


def run_watch(options: WatchOptions, console: Console) -> int:
    """Referee the game that a source shows."""
    name = parse_source(options.source)
    scenes: Iterable[TimedScene] | None = None
    if name.kind is SourceKind.DEMO:
        known = None if options.table is None else _profile(options.table)
        seats = dict(options.seats or (known.seats if known else ())) or DEMO_SEATS[2]
        script = write_game(name.number, seats)
        profile, scenes = known or _demo_profile(script, seats, name.number), script.scenes
    else:
        profile = _profile(options.table or table_path())
    with ExitStack() as stack:
        wish = camera_wish(options.outputs.settings, profile)
        source = stack.enter_context(open_source(options.source, scenes, wish=wish))
        return _referee(stack, source, profile, options, console)


def run_demo(options: DemoOptions, console: Console) -> int:
    """Play a game on the simulated table, calibrated, watched and refereed like a real one."""
    seats = DEMO_SEATS[options.players]
    script = write_game(options.seed, seats, short=not console.is_terminal)
    with ExitStack() as stack:
        profile = _demo_profile(script, seats, options.seed)
        look = TableLook.from_seed(options.seed)
        fps = DEFAULT_FPS if options.speed else HASTY_FPS
        source = SimulatedTable(script.scenes, look, options.seed, options.speed, fps)
        wanted = WatchOptions("demo", None, options.outputs)
        return _referee(stack, stack.enter_context(source), profile, wanted, console)


def run_calibrate(options: CalibrateOptions, console: Console) -> int:
    """Make a table profile from what a source shows."""
    name, scenes = parse_source(options.source), None
    if name.kind is SourceKind.DEMO:
        scenes = write_game(name.number, dict(options.seats)).calibration
    with ExitStack() as stack:
        wish = camera_wish(options.outputs.settings)
        source = stack.enter_context(open_source(options.source, scenes, wish=wish))
        fitted = calibrate_from(source.frames(), dict(options.seats), options.source, console.print)
    if isinstance(fitted, Refusal):
        for reason in fitted.reasons:
            _complain(reason)
        return ExitStatus.UNREADABLE
    for doubt in colour_doubts(fitted):
        _complain(doubt)
    fitted = with_camera(fitted, source)
    save_profile(fitted, options.out)
    console.print(f"the table profile is in {options.out}")
    return ExitStatus.DONE


def run_read(options: ReadOptions, console: Console) -> int:
    """Read pictures and say what is seen; one that cannot be read does not stop the others."""
    table = _profile(options.table).model() if options.table else None
    status = ExitStatus.DONE
    for image in options.images:
        try:
            frame = load_frame(image)
            if table is None:
                reading = read(frame, options.colours, time.perf_counter)
            else:
                reading, _ = read_table(frame, table, clock=time.perf_counter)
        except (InputError, ValueError) as error:
            _complain(str(error))
            status = ExitStatus.UNREADABLE
            continue
        if options.json:
            print_json(reading_json(image, reading))
        else:
            console.print(reading_text(image, reading), end="")
    return status


def print_json(value: object) -> None:
    """Write one JSON object on a line of standard output."""
    print(json.dumps(value, ensure_ascii=False), flush=True)


def _referee(
    stack: ExitStack,
    source: FrameSource,
    profile: TableProfile,
    options: WatchOptions,
    console: Console,
) -> int:
    """Referee on an open source; all else that is opened goes on the *stack*."""
    model = profile.model()
    journal, resumed = _open_journal(profile, options)
    stack.enter_context(journal)
    listeners = _listeners(stack, options.outputs, console)
    opened = Game.resume if resumed else Game.start
    game = opened(journal, listeners, _now)
    try:
        if resumed and not game.over:
            # What happened in the meantime nobody saw: the board is compared with the log first.
            game.rule((Resumed(),))
        if options.first is not None and game.match.phase is Phase.OPENING:
            game.rule((FirstPlayer(options.first, game.match.colour(options.first)),))
        inbox = Inbox()
        if console.is_terminal and sys.stdin.isatty():
            listen(sys.stdin, inbox, _complain)
        timing = options.outputs.settings.timing
        watch = TableWatch(model, time.perf_counter, timing.still_s)
        referee_game(
            source,
            watch,
            game,
            inbox,
            complain=_complain,
            seen=Evidence(game).seen,
            remind_s=timing.remind_s,
        )
    finally:
        if not game.over:
            _complain(f"game {journal.id} is not over; to go on with it add --resume")
    return ExitStatus.DONE


def _open_journal(profile: TableProfile, options: WatchOptions) -> tuple[Journal, bool]:
    """Return the log of a new game, or with ``--resume`` that of the newest not over.

    Raises:
        InputError: there is none to go on with.
        ArgumentError: a new game cannot be played as asked for.
    """
    games_dir = options.outputs.games_dir
    if not options.resume:
        return Journal.create(games_dir, _setup(profile, options), _now()), False
    found = newest_unfinished(games_dir)
    if found is None:
        raise InputError(f"there is no unfinished game in {games_dir}: start one without --resume")
    asked = (options.seats, options.rules, options.unit, options.stake, options.fine)
    if asked != ((), (), None, None, None):
        _complain(
            f"game {found.id} goes on as it was begun: --seats, --stake, --fine, --unit and --rule "
            "are for new games"
        )
    return Journal.open(found.folder), True


def _setup(profile: TableProfile, options: WatchOptions) -> GameStarted:
    """Return how the game is started, by the options and the profile.

    Raises:
        ArgumentError: the seats or the rotation asked for are not those of the profile, or there
            are none.
    """
    seats = options.seats or profile.seats
    if not seats:
        raise ArgumentError("the table profile names no seats: say who plays, --seats D4=red,...")
    given = dict(options.rules)
    if given.get("rotation", profile.rotation) != profile.rotation:
        raise ArgumentError(
            f"the table profile says rotation = {profile.rotation}: change it there, or calibrate "
            "again with the seats where they are now"
        )
    colours = {look.colour for look in profile.looks}
    for seat, colour in seats:
        if colour not in colours:
            known = ", ".join(sorted(colours))
            raise ArgumentError(
                f"the table profile knows no {colour} checkers for {seat}, only {known}: "
                "calibrate with them, or seat these"
            )
    if options.first is not None and options.first not in dict(seats):
        raise ArgumentError(f"{options.first} cannot begin: nobody sits there")
    rules = rules_from(given | {"rotation": profile.rotation})
    return GameStarted(
        seats=tuple(seats),
        names=tuple((seat, f"Player {number}") for number, (seat, _) in enumerate(seats, 1)),
        rules=tuple(sorted(changed_options(rules).items())),
        stake=DEFAULT_STAKE if options.stake is None else options.stake,
        fine=DEFAULT_FINE if options.fine is None else options.fine,
        unit=options.unit or "points",
        program=metadata.version("pachisi-companion"),
        table=profile.fingerprint,
    )


def _listeners(stack: ExitStack, outputs: Outputs, console: Console) -> Sequence[Listener]:
    """Open all who hear of rulings, each behind a queue of its own."""
    by_place = outputs.settings.squares == "places"
    phrases = Phrases(outputs.language, by_place=by_place)
    shown: Listener = JsonLines(sys.stdout) if outputs.json else TerminalView(console, phrases)
    listeners: list[Listener] = [_behind_queue(stack, shown, most_waiting=None)]
    if not outputs.mute:
        opened = open_voice(_ignore, _voice_settings(outputs.settings))
        if opened.note:
            _complain(opened.note)
        else:
            stack.callback(opened.voice.close)
            announcer = stack.enter_context(Announcer(opened.voice, outputs.language))
            listeners.append(Speech(phrases, announcer))
    lamps = open_lamps(_lamp_settings(outputs.settings))
    stack.callback(lamps.close)
    listeners.append(_behind_queue(stack, LampShow(lamps)))
    return listeners


def _behind_queue(
    stack: ExitStack, listener: Listener, most_waiting: int | None = 64
) -> Background:
    return stack.enter_context(Background(listener, most_waiting))


def _demo_profile(script: GameScript, seats: Mapping[Seat, Colour], seed: int) -> TableProfile:
    """Calibrate the simulated table by the script's two scenes, as a person would."""
    table = SimulatedTable(script.calibration, TableLook.from_seed(seed), seed)
    profile = calibrate_from(table.frames(), seats, "demo", _ignore)
    if isinstance(profile, Refusal):
        raise InputError("the simulated table cannot be calibrated: " + "; ".join(profile.reasons))
    return profile


def _profile(path: Path) -> TableProfile:
    """Load a table profile.

    Raises:
        InputError: there is none, or it is broken.
    """
    try:
        return load_profile(path)
    except ProfileError as error:
        raise InputError(str(error)) from error


def _voice_settings(settings: Settings) -> VoiceSettings:
    voice = settings.voice
    return VoiceSettings(
        words_a_minute=voice.words_a_minute, volume=voice.volume, device=voice.device
    )


def _lamp_settings(settings: Settings) -> LampSettings:
    if settings.lamps is None:
        return LampSettings()
    seats = {str(seat): pins for seat, pins in settings.lamps.seats.items()}
    return LampSettings(verdict=settings.lamps.verdict, seats=seats)


def _now() -> datetime:
    return datetime.now(UTC)


def _complain(text: str) -> None:
    """Say on standard error what a person should know."""
    print(f"pachisi: {text}", file=sys.stderr, flush=True)


def _ignore(_: str) -> None:
    """Say nothing: somebody else does."""
