"""Measure the program on labelled pictures and games, through its own command line.

    figures.py DATA [--out docs/figures.md]

DATA is a folder with sets below it. A set of pictures has a labels.json (see `pachisi evaluate`). A
game has `calibration` and `frames`, two folders of pictures; game.json with the seats and further
options of `pachisi watch`; truth.jsonl with the events that should come out; and states.json with
what stands on the board in each frame. Writes a page of figures, the machine named on it.
"""

import argparse
import difflib
import json
import platform
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import plot_confidence

TIME_LIMIT_S: Final = 1800
WORST: Final = 6

RULED_BY: Final = {
    "opening_throw": ("colour", "value"),
    "die_thrown": ("colour", "value"),
    "checker_entered": ("colour", "to"),
    "checker_moved": ("colour", "from", "to"),
    "checker_knocked_out": ("colour", "square"),
    "throw_passed": ("colour",),
    "illegal_move": ("reason",),
    "game_won": ("colour", "bank"),
}
"""The events that are rulings, and the fields in which two of them must agree."""

HONESTY: Final = (
    "All sets of pictures together. Each dot stands for the answers given with nearly one "
    "probability, the number below it tells how many; on the line, what is said is right as often "
    "as it is said to be. A die seen where none is counts as a wrong answer."
)

Ruling = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Measured:
    """The figures of one set.

    Attributes:
        name: of the set.
        about: what is in it.
        rows: each figure's name and value.
        worst: what went wrong most, in words.
        said: what `pachisi evaluate` told, with how surely the answers were given.
    """

    name: str
    about: str
    rows: tuple[tuple[str, str], ...]
    worst: tuple[str, ...]
    said: dict[str, Any]


def main() -> int:
    """Measure everything below a folder and write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path, help="a folder with labelled sets below it")
    parser.add_argument("--out", type=Path, default=Path("docs/figures.md"))
    arguments = parser.parse_args()
    data = arguments.data.resolve()
    measured = []
    for folder in sorted([data, *(path for path in data.rglob("*") if path.is_dir())]):
        if (folder / "labels.json").is_file():
            measured.append(measure_pictures(folder))
        elif (folder / "game.json").is_file():
            measured.append(measure_game(folder))
    if not measured:
        print(f"figures: there is no labelled set below {data}", file=sys.stderr)
        return 2
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    plots = draw_confidence(measured, arguments.out.parent / "pictures")
    arguments.out.write_text(page(measured, plots, speeds()), encoding="utf-8")
    print(f"figures: {len(measured)} sets, written to {arguments.out}")
    return 0


def measure_pictures(folder: Path) -> Measured:
    """Score the reader on a set of labelled pictures."""
    told = next(objects(pachisi("evaluate", str(folder), "--json", "--worst", str(WORST))), None)
    if told is None:
        raise SystemExit(f"figures: {folder} could not be measured")
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    rows = tuple((name, shown(value)) for name, value in told["figures"].items())
    worst = tuple(f"{one['image']}: {one['fault']}" for one in told["worst"])
    return Measured(folder.name, about_pictures(labels), rows, worst, told)


def measure_game(folder: Path) -> Measured:
    """Calibrate on a game's first pictures, watch the rest, compare rulings and squares."""
    game = json.loads((folder / "game.json").read_text(encoding="utf-8"))
    states = json.loads((folder / "states.json").read_text(encoding="utf-8"))["frames"]
    want = rulings(objects((folder / "truth.jsonl").read_text(encoding="utf-8")))
    frames = folder / "frames"
    with tempfile.TemporaryDirectory() as scratch:
        table = f"{scratch}/table.toml"
        pachisi("calibrate", f"stills:{folder / 'calibration'}", "--seats", game["seats"],
                "--out", table)  # fmt: skip
        watched = pachisi(
            "watch", f"stills:{frames}", "--table", table, "--games", scratch,
            "--json", "--no-web", "--mute", *game.get("watch", ()),
        )  # fmt: skip
        free = [state for state in states if not state["hand"]]
        paths = [str(frames / state["image"]) for state in free]
        readings = objects(pachisi("read", "--json", "--table", table, *paths))
    same, invented, differences = compare(want, rulings(objects(watched)))
    judged = 64 * len(free)
    wrong = Counter[str]()
    by_image = {Path(reading["image"]).name: reading["squares"] for reading in readings}
    for state in free:
        wrong += wrong_squares(state["squares"], by_image.get(state["image"], {}))
    rows = (
        ("rulings right, in order", share(same, len(want))),
        ("moves accepted that were not made", str(invented)),
        ("squares right in colour", share(judged - wrong["colour"], judged)),
        ("squares right in colour and count", share(judged - wrong["count"], judged)),
    )
    about = f"{len(states)} frames of a game, {len(want)} rulings, seats {game['seats']}"
    return Measured(folder.name, about, rows, differences[:WORST], {"reliability": {}})


