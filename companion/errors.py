"""What goes wrong in the application, and the exit status each kind of trouble ends with."""

from enum import IntEnum


class ExitStatus(IntEnum):
    """How a command ended."""

    DONE = 0
    UNREADABLE = 1
    """An input could not be read, or what was to be checked is wrong."""
    WRONG_ARGUMENTS = 2
    NO_DEVICE = 3
    INTERRUPTED = 130


class CompanionError(Exception):
    """The root of the trouble the application itself reports.

    The text is for a person: what was given, where, and what to do.
    """

    status: ExitStatus = ExitStatus.UNREADABLE


class ArgumentError(CompanionError):
    """An argument or setting cannot be; found before anything was opened."""

    status = ExitStatus.WRONG_ARGUMENTS


class InputError(CompanionError):
    """An input that was named rightly cannot be read or used."""


class JournalError(CompanionError):
    """A log cannot be written, or read beyond a line."""
