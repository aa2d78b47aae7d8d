"""The console page: the table as the referee sees it, for the phones and computers around it."""

from companion.console.serving import Console, ConsoleError, open_console
from companion.console.set_up import SetUp
from companion.console.site import Place

__all__ = ["Console", "ConsoleError", "Place", "SetUp", "open_console"]
