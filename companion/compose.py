"""The composition root: what a command needs is opened here, put together, and closed again."""

import json
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from rich.console import Console

from calibration.fit import Refusal, doubts
from calibration.profile import ProfileError, TableProfile, load_profile, save_profile
from companion.announcer import Announcer
from companion.appliance.devices import (
    camera_wish,
    least_said,
    open_table_devices,
    voice_settings,
    watch_health,
    with_camera,
)
from companion.appliance.watchdog import feed_watchdog
from companion.calibrating import calibrate_from
from companion.errors import ArgumentError, ExitStatus, InputError
from companion.game import Game, Listener
from companion.keyboard import listen
from companion.listeners import Background, JsonLines, Speech
from companion.log.album import Album, Limits
from companion.log.clips import RecentFrames
from companion.log.evidence import Evidence
from companion.log.playing_again import play_again
from companion.loop import Inbox, Seen, lasting_frames, referee_game
from companion.options import CalibrateOptions, DemoOptions, Outputs, ReadOptions, WatchOptions
from companion.phrases import Phrases
from companion.phrases.written import Written
from companion.pictures import load_frame
from companion.reading import reading_json, reading_text
from companion.scripts.script import GameScript, write_game
from companion.seeing import Look, TableWatch
from companion.settings import devices_path, table_path
from companion.start import GO_ON, Ask, start_game
from companion.tapping import TappedSource
from companion.terminal import TerminalView
from hardware.network import without_password
from hardware.ports import DeviceError, FrameSource, SourceError
from hardware.scene import TimedScene
from hardware.simulated import DEFAULT_FPS, SimulatedTable, TableLook
from hardware.sources import SourceKind, open_source, parse_source
from hardware.voice import open_voice
from referee.events import FirstPlayer, Resumed
from referee.match import Match, Phase
from referee.verdict import Verdict
from tabletop import Colour, Seat
from vision.reader import read, read_table

if TYPE_CHECKING:
    from companion.console import Console as Page

_RECORDED: Final = (SourceKind.STILLS, SourceKind.VIDEO, SourceKind.BUNDLE)
"""Sources that are over before anyone could look at a page."""
HASTY_FPS: Final = 5
"""Frames a second of the table's clock where it runs as fast as it can: enough to see it settle."""

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
    if name.kind is SourceKind.BUNDLE:
        return _play_again(Path(name.argument), options, console)
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
        feed_watchdog(source)
        _check_size(source, profile)
        ask = _ask if _talks(console) else None
        return _referee(stack, source, profile, options, console, ask)


def _play_again(bundle: Path, options: WatchOptions, console: Console) -> int:
    """Play the frames of a bundle again; nothing is logged, said aloud or lit."""
    outputs = options.outputs
    phrases = Phrases(outputs.language, by_place=outputs.settings.squares == "places")
    with ExitStack() as stack:
        listener = _shown(stack, outputs, TerminalView(console, phrases))
        still_s = outputs.settings.timing.still_s
        return play_again(bundle, options.table, [listener], _complain, still_s)


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


def run_set_up(options: WatchOptions, console: Console, speed: float = 1.0) -> int:
    """Set a table up on the console page, then referee the game that begins at it.

    A simulated table's clock runs *speed* times as fast as ours.
    """
    # Imported here: it takes its time, and some go without.
    from companion.console import SetUp
    from companion.console.guide import open_guide
    from companion.console.rehearsal import rehearsal
    from companion.console.terms import keep_terms, kept_terms, spoken_as

    where = options.table or table_path()
    name, scenes = parse_source(options.source), None
    with ExitStack() as stack:
        page = _open_page(stack, options)
        if page is None:
            raise ArgumentError("a table is set up on the console page: let it be served")
        guiding = stack.enter_context(ExitStack())
        code = None if page.codes is None else page.codes.change
        terms = kept_terms(where)
        if terms is not None:
            options = spoken_as(terms, options)
        guide = guiding.enter_context(open_guide(options.outputs, code))
        if name.kind is SourceKind.DEMO:
            options = replace(options, seats=options.seats or tuple(DEMO_SEATS[2].items()))
        set_up = SetUp(
            without_password(options.source),
            page.show_set_up,
            guide.tell,
            known=_profile(where) if where.is_file() else None,
            wished=dict(options.seats),
            terms=terms,
            language=options.outputs.language,
            speak=guide.speak,
        )
        if name.kind is SourceKind.DEMO:
            scenes = rehearsal(write_game(name.number, dict(options.seats)), lambda: set_up.stage)
        wish = camera_wish(options.outputs.settings)
        source = stack.enter_context(open_source(options.source, scenes, speed=speed, wish=wish))
        feed_watchdog(source)
        page.begin_set_up(set_up, guide.trials)
        table = set_up.guide(lasting_frames(page.tapped(source), page.showing.camera))
        if table is None:
            shown = without_password(options.source)
            raise InputError(f"{shown} ended before the table was set up")
        profile = with_camera(table.profile, source)
        save_profile(profile, where)
        keep_terms(table.terms, where)
        guiding.close()  # the game has a voice of its own
        return _referee(stack, source, profile, table.agreed(options), console, page=page)