def compare(want: list[Ruling], got: list[Ruling]) -> tuple[int, int, tuple[str, ...]]:
    """Return how many rulings agree in order, how many moves were invented, and what differs."""
    matcher = difflib.SequenceMatcher(a=want, b=got, autojunk=False)
    invented, differences = 0, []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            continue
        missing, extra = want[i1:i2], got[j1:j2]
        invented += sum(one[0].startswith("checker_") and one not in missing for one in extra)
        differences.append(f"wanted {words(missing)}; got {words(extra)}")
    same = sum(block.size for block in matcher.get_matching_blocks())
    return same, invented, tuple(differences)


def rulings(lines: Iterable[dict[str, Any]]) -> list[Ruling]:
    """Return the events that are rulings, with the fields that count."""
    return [
        (line["kind"], *(line["event"].get(name) for name in RULED_BY[line["kind"]]))
        for line in lines
        if line.get("kind") in RULED_BY
    ]


def wrong_squares(
    true: dict[str, list[str]], read: dict[str, list[dict[str, Any]]]
) -> Counter[str]:
    """Return on how many squares colours, and colours with counts, are not as they should be."""
    out = Counter[str]()
    for name in true.keys() | read.keys():
        stands = Counter(true.get(name, ()))
        seen = Counter(checker["colour"] for checker in read.get(name, ()))
        out["colour"] += set(stands) != set(seen)
        out["count"] += stands != seen
    return out


def draw_confidence(measured: list[Measured], folder: Path) -> list[Path]:
    """Draw for all sets together how often answers are right against how surely they were given."""
    plots = []
    for about in ("board", "squares", "dice"):
        answers = plot_confidence.added(about, (one.said for one in measured))
        if any(one.count for one in answers):
            plots.append(folder / f"sure-{about}.png")
            plot_confidence.draw(answers, about, plots[-1])
    return plots


def speeds() -> list[dict[str, Any]]:
    """Measure how fast each stage is on this machine."""
    return list(objects(pachisi("bench", "--json")))


def page(measured: list[Measured], plots: list[Path], fast: list[dict[str, Any]]) -> str:
    """Write the figures as Markdown."""
    version = metadata.version("pachisi-companion")
    lines = [
        "# Figures",
        "",
        "What the program reads and rules rightly, and how fast, measured through its command line "
        "by `make figures DATA=folder`. No network and no weight was learned from these pictures, "
        "but constants were chosen while looking at them: expect somewhat less elsewhere.",
        "",
        f"Version {version}, on {machine()}.",
    ]
    for one in measured:
        lines += ["", f"## {one.name}", "", f"{one.about[0].upper()}{one.about[1:]}.", ""]
        lines += ["| Figure | Value |", "|---|---|"]
        lines += [f"| {name} | {value} |" for name, value in one.rows]
        if one.worst:
            lines += ["", "Worst:", "", *(f"- {text}" for text in one.worst)]
    lines += ["", "## How sure, and how often right", "", HONESTY, ""]
    lines += [f"![{plot.stem}](pictures/{plot.name})" for plot in plots]
    lines += ["", "## Speed", "", "On one core; the table's pictures have 1280x960 pixels.", ""]
    lines += ["| Stage | median ms | 95 % under ms | a second |", "|---|---|---|---|"]
    lines += [
        f"| {one['name']} | {one['median_ms']:.3f} | {one['slow_ms']:.3f} "
        f"| {one['each_second']:,.0f} |"
        for one in fast
    ]
    return "\n".join([*lines, ""])


def about_pictures(labels: list[dict[str, Any]]) -> str:
    """Say what a set of pictures holds."""
    kinds = {"real": "photographs", "render": "rendered pictures"}
    count = Counter(kinds.get(label.get("kind", ""), "pictures") for label in labels)
    boards = sum(bool(label.get("corners")) for label in labels)
    dice = sum(len(label.get("dice", ())) for label in labels)
    pictures = " and ".join(f"{number} {kind}" for kind, number in count.items())
    return f"{pictures} with {boards or 'no'} boards and {dice or 'no'} labelled dice"


def machine() -> str:
    """Name the machine the figures are taken on."""
    model = platform.processor() or platform.machine()
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key.strip() in ("model name", "Model"):
            model = value.strip()
            break
    return f"{model}, {platform.system()}, Python {platform.python_version()}"


def pachisi(*arguments: str) -> str:
    """Run a command of the program and return what it writes; complaints are passed on."""
    command = [sys.executable, "-m", "companion", *arguments]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, timeout=TIME_LIMIT_S, check=False
    )
    if done.returncode:
        print(f"figures: {arguments[0]} ended with {done.returncode}", file=sys.stderr)
    return done.stdout


def objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects that stand one a line."""
    for line in text.splitlines():
        if line.startswith("{"):
            yield json.loads(line)


def words(found: list[Ruling]) -> str:
    """Write a few rulings."""
    texts = [" ".join(str(part) for part in one if part is not None) for one in found[:4]]
    return ", ".join(texts) + (" ..." if len(found) > 4 else "") if texts else "nothing"


def shown(value: Any) -> str:
    """Write a figure: a share of a whole, or a number."""
    return share(*value) if isinstance(value, list) else str(value)


def share(part: int, whole: int) -> str:
    """Write so many of so many."""
    return f"{part} of {whole} = {100 * part / whole:.1f} %" if whole else "none to judge"


if __name__ == "__main__":
    sys.exit(main())
