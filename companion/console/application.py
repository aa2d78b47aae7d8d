"""The page's requests: what each address answers, and to whom."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any, Final, TypeAlias

from anyio import CapacityLimiter, create_task_group, fail_after, to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from companion.console.access import Access, Buckets, Clock, TooManyError
from companion.console.asking import ASKING, MESSAGE, PAIRING, Asking, FormError, Message, filled
from companion.console.assets import Asset, load_assets
from companion.console.describing import description
from companion.console.devices import TOKEN_S, Right
from companion.console.guard import MOST_BODY_BYTES, REQUEST_S, Guard
from companion.console.guide import Trial
from companion.console.latest import Latest, SeriesEndError
from companion.console.library import EXPORTS, Library
from companion.console.painting import View
from companion.console.pictures import MOST_VIEWERS, PictureFeed
from companion.console.set_up import SetUp
from companion.console.setting import SET_UP_ASKING, SetUpAsking, SetUpForm, Try
from companion.console.showing import Showing
from companion.console.site import Place
from companion.loop import Answered, Inbox
from referee.events import By

MOST_SOCKETS: Final = 48
"""Pages that are told of everything at once."""
ANSWER_S: Final = 10.0
"""A command is obeyed between two frames; a camera that is lost is asked again every 5 s."""
FITTED_S: Final = 90.0
"""So long it may take a small computer to fit a table profile."""
GOT_S: Final = 30.0
"""A page that has not taken the newest state by then is gone."""

_BOUNDARY: Final = "picture"

Refusal: TypeAlias = str | None


class Desk:
    """All that the page's requests need.

    Attributes:
        showing: what there is to see.
        access: who may what.
        library: the logged games.
        inbox: where commands go; None while no game is refereed.
        set_up: the set-up going on; None where there is none.
        trials: what can be tried while a table is set up, by name.
        feeds: the live pictures, by view.
        language: the page's own, unless its visitor wants another.
    """

    def __init__(
        self,
        showing: Showing,
        access: Access,
        library: Library,
        language: str,
        clock: Clock = time.monotonic,
    ) -> None:
        self.showing: Final = showing
        self.access: Final = access
        self.library: Final = library
        self.language: Final = language
        self.inbox: Inbox | None = None
        self.set_up: SetUp | None = None
        self.trials: Mapping[str, Trial] = {}
        self.feeds: Final = {view: PictureFeed(showing.sight, view) for view in View}
        self.sockets = 0
        self.commands: Final = Buckets(20, 4, clock)
        self.reading: Final = CapacityLimiter(2)
        self._trying: Final = CapacityLimiter(1)
        self._told = (-1, "")

    def told(self) -> tuple[int, str]:
        """Return the newest state's number and the message that tells of it.

        It is written once for all who hear it; called in the event loop.
        """
        number, state = self.showing.state.held
        if number != self._told[0]:
            message = {"number": number, "state": state}
            self._told = (number, json.dumps(message, ensure_ascii=False))
        return self._told

    def end(self) -> None:
        """Send all visitors home; called in the event loop."""
        self.showing.state.end()
        self.showing.sight.end()
        for feed in self.feeds.values():
            feed.end()

    async def obeyed(self, asking: Asking) -> Refusal:
        """Hand a command to the referee; return why it was refused, None where it was obeyed."""
        if self.inbox is None:
            return "no game is refereed now"
        command, after = asking.command.command(), asking.after
        inbox = self.inbox

        def ask(answered: Answered) -> None:
            inbox.put(command, By.CONSOLE, answered, after)

        return await _answer_to(ask, ANSWER_S)

    async def set_so(self, form: SetUpForm | Try) -> Refusal:
        """Hand a wish to the set-up; return why it was refused, None where it was fulfilled."""
        set_up = self.set_up
        if set_up is None:
            return "no table is being set up now"
        if isinstance(form, Try):
            # Not in the thread of the camera, whose picture goes on meanwhile.
            return await to_thread.run_sync(self.trials[form.what], limiter=self._trying)
        return await _answer_to(lambda answered: set_up.ask(form, answered), FITTED_S)


def application(desk: Desk, place: Place, port: int) -> Starlette:
    """Return the page as an ASGI application, served at *place* on *port*."""
    cookie = f"pachisi_{port}"
    assets = load_assets()

    def right_of(connection: HTTPConnection) -> Right:
        return desk.access.right(connection.cookies.get(cookie))

    def need(connection: HTTPConnection, right: Right) -> None:
        if right_of(connection) < right:
            raise HTTPException(HTTPStatus.FORBIDDEN, "pair this device first")

    def looking(answer: Callable[[Request], Awaitable[Response]]) -> Any:
        async def guarded(request: Request) -> Response:
            need(request, Right.LOOK)
            return await answer(request)

        return guarded

    async def visitor(request: Request) -> Response:
        right = right_of(request)
        return JSONResponse(
            {
                "look": right >= Right.LOOK,
                "change": right >= Right.CHANGE,
                "paired": desk.access.codes is not None,
                "language": desk.language,
            }
        )

    async def pair(request: Request) -> Response:
        pairing = await _form(request, PAIRING)
        address = request.client.host if request.client else ""
        try:
            found = desk.access.pair(pairing.code, address)
        except TooManyError as error:
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, str(error)) from error
        if found is None:
            raise HTTPException(HTTPStatus.FORBIDDEN, "this is not the code")
        token, right = found
        response = JSONResponse({"look": True, "change": right >= Right.CHANGE})
        response.set_cookie(
            cookie, token, max_age=TOKEN_S, httponly=True, samesite="strict", path="/"
        )
        return response

    async def command(request: Request) -> Response:
        need(request, Right.CHANGE)
        if not desk.commands.take(_name(request)):
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, "too many commands: wait a little")
        refused = await desk.obeyed(await _form(request, ASKING))
        if refused is not None:
            raise HTTPException(HTTPStatus.CONFLICT, refused)
        return JSONResponse({"obeyed": True})

    async def set_up(request: Request) -> Response:
        need(request, Right.CHANGE)
        if not desk.commands.take(_name(request)):
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, "too many commands: wait a little")
        asking: SetUpAsking = await _form(request, SET_UP_ASKING)
        refused = await desk.set_so(asking.ask)
        if refused is not None:
            raise HTTPException(HTTPStatus.CONFLICT, refused)
        return JSONResponse({"obeyed": True})

    async def live(socket: WebSocket) -> None:
        right = right_of(socket)
        if right < Right.LOOK or desk.sockets >= MOST_SOCKETS:
            await socket.close(1008 if right < Right.LOOK else 1013)
            return
        await socket.accept()
        desk.sockets += 1
        try:
            await _Talk(desk, socket, lambda: right_of(socket) >= Right.CHANGE).run()
        finally:
            desk.sockets -= 1

    routes = [
        Route("/", partial(_asset, assets, "index.html")),
        Route("/static/{name}", partial(_asset, assets, None)),
        Route("/api/description", _described),
        Route("/api/visitor", visitor),
        Route("/api/pair", pair, methods=["POST"]),
        Route("/api/commands", command, methods=["POST"]),
        Route("/api/set-up", set_up, methods=["POST"]),
        WebSocketRoute("/api/live", live),
        *_looking_routes(desk, looking),
    ]
    return Starlette(
        routes=routes,
        middleware=[Middleware(Guard, place=place)],
        exception_handlers={HTTPException: _refused},
    )


def _looking_routes(desk: Desk, looking: Callable[..., Any]) -> list[Route]:
    """Return the addresses of all that can only be looked at."""

    async def state(_: Request) -> Response:
        return JSONResponse(desk.showing.state.held[1])

    async def picture(request: Request) -> Response:
        data = desk.feeds[_view(request)].newest()
        if data is None:
            raise HTTPException(HTTPStatus.NOT_FOUND, "the camera has given no picture yet")
        return Response(data, media_type="image/jpeg")

    async def stream(request: Request) -> Response:
        feed = desk.feeds[_view(request)]
        if sum(each.viewers for each in desk.feeds.values()) >= MOST_VIEWERS:
            raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, "too many look on: try later")
        media_type = f"multipart/x-mixed-replace; boundary={_BOUNDARY}"
        return StreamingResponse(_parts(feed), media_type=media_type)

    async def games(_: Request) -> Response:
        return JSONResponse(await _read(desk, desk.library.games))

    async def statistics(_: Request) -> Response:
        return JSONResponse(await _read(desk, desk.library.statistics))

    async def game(request: Request) -> Response:
        found = await _read(desk, desk.library.game, request.path_params["game"])
        return JSONResponse(_there(found))

    async def kept_picture(request: Request) -> Response:
        names = request.path_params
        data = await _read(desk, desk.library.picture, names["game"], names["picture"])
        headers = {"Cache-Control": "private, max-age=86400"}
        return Response(_there(data), media_type="image/jpeg", headers=headers)

    async def export(request: Request) -> Response:
        name, form = request.path_params["game"], request.path_params["form"]
        language = request.query_params.get("language", desk.language)
        text = _there(await _read(desk, desk.library.export, name, form, language))
        media_type, end = EXPORTS[form]
        headers = {"Content-Disposition": f'attachment; filename="{name}.{end}"'}
        return Response(text, media_type=media_type, headers=headers)

    return [
        Route("/api/state", looking(state)),
        Route("/api/picture", looking(picture)),
        Route("/api/pictures", looking(stream)),
        Route("/api/statistics", looking(statistics)),
        Route("/api/games", looking(games)),
        Route("/api/games/{game}", looking(game)),
        Route("/api/games/{game}/pictures/{picture}", looking(kept_picture)),
        Route("/api/games/{game}/export/{form}", looking(export)),
    ]


async def _answer_to(ask: Callable[[Answered], None], within_s: float) -> Refusal:
    """Return the answer to what *ask* hands to the thread that owns the table."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Refusal] = loop.create_future()

    def settle(refusal: Refusal) -> None:
        if not answer.done():
            answer.set_result(refusal)

    def answered(refusal: Refusal) -> None:
        with suppress(RuntimeError):  # the page is closed
            loop.call_soon_threadsafe(settle, refusal)

    ask(answered)
    try:
        return await asyncio.wait_for(answer, within_s)
    except TimeoutError:
        return "the referee does not answer: is the camera there?"


