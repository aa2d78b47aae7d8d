from pathlib import Path

import pytest

from companion.appliance.device_settings import LampSection
from companion.errors import ArgumentError
from companion.settings import Settings, load_settings


def load(tmp_path: Path, text: str) -> Settings:
    """Return the settings that *text* makes."""
    path = tmp_path / "settings.toml"
    path.write_text(text)
    return load_settings(path)


def test_without_a_file_the_built_in_settings_hold(tmp_path: Path) -> None:
    """Expect English, a voice, no lamps, and the games in the user's data folder."""
    settings = load_settings(tmp_path / "settings.toml")
    assert settings == Settings()
    assert (settings.language, settings.mute, settings.lamps) == ("en", False, None)
    assert settings.games_dir.parts[-2:] == ("pachisi", "games")


def test_a_file_changes_what_it_names(tmp_path: Path) -> None:
    """Expect what the file says, and the rest as built in."""
    text = 'language = "ru"\ngames = "/srv/games"\n[lamps]\nverdict = [17, 27, 22]\n'
    settings = load(tmp_path, text + "seats = {D4 = 5}\n")
    assert settings.language == "ru"
    assert settings.games_dir == Path("/srv/games")
    assert settings.lamps == LampSection(verdict=(17, 27, 22), seats={"D4": (5,)})
    assert settings.port == 8000


def test_a_home_folder_may_be_meant_and_a_number_be_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Expect the tilde to be the person's home, and 2 to do for seconds."""
    monkeypatch.setenv("HOME", str(tmp_path))
    settings = load(tmp_path, "games = '~/games'\n[timing]\nstill_s = 2")
    assert settings.games_dir == tmp_path / "games"
    assert settings.timing.still_s == 2
    assert Settings.model_validate_json(settings.model_dump_json()) == settings


