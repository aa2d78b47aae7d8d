"""The phrase table of a language: Fluent messages, each formatted for the eye and for the ear."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from fluent.runtime import FluentBundle, FluentResource
from fluent.syntax.ast import Junk, Message, Resource

LANGUAGES: Final = ("en", "ru")


@dataclass(frozen=True, slots=True)
class Wording:
    """The same words twice: as shown, and as a synthesiser says them rightly."""

    shown: str
    spoken: str


Words = dict[str, Wording]
"""A message's value and attributes, by the names under which other messages take them."""

Argument = Wording | str | int


class Catalogue:
    """The messages of one language.

    A phrase table may give a word several forms as attributes (``.acc``, ``.gen``); they reach the
    messages that use the word as ``$who-acc``. So cases and genders live in the table alone.

    Raises:
        ValueError: there is no table for the language.
    """

    def __init__(self, language: str) -> None:
        if language not in LANGUAGES:
            raise ValueError(f"there are no phrases in {language!r}: choose {', '.join(LANGUAGES)}")
        text = (files(__package__) / f"{language}.ftl").read_text(encoding="utf-8")
        resource = _resource(language, text)
        self._messages = frozenset(
            entry.id.name for entry in resource.body if isinstance(entry, Message)
        )
        self._shown = _bundle(language, resource, _count_shown)
        self._spoken = _bundle(language, resource, _count_spoken)

    @property
    def messages(self) -> frozenset[str]:
        """The names of all messages."""
        return self._messages

    def has(self, message: str) -> bool:
        """Tell whether the table has *message*, or ``message.attribute``."""
        name, _, attribute = message.partition(".")
        if not self._shown.has_message(name):
            return False
        return not attribute or attribute in self._shown.get_message(name).attributes

    def format(self, message: str, **arguments: Argument) -> Wording:
        """Return *message*, or its attribute where it is ``message.attribute``, with *arguments*.

        Names of arguments take an underscore for the hyphen they have in the table.

        Raises:
            LookupError: the table lacks the message, or the message an argument.
        """
        given = {name.replace("_", "-"): value for name, value in arguments.items()}
        return Wording(
            _format(self._shown, message, {name: _shown(value) for name, value in given.items()}),
            _format(self._spoken, message, {name: _spoken(value) for name, value in given.items()}),
        )

    def words(self, role: str, message: str, **arguments: Argument) -> Words:
        """Return a message's value as *role* and each of its attributes as ``role_attribute``."""
        attributes = self._shown.get_message(message).attributes
        forms = {role: message, **{f"{role}_{form}": f"{message}.{form}" for form in attributes}}
        return {name: self.format(form, **arguments) for name, form in forms.items()}

    def joined(self, parts: Sequence[Wording], how: str) -> Wording:
        """Return *parts* as a list with commas whose last link is *how*, "and" or "or"."""
        first, *rest = parts
        for number, part in enumerate(rest, 1):
            link = f"list-{how}" if number == len(rest) else "list-comma"
            first = self.format(link, first=first, second=part)
        return first


@lru_cache(maxsize=len(LANGUAGES))  # a table takes a third of a second to be understood
def _resource(language: str, text: str) -> Resource:
    resource = FluentResource(text)
    for entry in resource.body:
        if isinstance(entry, Junk):
            raise ValueError(f"{language}.ftl cannot be read: {(entry.content or '').strip()!r}")
    return resource


def _bundle(language: str, resource: Resource, count: Callable[..., str]) -> FluentBundle:
    functions: dict[str, Any] = {"COUNT": count}
    bundle = FluentBundle([language], functions=functions, use_isolating=False)
    bundle.add_resource(resource)
    return bundle


def _format(bundle: FluentBundle, message: str, arguments: dict[str, str | int]) -> str:
    name, _, attribute = message.partition(".")
    found = bundle.get_message(name)
    pattern = found.attributes[attribute] if attribute else found.value
    if pattern is None:
        raise LookupError(f"the phrase {message!r} has forms but no words of its own")
    text, errors = bundle.format_pattern(pattern, arguments)
    if errors:
        raise LookupError(f"the phrase {message!r} cannot be made: {errors[0]}")
    return " ".join(str(text).split())


def _shown(value: Argument) -> str | int:
    return value.shown if isinstance(value, Wording) else value


def _spoken(value: Argument) -> str | int:
    return value.spoken if isinstance(value, Wording) else value


def _count_shown(number: Any, **_: Any) -> str:
    return str(int(number))


def _count_spoken(number: Any, one: Any = None, two: Any = None) -> str:
    """Write a number whose last word has a gender: synthesisers say "21" but not "21 (feminine)".

    *one* and *two* are that last word for numbers ending in 1 and 2; "20 одна" is spoken rightly.
    """
    value = int(number)
    tens, last = divmod(value, 10)
    word = {1: one, 2: two}.get(last)
    if word is None or tens % 10 == 1:
        return str(value)
    return f"{tens * 10} {word}" if tens else str(word)
