"""The door of the page: foreign hosts and origins, too much and too many are turned away here."""

import asyncio
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.console.access import Buckets
from companion.console.site import Place

MOST_CONNECTIONS: Final = 256
"""Open at once; the log and the camera need files too, and a system gives a program 1024."""
REQUEST_S: Final = 15.0
"""A connection that has not brought a whole request by then is closed."""
STALLED_S: Final = 20.0
"""So is one that has not taken what was sent."""
MOST_BODY_BYTES: Final = 16 * 1024
REQUESTS_AT_ONCE: Final = 120
REQUESTS_A_SECOND: Final = 30

_SAFE: Final = frozenset({"GET", "HEAD"})
_KEEP_OUT: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


class Guard:
    """Lets only those requests through that a page of our own can have made."""

    def __init__(self, app: ASGIApp, place: Place) -> None:
        self._app: Final = app
        self._place: Final = place
        self._asked: Final = Buckets(REQUESTS_AT_ONCE, REQUESTS_A_SECOND)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        refused = None if scope["type"] == "lifespan" else self._refusal(scope)
        if refused is not None:
            await _refuse(refused, scope, receive, send)
        elif scope["type"] == "http":
            await self._app(scope, receive, _guarded(send))
        else:
            await self._app(scope, receive, send)

    def _refusal(self, scope: Scope) -> tuple[HTTPStatus, str] | None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._place.is_called(hosts[0]):
            return HTTPStatus.MISDIRECTED_REQUEST, "this page is not called so"
        changes = scope["type"] == "websocket" or scope["method"] not in _SAFE
        if changes and not _own_origin(headers, hosts[0]):
            return HTTPStatus.FORBIDDEN, "the request comes from another site"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MOST_BODY_BYTES:
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "the request is too large"
        client = scope.get("client")
        if client is not None and not self._asked.take(client[0]):
            return HTTPStatus.TOO_MANY_REQUESTS, "too many requests: wait a little"
        return None


class GuardedHttp(H11Protocol):
    """Speaks HTTP to so many at once and no more, and not for long to those who stall."""

    _watch: asyncio.TimerHandle | None = None
    _stall: asyncio.TimerHandle | None = None
    _cycle_then: Any = None

    def connection_made(self, transport: Any) -> None:
        """Take a connection, if there is room."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
        else:
            self._watch = self.loop.call_later(REQUEST_S, self._close_if_idle)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection."""
        for timer in (self._watch, self._stall):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Wait for one who does not take what is sent, but not for ever."""
        super().pause_writing()
        self._stall = self.loop.call_later(STALLED_S, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on with one who takes what is sent."""
        if self._stall is not None:
            self._stall.cancel()
        super().resume_writing()

    def _close_if_idle(self) -> None:
        """Close a connection on which nothing was asked for since the last time, and look again."""
        if self.transport.get_protocol() is not self:
            return  # it speaks the web socket's protocol by now
        idle = self.cycle is None or self.cycle.response_complete
        if idle and self.cycle is self._cycle_then:
            self.transport.abort()
            return
        self._cycle_then = self.cycle
        self._watch = self.loop.call_later(REQUEST_S, self._close_if_idle)


def _own_origin(headers: Headers, host: str) -> bool:
    """Tell whether a request was made by our own page, or by no page at all."""
    if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or (
        urlsplit(origin).scheme in ("http", "https")
        and urlsplit(origin).netloc.lower() == host.lower()
    )


async def _refuse(
    refused: tuple[HTTPStatus, str], scope: Scope, receive: Receive, send: Send
) -> None:
    status, why = refused
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": why})
        return
    await JSONResponse({"refused": why}, status)(scope, receive, _guarded(send))


def _guarded(send: Send) -> Callable[[Message], Awaitable[None]]:
    """Return *send*, with the headers that keep foreign pages and scripts out."""

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _KEEP_OUT.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return guarded
