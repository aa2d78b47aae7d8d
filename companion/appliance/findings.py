"""What a check of the program's surroundings finds."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found.

    Attributes:
        name: what was tried.
        good: whether it works.
        text: what was found, in plain words.
        cure: what to type or do where it does not work.
    """

    name: str
    good: bool
    text: str
    cure: str = ""
