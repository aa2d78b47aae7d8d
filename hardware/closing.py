"""What is used in a `with` and closed at its end."""

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class Closing(ABC):
    """Something that is closed where the `with` ends that it was opened in."""

    __slots__ = ()

    @abstractmethod
    def close(self) -> None:
        """Release what is held; harmless when repeated."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
