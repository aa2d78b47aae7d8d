"""Trying what the voice needs: its programs, its voices and the loudspeaker."""

import shutil
import subprocess
from functools import partial
from typing import TYPE_CHECKING, Final

from companion.appliance.findings import Finding
from companion.appliance.programs import printed, printed_if_any, trouble_of
from companion.settings import Settings

if TYPE_CHECKING:  # a broken library must not keep the other checks from being made
    from hardware.voice import SpokenVoice

_PLAYERS: Final = {"alsa": ("aplay", "alsa-utils"), "pipewire": ("pw-play", "pipewire-bin")}
"""The program that plays, and its package."""
_LOUDSPEAKER: Final = (
    "connect a loudspeaker, name it under [voice] in the settings, or play with --mute"
)
_OTHER_VOICE: Final = "name another under [voice] in the settings: `espeak-ng --voices` lists them"


def speech(settings: Settings) -> Finding:
    """Try espeak-ng, and the voices that it is to speak with."""
    cure = "sudo apt-get install espeak-ng"
    try:
        done = printed("espeak-ng", "--voices")
    except FileNotFoundError:
        return Finding("speech", False, "espeak-ng is missing: rulings are shown only", cure)
    except (OSError, subprocess.SubprocessError) as error:
        again = "sudo apt-get install --reinstall espeak-ng espeak-ng-data"
        return Finding("speech", False, f"espeak-ng is there, and {_failed(error)}", again)
    languages = {line.split()[1] for line in done.splitlines()[1:] if len(line.split()) > 1}
    lacking = [language for language in ("en", "ru") if not _speaks(languages, language)]
    if lacking:
        return Finding("speech", False, f"espeak-ng has no voice for {', '.join(lacking)}", cure)
    for language in ("english", "russian"):
        voice = getattr(settings.voice, language)
        if settings.voice.engine == "piper" and getattr(settings.voice, f"piper_{language}"):
            continue
        # It is asked as the game asks it: a voice may be named in many ways.
        if printed_if_any("espeak-ng", "-q", "-v", voice, "a") is None:
            text = f"espeak-ng cannot speak with {language} = {voice!r} of the settings"
            return Finding("speech", False, text, _OTHER_VOICE)
    return Finding("speech", True, "espeak-ng, English and Russian")


def sound(settings: Settings) -> Finding:
    """Try the loudspeaker, and what is needed to play on it."""
    if settings.mute:
        return Finding("sound", True, "none is asked for in the settings")
    program, package = _PLAYERS[settings.voice.player]
    if shutil.which(program) is None:
        cure = f"sudo apt-get install {package}"
        return Finding("sound", False, f"{program} is missing: nothing can be heard", cure)
    engine = "mend that, or choose another engine or model under [voice] in the settings"
    for attempt, cure in ((_voice, engine), (_play_silence, _LOUDSPEAKER)):
        if (trouble := trouble_of(partial(attempt, settings))) is not None:
            return Finding("sound", False, trouble, cure)
    listed = (printed_if_any("aplay", "-l") or "").splitlines()
    lines = (line for line in listed if line.startswith("card "))
    cards = dict.fromkeys(line.split(":")[1].split("[")[0].strip() for line in lines)
    named = settings.voice.device or "the usual one"
    return Finding("sound", True, f"{named} can be reached; cards: {', '.join(cards) or 'none'}")


def _failed(error: Exception) -> str:
    match error:
        case subprocess.TimeoutExpired():
            return f"does not come to an end within {error.timeout:g} s"
        case subprocess.CalledProcessError():
            said = (error.stderr or "").strip().splitlines() or ["it gives no reason"]
            return f"fails: {said[-1]}"
        case _:
            return f"cannot be started: {error}"


def _speaks(languages: set[str], language: str) -> bool:
    return any(one == language or one.startswith(f"{language}-") for one in languages)


def _voice(settings: Settings) -> "SpokenVoice":
    from companion.appliance.devices import voice_settings
    from hardware.voice import SpokenVoice

    return SpokenVoice(voice_settings(settings))


def _play_silence(settings: Settings) -> None:
    with _voice(settings) as voice:
        voice.try_out()
