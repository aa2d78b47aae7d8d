"""The description of the page's requests, and a fuzzer that holds the page to it."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings

from companion.console.describing import description
from tests.console.desks import Table, table

SCHEMA = schemathesis.openapi.from_dict(description())


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """Give a page with a game behind it."""
    with table(tmp_path_factory.mktemp("games")) as given:
        yield given


def test_every_request_is_described(at: Table) -> None:
    """The description names all addresses that answer, but for the files and the endless ones."""
    routes: Any = at.client.app
    paths = {route.path for route in routes.routes if route.path.startswith("/api/")}
    assert set(description()["paths"]) == paths - {
        "/api/description",
        "/api/live",
        "/api/pictures",
    }
    assert at.client.get("/api/description").json() == description()


@SCHEMA.parametrize()
@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
def test_no_request_breaks_the_page(case: Any, at: Table) -> None:
    """Whatever is sent, the answer is one that is described, and no fault of the server."""
    answer = at.client.request(
        case.method,
        case.formatted_path,
        params=case.query or {},
        json=case.body if isinstance(case.body, dict | list | str | int | float) else None,
    )
    assert answer.status_code < 500 or answer.status_code == 503
    known = case.operation.definition.raw["responses"]
    assert str(answer.status_code) in known or answer.status_code in (404, 405)
