"""Why it was ruled so: what is kept beside the log, and what a person is shown."""

import json
from pathlib import Path

import pytest

from companion.cli import run
from companion.errors import InputError
from companion.log.journal import JOURNAL_NAME, read_journal
from companion.log.why import load_why, why_json, why_text
from referee.judge import judge
from referee.second_thoughts import SecondThoughts
from tabletop import DieObservation, DieReading, DieSign, DieState
from tests.builders import lying, match_at, seen, standing, thrown

MIDDLE = "R*2,b1,c1/R*2,h2,f8/R*3,c8/R*4 D4 1"


def kept(folder: Path) -> None:
    """Keep why a wrong distance was called so, as events 11 to 11 of a game."""
    match = match_at(MIDDLE, 3)
    scene = seen(standing("b1=red g1=red h2=green f8=green c8=blue"), lying(3))
    why = why_json(judge(match, scene), scene, match, ("00011-board.jpg",))
    (folder / "why").mkdir()
    (folder / "why" / "00011.json").write_text(json.dumps(why))


def test_the_tales_the_squares_and_the_pictures_are_kept(tmp_path: Path) -> None:
    """The likeliest tale is the wrong that was ruled, and its squares are named with readings."""
    kept(tmp_path)

    why = load_why(tmp_path, 11)
    assert (why["sequence"], why["ruling"]) == ([11, 11], "wrong")
    assert why["tales"][0]["wrong"] == "wrong_distance"
    assert why["tales"][0]["probability"] > 0.9
    assert why["tales"][0]["predicts"] == {"c1": [], "g1": ["red"]}
    assert why["squares"]["g1"]["due"] == []
    assert why["squares"]["g1"]["seen"][0] == [["red"], 0.995]
    assert why["die"]["sign"] == "same"


def test_a_person_is_shown_it_in_words(tmp_path: Path) -> None:
    """Tales with their probabilities, squares with what was due and seen, paths of pictures."""
    kept(tmp_path)

    text = why_text(tmp_path, load_why(tmp_path, 11))
    assert "events 11 to 11: wrong" in text
    assert "nothing done, wrong: wrong_distance (nothing on c1, red on g1)" in text
    assert "g1: nothing was due; seen: red 99.5%" in text
    assert text.endswith(str(tmp_path / "pictures" / "00011-board.jpg"))


def test_a_change_of_mind_is_explained_by_what_had_been_ruled(tmp_path: Path) -> None:
    """What the scene was as the log stood, since when, and by how much the other is likelier."""
    match, thoughts = match_at("R*4/R*4/R*4/R*4 D4 1"), SecondThoughts()
    leans = DieReading((0, 0, 20, 20), (0, 0, 0, 0.1, 0, 0), DieState.COCKED, 0.93)
    scenes = (
        seen({}, DieObservation(DieSign.THROWN, leans)),
        seen({}, thrown(6)),
        seen(standing("h2=green")),
    )
    for scene in scenes:
        before = match
        verdict, thoughts = thoughts.judge(match, scene, last_look=True)
        for event in verdict.events:
            match = match.after(event)
    why = json.loads(json.dumps(why_json(verdict, scenes[-1], before, ())))

    assert (why["against"]["wrong"], why["against"]["since"]) == ("not_your_checker", 10)
    text = why_text(tmp_path, why)
    assert "%  @h2" in text
    assert "as it had been ruled: nothing done, wrong: not_your_checker" in text
    assert f"seen since event 10 is likelier by {why['against']['gain']} otherwise" in text


@pytest.mark.parametrize("number", [10, 12])
def test_an_event_that_nothing_was_weighed_for(tmp_path: Path, number: int) -> None:
    """What a person commanded was not ruled on a scene, and that is said."""
    kept(tmp_path)
    with pytest.raises(InputError, match=f"event {number} was not ruled on a scene"):
        load_why(tmp_path, number)


def test_any_ruling_is_explained_by_the_command_line(
    table: Path, profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """For each event that was ruled on pictures: tales, scores, squares, die, and the pictures."""
    watch = ["watch", f"stills:{table / 'frames'}", "--table", str(profile), "--mute", "--no-web"]
    assert run([*watch, "--games", str(tmp_path)]) == 0
    (folder,) = (one for one in tmp_path.iterdir() if one.is_dir())
    lines, _ = read_journal(folder / JOURNAL_NAME)
    ruled = [line for line in lines if line.event.kind in ("opening_throw", "die_thrown")]
    assert len(ruled) >= 3
    capsys.readouterr()

    for line in ruled:
        show = ["games", "show", folder.name, "--games", str(tmp_path), "--why"]
        assert run([*show, str(line.sequence)]) == 0
        text = capsys.readouterr().out
        assert f"threw {line.event.value}" in text  # type: ignore[union-attr]
        assert "score" in text
        assert "die: thrown, settled" in text
        assert [Path(end).exists() for end in text.split() if end.endswith(".jpg")] == [True, True]
        assert run([*show, str(line.sequence), "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert told["tales"][0]["probability"] > 0.9
    assert run([*show, "1"]) != 0
    assert "not ruled on a scene" in capsys.readouterr().err