class _Talk:
    """The talk with one page over its socket.

    The next state goes out only when the page says that it got the one before: a slow page skips
    what it had no time for, and nothing piles up for one that has stalled.
    """

    def __init__(self, desk: Desk, socket: WebSocket, may_change: Callable[[], bool]) -> None:
        self._desk: Final = desk
        self._socket: Final = socket
        self._may_change: Final = may_change
        self._got: Final = Latest(-1)
        self._tasks: Final = create_task_group()

    async def run(self) -> None:
        """Talk until the page goes, stalls, or is sent home."""
        async with self._tasks:
            self._tasks.start_soon(self._tell)
            await self._hear()
            self._tasks.cancel_scope.cancel()
        with suppress(RuntimeError, WebSocketDisconnect):  # it is closed already
            await self._socket.close(1001)

    async def _tell(self) -> None:
        number = -1
        with suppress(SeriesEndError, TimeoutError, WebSocketDisconnect):
            while True:
                await self._desk.showing.state.after(number)
                number, text = self._desk.told()
                with fail_after(GOT_S):
                    await self._socket.send_text(text)
                    got = 0
                    while self._got.held[1] < number:
                        got, _ = await self._got.after(got)
        self._tasks.cancel_scope.cancel()

    async def _hear(self) -> None:
        # It is gone, or it sent bytes, as no page of ours does.
        with suppress(WebSocketDisconnect, KeyError):
            while True:
                text = await self._socket.receive_text()
                if not self._desk.commands.take(f"{_name(self._socket)} talk {id(self)}"):
                    await asyncio.sleep(0.25)  # a page that shouts is listened to less
                try:
                    message: Message = filled(MESSAGE, text)
                except FormError as error:
                    await self._answer(None, str(error))
                    continue
                if message.got is not None:
                    self._got.put(max(message.got, self._got.held[1]))
                if message.ask is not None:
                    await self._ask(message)

    async def _ask(self, message: Message) -> None:
        if not self._may_change():
            await self._answer(message.ticket, "this device may only look")
        elif not self._desk.commands.take(_name(self._socket)):
            await self._answer(message.ticket, "too many commands: wait a little")
        else:
            self._tasks.start_soon(self._obey, message)

    async def _obey(self, message: Message) -> None:
        assert message.ask is not None
        await self._answer(message.ticket, await self._desk.obeyed(message.ask))

    async def _answer(self, ticket: int | None, refused: Refusal) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            await self._socket.send_text(json.dumps({"ticket": ticket, "refused": refused}))