def run_calibrate(options: CalibrateOptions, console: Console) -> int:
    """Make a table profile from what a source shows."""
    name, scenes = parse_source(options.source), None
    if name.kind is SourceKind.DEMO:
        scenes = write_game(name.number, dict(options.seats)).calibration
    with ExitStack() as stack:
        wish = camera_wish(options.outputs.settings)
        source = stack.enter_context(open_source(options.source, scenes, wish=wish))
        shown = without_password(options.source)
        fitted = calibrate_from(source.frames(), dict(options.seats), shown, console.print)
    if isinstance(fitted, Refusal):
        for reason in fitted.reasons:
            _complain(reason)
        return ExitStatus.UNREADABLE
    for doubt in doubts(fitted):
        _complain(doubt)
    fitted = with_camera(fitted, source)
    save_profile(fitted, options.out)
    console.print(f"the table profile is in {options.out}")
    return ExitStatus.DONE


def run_read(options: ReadOptions, console: Console) -> int:
    """Read pictures and say what is seen; one that cannot be read does not stop the others."""
    table = _profile(options.table).model() if options.table else None
    status, words = ExitStatus.DONE, Written(options.language)
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
            console.print(reading_text(image, reading, words), end="")
    return status


def _check_size(source: FrameSource, profile: TableProfile) -> None:
    """Look at the first picture of *source*, before a game is begun that it cannot show.

    Raises:
        InputError: it has another size than those that *profile* was made from.
    """
    first = next(source.frames(), None)
    if first is None:
        return
    try:
        profile.model().check_frame(first)
    except ValueError as error:
        raise InputError(str(error)) from error


def print_json(value: object) -> None:
    """Write one JSON object on a line of standard output."""
    print(json.dumps(value, ensure_ascii=False), flush=True)


def _referee(
    stack: ExitStack,
    source: FrameSource,
    profile: TableProfile,
    options: WatchOptions,
    console: Console,
    ask: Ask | None = None,
    page: "Page | None" = None,
) -> int:
    """Referee on an open source; all else that is opened goes on the *stack*."""
    start = start_game(profile, options, _now(), _complain, ask)
    journal, settings = start.journal, options.outputs.settings
    stack.enter_context(journal)
    limits = Limits(settings.log.pictures_mb, settings.log.pictures_days)
    album = Album(journal.folder, limits)
    page = page or _open_page(stack, options)
    inbox = Inbox()
    camera = source
    if page is not None:
        source = page.tapped(source)
        page.begin(journal.id, start.profile.location, inbox)
    recent = RecentFrames(album, settings.log.clip_s, live=source.live)
    stack.enter_context(recent)
    source = TappedSource(source, recent.see)
    listeners = [recent, *_listeners(stack, options.outputs, console, page)]
    watch_health(stack, camera, options.outputs.games_dir, _complain)
    spoken = any(isinstance(one, Speech) and not one.silent for one in listeners)
    listeners += open_table_devices(
        stack, settings, camera, inbox, spoken=spoken, complain=_complain
    )
    opened = Game.resume if start.resumed else Game.start
    game = opened(journal, listeners, _now)
    try:
        if start.resumed and not game.over:
            # What happened in the meantime nobody saw: the board is compared with the log first.
            game.rule((Resumed(),))
        if options.first is not None and game.match.phase is Phase.OPENING:
            game.rule((FirstPlayer(options.first, game.match.colour(options.first)),))
        if _talks(console):
            listen(sys.stdin, inbox, _complain)
        seen: list[Seen] = [Evidence(game, album).seen, recent.looked]
        if page is not None:
            seen.append(page.showing.seen)
        watch = TableWatch(start.profile.model(), time.perf_counter, settings.timing.still_s)
        referee_game(
            source,
            watch,
            game,
            inbox,
            complain=_complain,
            seen=_all(seen),
            remind_s=settings.timing.remind_s,
        )
    except (InputError, SourceError, DeviceError):
        if not game.match.acts and not start.resumed:
            recent.forget()
            journal.discard()  # nothing was ever seen of it
        raise
    finally:
        if not game.over and journal.folder.exists():
            _complain(f"game {journal.id} is not over; to go on with it type {GO_ON}")
    return ExitStatus.DONE


