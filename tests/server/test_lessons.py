"""First battles over real sockets: the guide speaks to his own seat alone, and finds his place again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sandtable import rulesets
from tests.server.table import Person, Served, serving

LESSONS = rulesets.names()


def begin(served: Served, ruleset: str) -> tuple[dict[str, Any], Person]:
    answer = served.http.post(f"/api/rulesets/{ruleset}/lessons/first-battle")
    assert answer.status_code == 201, answer.text
    made = answer.json()
    return made, served.sit(made["id"], made["keys"]["red"])


def go_on(person: Person) -> list[int]:
    """Answer as the guide says, or else as proposed; the numbers of the steps that he showed."""
    question, card = person.question, person.state["guide"]
    assert question is not None
    told = card["steps"][-1].get("answer") if card else None
    number = person.state["number"]
    reply = person.do(t="answer", number=number, answer=question["candidates"][0] if told is None else told)
    assert reply["t"] == "reply", reply
    person.until(lambda: person.state["number"] > number and (person.question or person.state["result"]))
    return [step["number"] for step in card["steps"] if step.get("number")] if card else []


@pytest.mark.parametrize("ruleset", LESSONS)
def test_a_first_battle_is_guided_from_its_first_question_to_its_end(served: Served, ruleset: str) -> None:
    made, red = begin(served, ruleset)
    lesson = rulesets.load(ruleset).lessons()["first-battle"]
    assert list(made["keys"]) == ["red"]
    assert made["dice"] == {"source": "seeded"}
    assert red.static["about"] == lesson.about
    assert red.static["seats"] == {"red": "person", "blue": "bot:steady"}
    met: list[int] = []
    while not red.state["result"]:
        met += go_on(red)
    assert met == list(range(1, 1 + sum(not step.aside for step in lesson.steps)))
    assert red.state["guide"]["ends"] == lesson.ends
    red.leave()


def test_the_guide_speaks_to_his_own_seat_alone(served: Served) -> None:
    made, red = begin(served, "hof")
    assert red.state["guide"]["of"] == 16
    watcher = served.sit(made["id"])
    assert watcher.state["guide"] is None
    # Whoever lets a bot play has nothing to learn meanwhile.
    assert served.post(f"{made['id']}/seats", red.key, seat="red", holder="bot:random").status_code == 200
    red.until(lambda: red.state["guide"] is None)
    for person in (red, watcher):
        person.leave()


def test_to_whoever_resigns_the_guide_says_farewell(served: Served) -> None:
    _, red = begin(served, "tr14")
    assert red.do(t="resign")["t"] == "reply"
    red.until(lambda: red.state["result"] is not None)
    assert list(red.state["guide"]) == ["of", "ends"]
    red.leave()


def test_other_battles_have_no_guide(served: Served) -> None:
    made = served.new("hof", "patrol", seats={"red": "me", "blue": "bot:random"})
    red = served.sit(made["id"], made["keys"]["red"])
    assert red.state["guide"] is None
    red.leave()


def test_what_is_taken_back_is_said_again(served: Served) -> None:
    _, red = begin(served, "hof")
    assert go_on(red) == [1, 2]
    assert [step["number"] for step in red.state["guide"]["steps"]] == [3]
    assert red.do(t="undo")["t"] == "reply"
    red.until(lambda: red.state["number"] == 0)
    assert [step["number"] for step in red.state["guide"]["steps"]] == [1, 2]
    red.leave()


def test_after_a_restart_the_guide_goes_on_where_he_was(tmp_path: Path) -> None:
    with serving(tmp_path / "games.sqlite") as served:
        made, red = begin(served, "tr14")
        for _ in range(4):
            go_on(red)
        said = red.state["guide"]
        assert said["steps"]
        red.leave()
    with serving(tmp_path / "games.sqlite") as served:
        again = served.sit(made["id"], made["keys"]["red"])
        assert again.state["guide"] == said
        again.leave()


def test_the_lobby_is_told_of_them(served: Served) -> None:
    cards = {card["name"]: card["lessons"] for card in served.http.get("/api/rulesets").json()}
    assert [(card["name"], card["minutes"], card["steps"]) for card in cards["hof"]] == [("first-battle", 10, 16)]
    assert cards["tr14"][0]["learns"]
    picture = served.http.get("/api/rulesets/hof/lessons/first-battle/picture.svg")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert served.http.get("/api/rulesets/hof/lessons/none/picture.svg").status_code == 404
    assert served.http.post("/api/rulesets/hof/lessons/none").status_code == 400
    assert served.http.post("/api/rulesets/none/lessons/first-battle").status_code == 400


def test_games_are_listed_with_the_names_of_those_who_play(served: Served) -> None:
    made = served.new()
    assert served.get(made["id"]).json()["names"] == {}
    assert served.post(f"{made['id']}/join", made["keys"]["red"], name="  Ada  of   Kent ").status_code == 200
    assert served.get(made["id"]).json()["names"] == {"red": "Ada of Kent"}
    assert {"red": "Ada of Kent"} in [card["names"] for card in served.http.get("/api/games").json()]
