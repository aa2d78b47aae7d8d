"""The words of tables, plots and reports, which are read and never said."""

from importlib.resources import files

from fluent.runtime import FluentBundle, FluentResource

from companion.phrases.catalogue import LANGUAGES


class Written:
    """The messages of one language; call it with a message's name and what stands in it.

    Raises:
        ValueError: there is no table for the language.
    """

    def __init__(self, language: str) -> None:
        if language not in LANGUAGES:
            raise ValueError(f"there are no words in {language!r}: choose {', '.join(LANGUAGES)}")
        self._bundle = FluentBundle([language], use_isolating=False)
        table = files(__package__) / f"written.{language}.ftl"
        self._bundle.add_resource(FluentResource(table.read_text(encoding="utf-8")))

    def __call__(self, message: str, **given: str | int | float) -> str:
        """Return *message* with what is *given*, whose names take an underscore for the hyphen.

        Raises:
            LookupError: the table lacks the message, or the message something.
        """
        found = self._bundle.get_message(message) if self._bundle.has_message(message) else None
        if found is None or found.value is None:
            raise LookupError(f"there are no words for {message!r}")
        arguments = {name.replace("_", "-"): value for name, value in given.items()}
        text, errors = self._bundle.format_pattern(found.value, arguments)
        if errors:
            raise LookupError(f"the words for {message!r} cannot be made: {errors[0]}")
        return str(text)
