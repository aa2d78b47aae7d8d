"""Trying the voice: something is said, and whoever is there is asked whether it was heard."""

from typing import Final

from companion.appliance.devices import voice_settings
from companion.appliance.findings import Finding
from companion.settings import Settings
from hardware.ports import DeviceError
from hardware.voice import OpenedVoice, open_voice

_TRIAL: Final = {
    "en": "Red threw a six. Can you hear me?",
    "ru": "У красных шесть. Вы меня слышите?",
}


def speak(settings: Settings, opened: OpenedVoice | None = None) -> Finding:
    """Say something aloud; *opened* stands in for the voice."""
    opened = opened or open_voice(lambda _: None, voice_settings(settings))
    if opened.note:
        return Finding("voice", False, opened.note, "see docs/on-a-pi.md")
    cure = "choose another english or russian under [voice]: `espeak-ng --voices` lists them"
    try:
        opened.voice.prepare(_TRIAL[settings.language], settings.language)
        cure = "choose another device under [voice]"
        opened.voice.say(_TRIAL[settings.language], settings.language)
    except DeviceError as error:
        return Finding("voice", False, str(error), cure)
    finally:
        opened.voice.close()
    return Finding("voice", True, "something was said")


def heard(said: Finding, answer: bool) -> Finding:
    """Return what to do where something was *said* and nobody heard it."""
    if answer or not said.good:
        return said
    cure = (
        "turn the loudspeaker up (alsamixer), or name another under [voice] device: `aplay -L` "
        "lists them; one that begins late wants a longer lead_s"
    )
    return Finding("voice", False, "it was said, and nobody heard it", cure)