def _talks(console: Console) -> bool:
    """Tell whether somebody sits at the terminal, to read and to type."""
    return console.is_terminal and sys.stdin.isatty()


def _ask(question: str) -> bool:
    return click.confirm(question, default=True, err=True)


def _all(hearers: Sequence[Seen]) -> Seen:
    """Return one who lets all *hearers* hear of each look."""

    def seen(look: Look, verdict: Verdict, before: Match) -> None:
        for hearer in hearers:
            hearer(look, verdict, before)

    return seen


def _open_page(stack: ExitStack, options: WatchOptions) -> "Page | None":
    """Serve the console page, if it is wanted and its port can be had."""
    outputs = options.outputs
    if not outputs.web or parse_source(options.source).kind in _RECORDED:
        return None
    # Imported here: it takes its time, and some go without.
    from companion.console import ConsoleError, Place, open_console

    by_place = outputs.settings.squares == "places"
    opening = open_console(
        Place(outputs.port, outputs.lan),
        outputs.games_dir,
        outputs.language,
        by_place=by_place,
        devices=devices_path(),
    )
    try:
        page = stack.enter_context(opening)
    except ConsoleError as error:
        _complain(str(error))
        return None
    _complain(f"the console page is at {page.told}")
    return page


def _listeners(
    stack: ExitStack, outputs: Outputs, console: Console, page: "Page | None"
) -> Sequence[Listener]:
    """Open all who hear of rulings, each behind a queue of its own."""
    by_place = outputs.settings.squares == "places"
    phrases = Phrases(outputs.language, by_place=by_place)
    note = "" if page is None else page.told
    listeners: list[Listener] = [_shown(stack, outputs, TerminalView(console, phrases, note))]
    if page is not None:
        listeners.append(_behind_queue(stack, page.showing, most_waiting=None))
    if not outputs.mute:
        opened = open_voice(_ignore, voice_settings(outputs.settings))
        if opened.note:
            _complain(opened.note)
        if opened.speaks:
            stack.callback(opened.voice.close)
            least, failing = least_said(outputs.settings), bool(opened.note)
            announcer = stack.enter_context(
                Announcer(opened.voice, outputs.language, least=least, failing=failing)
            )
            listeners.append(Speech(phrases, announcer))
            if page is not None and page.codes is not None:
                announcer.say((phrases.page_code(page.codes.change),))
    return listeners


def _shown(stack: ExitStack, outputs: Outputs, view: TerminalView) -> Background:
    """Open what shows rulings: the terminal, or JSON lines, which are checked in the end."""
    if not outputs.json:
        return _behind_queue(stack, view, most_waiting=None)
    lines = JsonLines(sys.stdout)
    stack.callback(lines.check)
    return _behind_queue(stack, lines, most_waiting=None)


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


def _now() -> datetime:
    return datetime.now(UTC)


def _complain(text: str) -> None:
    """Say on standard error what a person should know."""
    print(f"pachisi: {text}", file=sys.stderr, flush=True)


def _ignore(_: str) -> None:
    """Say nothing: somebody else does."""
