"""The console page: the table as the referee sees it, for the phones and computers around it."""

from companion.console.serving import Console, ConsoleError, open_console
from companion.console.site import Place

__all__ = ["Console", "ConsoleError", "Place", "open_console"]
