"""The description of the page's requests in the words of OpenAPI, made from their forms."""

from functools import cache
from importlib import metadata
from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from companion.console.asking import Asking, Pairing
from companion.console.library import EXPORTS
from companion.console.painting import View
from companion.console.setting import SetUpAsking
from companion.phrases import LANGUAGES

_JSON: Final = "application/json"
_REFUSED: Final = {
    400: "not a request",
    403: "this device lacks the right, or the request comes from another site",
    404: "there is no such thing",
    408: "the request did not end in time",
    409: "the command cannot be obeyed as the game stands",
    413: "the request is too large",
    415: "the body is no JSON",
    421: "this page is not called so",
    422: "the form is not filled in as it must be",
    429: "too many requests",
    503: "too many look on",
}
_FORMS: Final[tuple[type[BaseModel], ...]] = (Asking, Pairing, SetUpAsking)


@cache
def description() -> dict[str, Any]:
    """Return the OpenAPI document."""
    _, schemas = models_json_schema(
        [(form, "validation") for form in _FORMS], ref_template="#/components/schemas/{model}"
    )
    game = _parameter("game", "path", {"type": "string"})
    picture = _parameter("picture", "path", {"type": "string"})
    form = _parameter("form", "path", {"type": "string", "enum": list(EXPORTS)})
    language = _parameter("language", "query", {"type": "string", "enum": list(LANGUAGES)})
    view = _parameter("view", "query", {"type": "string", "enum": list(View)})
    seen = {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Pachisi Companion, the console page",
            "version": metadata.version("pachisi-companion"),
            "description": "State and commands also go over a web socket, /api/live.",
        },
        "paths": {
            "/api/visitor": {"get": _asked("what this device may do", 403)},
            "/api/pair": {"post": _told("let this device in", Pairing, 403)},
            "/api/commands": {"post": _told("command the referee", Asking, 403, 409)},
            "/api/set-up": {"post": _told("set the table up", SetUpAsking, 403, 409)},
            "/api/state": {"get": _asked("what there is to see", 403)},
            "/api/picture": {
                "get": _asked("the newest picture", 403, 404, 422, give=seen, at=[view])
            },
            "/api/games": {"get": _asked("all logged games", 403)},
            "/api/games/{game}": {"get": _asked("a game step by step", 403, 404, at=[game])},
            "/api/games/{game}/pictures/{picture}": {
                "get": _asked("a picture of a game", 403, 404, give=seen, at=[game, picture])
            },
            "/api/games/{game}/export/{form}": {
                "get": _asked(
                    "a game in another form",
                    403,
                    404,
                    give={
                        media_type: {"schema": {"type": "string"}}
                        for media_type, _ in EXPORTS.values()
                    },
                    at=[game, form, language],
                )
            },
            "/api/statistics": {"get": _asked("the sums of every player", 403)},
        },
        "components": {
            "schemas": {
                **schemas.get("$defs", {}),
                "Refusal": {
                    "type": "object",
                    "properties": {"refused": {"type": "string"}},
                    "required": ["refused"],
                },
            }
        },
    }


def _asked(
    what: str,
    *statuses: int,
    give: dict[str, Any] | None = None,
    at: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """Describe a request that only looks."""
    content = give or {_JSON: {"schema": {}}}
    answers: dict[str, Any] = {"200": {"description": what, "content": content}}
    refusal = {_JSON: {"schema": {"$ref": "#/components/schemas/Refusal"}}}
    for status in (421, 429, *statuses):
        answers[str(status)] = {"description": _REFUSED[status], "content": refusal}
    return {"summary": what, "parameters": at or [], "responses": answers}


def _told(what: str, form: type[BaseModel], *statuses: int) -> dict[str, Any]:
    """Describe a request that brings a form."""
    schema = {"$ref": f"#/components/schemas/{form.__name__}"}
    body = {"required": True, "content": {_JSON: {"schema": schema}}}
    return {**_asked(what, 408, 413, 415, 422, *statuses), "requestBody": body}


def _parameter(name: str, place: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": place, "required": place == "path", "schema": schema}