async def _parts(feed: PictureFeed) -> AsyncIterator[bytes]:
    """Yield the pictures of *feed* as the parts of one endless answer."""
    pictures = feed.pictures()
    # A browser paints a part when the head of the next one comes, so that is sent at once: a table
    # at rest would else be shown as it was a second ago.
    head = f"--{_BOUNDARY}\r\nContent-Type: image/jpeg\r\n\r\n".encode()
    try:
        yield head
        async for data in pictures:
            yield data + b"\r\n" + head
    finally:
        await pictures.aclose()  # type: ignore[attr-defined]


async def _asset(assets: dict[str, Asset], fixed: str | None, request: Request) -> Response:
    name = fixed or request.path_params["name"]
    asset: Asset = _there(assets.get(name))
    headers = {"ETag": asset.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == asset.tag:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    if asset.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(asset.packed, headers=headers, media_type=asset.media_type)
    return Response(asset.data, headers=headers, media_type=asset.media_type)


async def _described(_: Request) -> Response:
    return JSONResponse(description())


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"refused": error.detail}, error.status_code, headers=error.headers)


async def _form(request: Request, form: Any) -> Any:
    """Return the form in a request's body.

    Raises:
        HTTPException: it is too long, no JSON, or not filled in as it must be.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise HTTPException(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "send application/json")
    try:
        async with asyncio.timeout(REQUEST_S):
            return filled(form, await _body(request))
    except FormError as error:
        raise HTTPException(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from error
    except TimeoutError:
        raise HTTPException(HTTPStatus.REQUEST_TIMEOUT, "the request did not end") from None


async def _body(request: Request) -> bytes:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BODY_BYTES:
            raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "the request is too large")
    return body


async def _read(desk: Desk, reader: Callable[..., Any], *names: str) -> Any:
    """Return what *reader* finds on the disk, without keeping others waiting."""
    return await to_thread.run_sync(reader, *names, limiter=desk.reading)


def _view(request: Request) -> View:
    try:
        return View(request.query_params.get("view", View.BOARD))
    except ValueError:
        raise HTTPException(HTTPStatus.UNPROCESSABLE_ENTITY, "view: board or camera") from None


def _name(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else ""


def _there(found: Any) -> Any:
    """Return what was found.

    Raises:
        HTTPException: nothing was.
    """
    if found is None:
        raise HTTPException(HTTPStatus.NOT_FOUND, "there is no such thing")
    return found
