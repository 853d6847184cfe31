"""Strange requests by chance, made from the OpenAPI document: no failure, and every answer as documented."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.server.conftest import GENEROUS
from tests.server.table import Served, serving

CHECKS = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)
EXAMPLES = 12

PLACES: dict[str, Any] = {}
"""A real game and its key, so that requests come further than "no such game"."""


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with serving(tmp_path_factory.mktemp("api") / "games.sqlite", GENEROUS) as served:
        made = served.new("tr14", "patrol", seats={"red": "me", "blue": "me"})
        PLACES.update(served=served, game=made["id"], key=made["keys"]["red"])
        yield schemathesis.openapi.from_url(f"http://127.0.0.1:{served.port}/api/openapi.json")


def strange_requests(operation: Any) -> None:
    """A handful of requests by chance to one operation."""

    @given(case=operation.as_strategy())
    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
    def ask(case: Any) -> None:
        if "game_id" in case.path_parameters:
            case.path_parameters["game_id"] = PLACES["game"]
        case.call_and_validate(headers={"Authorization": f"Bearer {PLACES['key']}"}, checks=CHECKS)

    ask()


def test_strange_requests(api: Any) -> None:
    operations = [result.ok() for result in api.get_all_operations()]
    assert len(operations) == 25
    for operation in operations:
        strange_requests(operation)


def test_the_document_lists_every_request(api: Any) -> None:
    served: Served = PLACES["served"]
    paths = served.http.get("/api/openapi.json").json()["paths"]
    listed = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    told = (Path(__file__).parents[2] / "docs" / "server.md").read_text()
    for wanted in listed:
        path = wanted.split("?")[0].replace("{game_id}", "{id}").replace("{rule_id}", "{id}")
        assert path.split(" ")[1].rsplit("/", 1)[-1] in told, wanted
    assert len(listed) == 25
