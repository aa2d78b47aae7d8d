"""The commands that look after the program itself: doctor, evaluate, bench."""

import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, astuple
from itertools import chain
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from companion.appliance.findings import Finding
from companion.commands.arguments import EXISTING_OR_NEW, Within, games_option, json_option
from companion.errors import ExitStatus, InputError
from companion.measuring.evaluate import (
    fault_text,
    figures,
    reliability,
    score_picture,
    worst_pictures,
)
from companion.measuring.labels import Label, load_labels
from companion.settings import Settings
from tabletop import Reading


@click.command()
@games_option
@click.option("--camera", metavar="SOURCE", help="Take a picture and judge it: pi, usb, http://...")
@click.option("--aloud", is_flag=True, help="Say something, and ask whether it was heard.")
@click.option("--mount", "side_mm", type=Within(50, 2000), metavar="MM",
              help="Tell how high a camera hangs over a board of this side, and nothing else."
              )  # fmt: skip
@json_option
def doctor(
    games: Path | None, camera: str | None, aloud: bool, side_mm: float | None, as_json: bool
) -> int:
    """Try every device and library.

    Says in plain words what is wrong and what to type.

    Ends with 0 where all is good and 3 where something is missing or broken.
    """
    from companion.appliance.doctor import examine, settings_found

    console = Console(soft_wrap=True)
    if side_mm is not None:
        return _tell_mounts(side_mm, console, as_json)
    settings, about_settings = settings_found()
    status = ExitStatus.DONE
    findings = chain(
        [about_settings],
        examine(settings, games or settings.games_dir),
        _trials(settings, camera, aloud=aloud, asks=not as_json),
    )
    for finding in findings:
        if not finding.good:
            status = ExitStatus.NO_DEVICE
        if as_json:
            click.echo(json.dumps(asdict(finding), ensure_ascii=False))
            continue
        mark = "[green]good[/]" if finding.good else "[red]bad [/]"
        console.print(f"{mark}  {finding.name:14} ", end="")
        console.print(finding.text, markup=False, highlight=False)
        if finding.cure:
            console.print(f"      {'':14} do: {finding.cure}", markup=False, highlight=False)
    return status


def _trials(
    settings: Settings, camera: str | None, *, aloud: bool, asks: bool
) -> Iterator[Finding]:
    """Try what is only tried when somebody asks for it."""
    # Imported here: a broken library must not keep the other checks from being made.
    if camera is not None:
        from companion.appliance.camera_check import check_camera

        yield from check_camera(camera, settings)
    if aloud:
        from companion.appliance.voice_check import heard, speak

        said = speak(settings)
        asked = asks and said.good
        yield heard(said, click.confirm("Was it heard?", default=True)) if asked else said


def _tell_mounts(side_mm: float, console: Console, as_json: bool) -> int:
    from companion.appliance.mounting import mounts

    table = Table("camera", "height, mm", "square, pixels")
    for mount in mounts(side_mm):
        if as_json:
            told = {"height_mm": round(mount.height_mm), "square_px": round(mount.square_px)}
            click.echo(json.dumps({"camera": mount.lens.name, **told}))
        table.add_row(mount.lens.name, f"{mount.height_mm:.0f}", f"{mount.square_px:.0f}")
    if not as_json:
        console.print(table)
    return ExitStatus.DONE


@click.command()
@click.argument("folder", metavar="SET", type=EXISTING_OR_NEW)
@click.option("--table", type=EXISTING_OR_NEW, metavar="FILE",
              help="The profile of the table that the pictures show.")  # fmt: skip
@click.option("--worst", type=click.IntRange(min=0), default=8, show_default=True, metavar="N",
              help="How many of the worst pictures to name.")  # fmt: skip
@json_option
def evaluate(folder: Path, table: Path | None, worst: int, as_json: bool) -> int:
    """Score the reader on labelled pictures.

    SET holds the pictures and labels.json, a list with an object for each picture: "image";
    "corners" of the board by name (null: none in the picture), "squares" with the colours on each,
    "dice" with "box" and "value"; all but the first may be missing.
    """
    labels = load_labels(folder)
    read = _reader(table)
    scores, status = [], ExitStatus.DONE
    for label in labels:
        try:
            scores.append(score_picture(label, read(label)))
        except InputError as error:
            click.echo(str(error), err=True)
            status = ExitStatus.UNREADABLE
    sums = figures(tuple(scores))
    bad = [
        {"image": os.path.relpath(score.label.image, folder), "fault": fault_text(score)}
        for score in worst_pictures(tuple(scores), worst)
    ]
    if as_json:
        named = {name: _figure_json(value) for name, value in sums.items()}
        answers = {
            about: [astuple(one) for one in sorted_answers]
            for about, sorted_answers in reliability(tuple(scores)).items()
        }
        told = {
            "set": str(folder),
            "pictures": len(scores),
            "figures": named,
            "reliability": answers,
            "worst": bad,
        }
        click.echo(json.dumps(told, ensure_ascii=False))
        return status
    table_view = Table(title=f"{folder}, pictures: {len(scores)}", box=None, show_header=False)
    for name, value in sums.items():
        table_view.add_row(name, str(value))
    console = Console(soft_wrap=True)
    console.print(table_view)
    for one in bad:
        console.print(f"  {one['image']}: {one['fault']}", markup=False, highlight=False)
    return status


def _reader(table: Path | None) -> Callable[[Label], Reading]:
    """Return what reads a labelled picture, by the table profile at *table* if one is given."""
    from companion.pictures import load_frame
    from vision.reader import read, read_table

    def unknown(label: Label) -> Reading:
        return read(load_frame(str(label.image)), label.colours or None, time.perf_counter)

    if table is None:
        return unknown
    from calibration.profile import load_profile

    model = load_profile(table).model()

    def known(label: Label) -> Reading:
        frame = load_frame(str(label.image))
        try:
            return read_table(frame, model, clock=time.perf_counter)[0]
        except ValueError as error:  # of another size than the camera had
            raise InputError(str(error)) from error

    return known


def _figure_json(value: Any) -> Any:
    return value if isinstance(value, int | float) else [value.part, value.whole]


@click.command()
@click.option("--rounds", type=click.IntRange(min=1), default=20, show_default=True, metavar="N",
              help="How often each stage of seeing is measured.")  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, metavar="N",
              help="Decides the simulated table and the games.")  # fmt: skip
@json_option
def bench(rounds: int, seed: int, as_json: bool) -> int:
    """Measure the speed of every stage.

    Of seeing, of the rules and of the judge, on one core.
    """
    from companion.measuring.bench import bench as measure

    table = Table("", "median ms", "95 % under ms", "a second", box=None)
    for column in table.columns[1:]:
        column.justify = "right"
    for speed in measure(rounds, seed):
        if as_json:
            click.echo(json.dumps(asdict(speed)))
        table.add_row(
            speed.name,
            f"{speed.median_ms:.3f}",
            f"{speed.slow_ms:.3f}",
            f"{speed.each_second:,.0f}",
        )
    if not as_json:
        Console().print(table)
    return ExitStatus.DONE