@pytest.mark.parametrize("host", ["", "wled.local", "wled-2:8080", "192.168.1.20", "[fe80::1]:80"])
def test_a_strip_in_the_network_has_a_host_and_maybe_a_port(tmp_path: Path, host: str) -> None:
    """Expect names and addresses as they are written."""
    strip = load(tmp_path, f"[strip]\nleds_a_side = 9\nwled = '{host}'").strip
    assert strip is not None
    assert strip.wled == host


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("languge = 'ru'", "did you mean 'language'?"),
        ("language = 'fr'", "language = 'fr' cannot be"),
        ("port = 0", "port = 0 cannot be"),
        ("port = true", "port = True cannot be"),
        ("port = '8000'", "port = '8000' cannot be"),
        ("games = '~nobody-of-that-name/games'", "games = '~nobody-of-that-name/games' cannot be"),
        ("games = ''", "games = '' cannot be: name a folder"),
        ('games = "a\\u0000b"', "name a folder"),
        ("[timing]\nremind_s = inf", "timing.remind_s = inf cannot be"),
        ("[timing]\nstill_s = nan", "timing.still_s = nan cannot be"),
        ("[timing]\nremind_s = true", "timing.remind_s = True cannot be"),
        ("[log]\nclip_s = true", "log.clip_s = True cannot be"),
        ("[camera]\nmains_hz = true", "camera.mains_hz = True cannot be"),
        ("[voice]\nlead_s = true", "voice.lead_s = True cannot be"),
        ("[strip]\nleds_a_side = true", "strip.leds_a_side = True cannot be"),
        ("[buttons]\npause = true", "buttons.pause = True cannot be"),
        ("[lamps]\nbuzzer = true", "lamps.buzzer = True cannot be"),
        ("[lamps]\nverdict = true", "lamps.verdict"),
        ("[lamps]\nseats = {D4 = true}", "lamps.seats.D4"),
        ("[lamps]\nverdict = 99", "lamps.verdict.0 = 99 cannot be"),
        ("[lamps]\nverdict = [1, 2]", "a lamp has one pin or three, not 2"),
        (
            "[lamps]\nverdict = 9\nseats = {D4 = 9}",
            "pin 9 is used by the verdict's lamp and by the lamp of D4: name another",
        ),
        ("[lamps]\nbuzzer = 9\n[buttons]\npause = 9", "by the buzzer and by the button pause"),
        ("[strip]\nleds_a_side = 9\n[buttons]\npause = 10", "by the button pause and by the strip"),
        (
            "[lamps]\nseats = {d9 = 4}",
            "there is no lamps.seats.d9: choose from 'D4', 'D3', 'D2' or 'D1'",
        ),
        ("[lamps]\nverdict = [17, 17, 17]", "pin 17 is used twice by the verdict's lamp"),
        ("[lamps]\nseats = {D2 = [5, 6, 5]}", "pin 5 is used twice by the lamp of D2"),
        ("[strip]", "strip.leds_a_side is missing"),
        ("[strip]\nleds_a_side = 9\nwled = 'http://1.2.3.4'", "write the host alone"),
        ("[strip]\nleds_a_side = 9\nwled = '1.2.3.4:abc'", "strip.wled = '1.2.3.4:abc' cannot be"),
        ("[strip]\nleds_a_side = 9\nwled = '1.2.3.4:65536'", "a port where it is not 80"),
        ("[strip]\nleds_a_side = 9\nwled = 'a b'", "write a name or an address"),
        ("lamps = 5", "lamps = 5 cannot be: write a table, below a line [lamps]"),
        ("[lamps]\nseats = 5", "write a table, below a line [lamps.seats]"),
        ("[lamps]\nverdict = 'x'", "write the number of a pin, or those of three in brackets"),
        ("[lamps]\nverdict = [1, 2, 'x']", "lamps.verdict.2 = 'x' cannot be: write a whole number"),
        ("[camera]\ntuning = 5", "camera.tuning = 5 cannot be: write a text, in quotes"),
        ("[camera]\nmains_hz = 55", "camera.mains_hz = 55 cannot be: choose from 50 or 60"),
        ("[timing]\nstill_s = 'x'", "timing.still_s = 'x' cannot be: write a number"),
        ("[timing]\nstill_s = 100", "timing.still_s = 100 cannot be: write 30 or less"),
        ("[strip]\nleds_a_side = 9\nbrightness = 0", "strip.brightness = 0 cannot be: write more"),
        ("mute = 'maybe'", "mute = 'maybe' cannot be: write true or false"),
        ("mute = 1", "mute = 1 cannot be: write true or false"),
        ("lan = 1", "lan = 1 cannot be: write true or false"),
        ("web = 'yes'", "web = 'yes' cannot be: write true or false"),
        ("[camera]\nupside_down = 0", "camera.upside_down = 0 cannot be: write true or false"),
        ("[strip]\nleds_a_side = 9\nclockwise = 1.0", "clockwise = 1.0 cannot be: write true"),
        ('[voice]\nenglish = "a\\u0000b"', "the character of number 0: leave it out"),
        ('[camera]\ntuning = "a\\u0000b"', "the character of number 0: leave it out"),
        pytest.param("port = " + "[" * 3000, "too many brackets", id="deep"),
        pytest.param("port = " + "9" * 5000, "a number that is too long", id="5000 digits"),
        pytest.param("port = 0x" + "9" * 5000, "port = the number cannot be", id="hexadecimal"),
        pytest.param("port = " + "9" * 4000, "cannot be: write 65535 or less", id="4000 digits"),
        ("games = 5", "games = 5 cannot be: name a folder"),
        ("[voice]\nengine = 'piper'", "a model is needed, piper_english or piper_russian"),
        ("[lamps]\nverdit = 9", "did you mean 'verdict'?"),
        ("[lamp]\nverdict = 9", "did you mean 'lamps'?"),
        ("language =", "is no TOML"),
    ],
)
def test_what_cannot_be_is_refused_by_name(tmp_path: Path, text: str, words: str) -> None:
    """Expect the file, the setting and what to write, in our words and not in a library's."""
    with pytest.raises(ArgumentError, match=r"settings\.toml") as caught:
        load(tmp_path, text)
    assert words in str(caught.value)
    assert "Input " not in str(caught.value)
    if "TOML" not in words:
        told = str(caught.value).replace(str(tmp_path), "")
        assert "\n" not in told
        assert len(told) < 200


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    """Expect an error where a folder stands in the file's place."""
    (tmp_path / "settings.toml").mkdir()
    with pytest.raises(ArgumentError, match="cannot be read"):
        load_settings(tmp_path / "settings.toml")
