"""Where the page is served, and by which names it may be called."""

import ipaddress
import socket
from dataclasses import dataclass
from typing import Final

LOOPBACK: Final = "127.0.0.1"
EVERYWHERE: Final = "0.0.0.0"
_LOCAL_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class Place:
    """Where the page is served.

    Attributes:
        port: its port; 0 takes any that is free.
        lan: everybody in the local network may reach it, and needs a code.
        host_name: what this computer is called there.
    """

    port: int = 8000
    lan: bool = False
    host_name: str = ""

    @property
    def address(self) -> str:
        """What is listened on."""
        return EVERYWHERE if self.lan else LOOPBACK

    def url(self, port: int) -> str:
        """Return what people type to see the page, served on *port*."""
        name = f"{self.host_name or socket.gethostname()}.local" if self.lan else "localhost"
        return f"http://{name}:{port}"

    def is_called(self, host: str) -> bool:
        """Tell whether a request for *host*, as in its header, is meant for this page.

        A page elsewhere can make a browser ask us under a name of its own; under an address or
        our own names it cannot.
        """
        name = _name_of(host)
        if name in _LOCAL_NAMES:
            return True
        if not self.lan:
            return False
        own = (self.host_name or socket.gethostname()).lower()
        return name in (own, f"{own}.local") or _is_address(name)


def _name_of(host: str) -> str:
    """Return the name in a header's ``name:port`` or ``[address]:port``, in small letters."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.rpartition(":")[0].lower() if host.count(":") == 1 else host.lower()


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
