"""Whole games over real sockets: seats, dropped connections, the way back."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import pytest

from sandtable.server.limits import Limits
from tests.server.table import Served, chosen, play, serving


@pytest.mark.parametrize(("ruleset", "scenario"), [("tr14", "patrol"), ("hof", "patrol"), ("sof", "encounter")])
def test_a_whole_game_against_a_bot(served: Served, ruleset: str, scenario: str) -> None:
    made = served.new(ruleset, scenario, seats={"red": "me", "blue": "bot:random"})
    red = served.sit(made["id"], made["keys"]["red"])
    assert red.static["you"] == ["red"]
    assert red.static["seats"] == {"red": "person", "blue": "bot:random"}
    assert red.state["scene"]["features"]
    play([red], Random(1))
    assert red.state["result"] is not None
    assert red.state["asked"] is None
    # When all is over the secret is told, and it fits what was committed to.
    card = served.get(made["id"]).json()
    assert card["state"] == "finished"
    assert card["dice"]["commitment"] == made["dice"]["commitment"]
    assert card["dice"]["secret"] == red.state["secret"]


def test_two_seats_with_a_dropped_connection_and_a_doubled_answer(served: Served) -> None:
    # In this game nothing is answered by itself after a while: what is compared stands still.
    made = served.new("tr14", "patrol")
    red = served.sit(made["id"], made["keys"]["red"])
    blue = served.sit(made["id"], made["keys"]["blue"])
    play([red, blue], Random(2), 40)
    asked, other = (red, blue) if red.question else (blue, red)
    question, number = asked.question, asked.state["number"]
    assert question is not None
    # Given an answer that was sent while the connection broke,
    wanted = question["candidates"][0]
    asked.send(t="answer", id="lost", number=number, answer=wanted)
    other.reach(number + 1)
    asked.drop()
    # when the page comes back and sends it again, then it is taken as given, once,
    known = len(asked.log)
    asked.connect()
    reply = asked.do(t="answer", number=number, answer=wanted)
    assert reply["t"] == "reply"
    assert reply["number"] == other.state["number"]
    # the log goes on where it was,
    assert len(asked.log) >= known
    whole = served.sit(made["id"], asked.key)
    assert whole.log == asked.log
    # and another answer to the same question comes too late.
    late = asked.do(t="answer", number=number, answer="something else")
    assert late["t"] == "refused"
    assert late["refusal"]["kind"] == "unasked"
    for person in (red, blue, whole):
        person.leave()


def test_only_the_asked_seat_sees_the_question(served: Served) -> None:
    made = served.new("tr14", "patrol")
    red, blue = (served.sit(made["id"], made["keys"][seat]) for seat in ("red", "blue"))
    watcher = served.sit(made["id"])
    asked, other = (red, blue) if red.question else (blue, red)
    assert asked.question is not None
    assert set(other.state["asked"]) == {"seat"}
    assert set(watcher.state["asked"]) == {"seat"}
    assert watcher.static["you"] == []
    refused = other.do(t="answer", number=other.state["number"], answer=asked.question["candidates"][0])
    assert refused["refusal"]["kind"] == "unasked"
    refused = watcher.do(t="answer", number=0, answer=1)
    assert refused["t"] == "refused"
    assert other.state["present"] == {"red": True, "blue": True}


def test_a_check_changes_nothing(served: Served) -> None:
    made = served.new("tr14", "patrol", seats={"red": "me", "blue": "me"})
    one = served.sit(made["id"], made["keys"]["red"])
    assert one.state["asked"]["seat"] == "red"
    question = one.question
    assert question is not None
    legal = one.do(t="check", number=0, answer=question["candidates"][0])
    assert legal == {"t": "reply", "id": legal["id"], "legal": True}
    wrong = one.do(t="check", number=0, answer={"nobody": {"to": [1, 1]}})
    assert wrong["refusal"]["kind"] in ("unknown", "malformed")
    assert one.do(t="check", number=7, answer=1)["refusal"]["field"] == "number"
    assert served.get(made["id"]).json()["turn"] == 1


def test_hot_seat_one_key_holds_both(served: Served) -> None:
    made = served.new("tr14", "patrol", seats={"red": "me", "blue": "me"})
    assert made["keys"]["red"] == made["keys"]["blue"]
    both = served.sit(made["id"], made["keys"]["red"])
    assert both.static["you"] == ["red", "blue"]
    for _ in range(12):
        seat = both.state["asked"]["seat"]
        if both.question is None:
            assert both.do(t="sit", seat=seat)["t"] == "reply"
            both.log = []
            both.until(lambda: both.question is not None)
        question = both.question
        assert question is not None
        assert both.answer(question["candidates"][0])["t"] == "reply"
    assert both.do(t="sit", seat="green")["refusal"]["field"] == "seat"


def test_undo_and_redo(served: Served) -> None:
    made = served.new("tr14", "patrol", seats={"red": "me", "blue": "link"})
    red = served.sit(made["id"], made["keys"]["red"])
    blue = served.sit(made["id"], made["keys"]["blue"])
    assert red.question is not None
    assert red.state["may_undo"] == "There is nothing to take back."
    red.answer(red.question["candidates"][0])
    log = list(red.log)
    assert red.state["may_undo"] is True
    assert blue.do(t="undo")["t"] == "refused"
    assert red.do(t="undo")["t"] == "reply"
    red.reach(0, rewinds=1)
    blue.reach(0, rewinds=1)
    assert red.state["number"] == blue.state["number"] == 0
    assert len(red.log) < len(log) or not log
    assert red.state["may_redo"] is True
    assert blue.state["may_redo"] != True  # noqa: E712
    assert any("takes back" in note["words"] for note in blue.state["notes"])
    assert red.do(t="redo")["t"] == "reply"
    red.reach(1)
    assert red.log == log
    # Whoever was away meanwhile and knows the old log is told from where on to forget.
    away = served.sit(made["id"], made["keys"]["red"], events=99, rewinds=0)
    assert away.state["from"] <= len(log)


def test_takeback_needs_the_others_consent(served: Served) -> None:
    made = served.new("tr14", "patrol")
    red, blue = (served.sit(made["id"], made["keys"][seat]) for seat in ("red", "blue"))
    play([red, blue], Random(3), 30)
    number = red.state["number"]
    assert red.do(t="takeback", to=number + 5)["t"] == "refused"
    assert red.do(t="takeback", to=4)["t"] == "reply"
    blue.until(lambda: blue.state["takeback"] is not None)
    assert blue.state["takeback"] == {"seat": "red", "to": 4}
    assert blue.do(t="takeback", agree=False)["t"] == "reply"
    red.until(lambda: red.state["takeback"] is None)
    assert red.state["number"] == number
    assert red.do(t="takeback", to=4)["t"] == "reply"
    assert red.do(t="takeback", agree=True)["t"] == "refused"
    assert blue.do(t="takeback", agree=True)["t"] == "reply"
    for person in (red, blue):
        person.until(lambda person=person: person.state["rewinds"] >= 1)  # type: ignore[misc]
        assert person.state["number"] == 4
    play([red, blue], Random(4), 30)
    fresh = served.sit(made["id"], made["keys"]["red"])
    assert fresh.log == red.log


def test_a_bot_agrees_to_go_back(served: Served) -> None:
    made = served.new("tr14", "patrol", seats={"red": "me", "blue": "bot:random"})
    red = served.sit(made["id"], made["keys"]["red"])
    play([red], Random(5), 20)
    assert served.post(f"{made['id']}/takeback", made["keys"]["red"], seat="red", to=2).status_code == 200
    red.until(lambda: red.state["rewinds"] >= 1)
    play([red], Random(6))
    assert red.state["result"] is not None


def test_who_comes_back_after_a_restart_forgets_what_was_taken_back_meanwhile(served: Served) -> None:
    made = served.new()
    red, blue = (served.sit(made["id"], made["keys"][seat], seat) for seat in ("red", "blue"))
    away = served.sit(made["id"])
    play([red, blue], Random(5), 25)
    away.reach(25)
    away.drop()
    # Given a game that went back and on in another way while somebody was away,
    assert red.do(t="takeback", to=2)["t"] == "reply"
    assert blue.do(t="takeback", agree=True)["t"] == "reply"
    for person in (red, blue):
        person.reach(2, rewinds=1)
    play([red, blue], Random(6), 40)
    assert red.log[: len(away.log)] != away.log
    # when it was read from disk again since, and he comes back,
    for person in (red, blue):
        person.leave()
    served.hall.rooms.pop(made["id"])
    away.connect()
    # then he knows what a newcomer does.
    assert away.log == served.sit(made["id"]).log


def test_resigning_ends_the_game(served: Served) -> None:
    made = served.new("hof", "patrol", seats={"red": "me", "blue": "bot:greedy"})
    red = served.sit(made["id"], made["keys"]["red"])
    assert served.post(f"{made['id']}/resign", made["keys"]["red"], seat="red").status_code == 200
    red.until(lambda: red.state["result"] is not None)
    assert red.state["result"]["winner"] == "blue"
    assert red.state["asked"] is None
    assert red.do(t="undo")["t"] == "refused"
    assert served.get(made["id"]).json()["state"] == "finished"


def test_a_person_hands_over_to_a_bot_and_comes_back(served: Served) -> None:
    made = served.new("tr14", "patrol")
    keys = made["keys"]
    assert served.post(f"{made['id']}/seats", None, seat="blue", holder="bot:random").status_code == 403
    assert served.post(f"{made['id']}/seats", keys["red"], seat="blue", holder="bot:random").status_code == 409
    assert served.post(f"{made['id']}/seats", keys["blue"], seat="blue", holder="bot:random").status_code == 200
    # What another left to a bot is not for me to look into.
    assert served.post(f"{made['id']}/seats", keys["red"], seat="blue", holder="me").status_code == 409
    red = served.sit(made["id"], keys["red"])
    play([red], Random(7), 10)
    assert served.post(f"{made['id']}/seats", keys["blue"], seat="blue", holder="me").json() == {"seats": ["blue"]}
    # A bot's seat of a lone player is his to take.
    alone = served.new("tr14", "patrol", seats={"red": "me", "blue": "bot:random"})
    taken = served.post(f"{alone['id']}/seats", alone["keys"]["red"], seat="blue", holder="me")
    assert taken.json() == {"seats": ["red", "blue"]}


def test_whoever_leaves_his_seat_to_a_bot_looks_on_and_takes_it_back(served: Served) -> None:
    made = served.new("tr14", "patrol")
    game, key = made["id"], made["keys"]["red"]
    red, blue = served.sit(game, key), served.sit(game, made["keys"]["blue"])
    assert served.post(f"{game}/seats", key, seat="red", holder="bot:random").json() == {"seats": []}
    red.until(lambda: red.state["seats"]["red"] == "bot:random")
    red.leave()
    # The bot plays on until blue must choose.
    blue.until(lambda: blue.question is not None)
    # He comes back: his key opens the page, through his own seat and no other,
    back = served.sit(game, key)
    assert (back.static["you"], back.static["seat"]) == (["red"], "red")
    assert served.get(f"{game}/beats", key).status_code == 200
    assert served.get(f"{game}/moments/0", key, seat="red").status_code == 200
    assert served.get(f"{game}/moments/0", key, seat="blue").status_code == 403
    # he is not asked and does nothing there while the bot plays,
    assert back.question is None
    for request in ({"t": "undo"}, {"t": "resign"}, {"t": "answer", "number": back.state["number"], "answer": "x"}):
        assert "A bot plays this seat" in back.do(**request)["refusal"]["message"]
    assert back.state["may_undo"] == "A bot plays this seat for you. Play it yourself first."
    assert served.post(f"{game}/resign", key, seat="red").status_code == 409
    # another key opens nothing,
    assert served.get(f"{game}/beats", "x" * 43).status_code == 403
    # and he plays on when he likes.
    assert served.post(f"{game}/seats", key, seat="red", holder="me").json() == {"seats": ["red"]}
    back.until(lambda: back.state["seats"]["red"] == "person")
    given = back.state["number"]
    assert play([back, blue], Random(7), 12) == 12
    assert {entry.seat for entry in served.hall.rooms[game].game.record[given:]} == {"red", "blue"}


def test_a_seat_newly_taken_from_a_bot_is_told_to_the_page(served: Served) -> None:
    made = served.new("tr14", "patrol", seats={"red": "me", "blue": "bot:random"})
    red = served.sit(made["id"], made["keys"]["red"])
    assert served.post(f"{made['id']}/seats", made["keys"]["red"], seat="blue", holder="me").status_code == 200
    assert red.closed_with() == 1012
    assert served.sit(made["id"], made["keys"]["red"]).static["you"] == ["red", "blue"]


def test_typed_dice_of_a_bot_are_thrown_by_a_person(served: Served) -> None:
    made = served.new("tr14", "patrol", seats={"red": "me", "blue": "bot:random"}, dice="typed")
    assert made["dice"] == {"source": "typed"}
    red = served.sit(made["id"], made["keys"]["red"])
    seen = set()
    for _ in range(200):
        red.until(lambda: red.question is not None or red.state["result"] is not None)
        question = red.question
        if question is None or ("dice", "blue") in seen:
            break
        seen.add((question["topic"], question["seat"]))
        number = question.get("number", 0)
        red.answer([3] * number if question["form"] == "dice" else question["candidates"][0])
    assert ("dice", "blue") in seen
    nobody = {
        "ruleset": "tr14",
        "scenario": "patrol",
        "dice": "typed",
        "seats": {"red": "bot:random", "blue": "bot:random"},
    }
    assert served.http.post("/api/games", json=nobody).status_code == 409


def test_habits_and_standing_answers(served: Served) -> None:
    made = served.new("hof", "patrol")
    red, blue = (served.sit(made["id"], made["keys"][seat]) for seat in ("red", "blue"))
    usual = {habit["id"] for habit in red.static["habits"] if habit["usual"]}
    assert {each["habit"] for each in red.state["standing"]} == usual
    dropped = sorted(usual)[0]
    assert red.do(t="standing", habit=dropped)["t"] == "reply"
    red.until(lambda: dropped not in {each.get("habit") for each in red.state["standing"]})
    # What I leave standing, the other does not hear of.
    assert red.do(t="standing", topic="react", answer="pass", last_turn=3)["t"] == "reply"
    red.until(lambda: any("through turn 3" in each["words"] for each in red.state["standing"]))
    assert any("through turn 3" in note["words"] for note in red.state["notes"])
    blue.hear()
    assert not any(note["words"].startswith("red") for note in blue.state["notes"])
    index = next(each["index"] for each in red.state["standing"] if "through" in each["words"])
    assert blue.do(t="standing", drop=index)["t"] == "refused"
    assert red.do(t="standing", drop=index)["t"] == "reply"
    assert red.do(t="standing")["refusal"]["kind"] == "malformed"
    assert red.do(t="standing", habit="no-such")["refusal"]["kind"] == "unknown"


def test_what_has_one_answer_is_given_and_told(served: Served) -> None:
    # Given a battle against a bot, with everything deployed as proposed,
    made = served.new("hof", "city-block", seats={"red": "me", "blue": "bot:random"})
    red = served.sit(made["id"], made["keys"]["red"])
    red.until(lambda: red.question is not None and red.question["step"] == "deploy")
    assert red.do(t="as-proposed")["t"] == "reply"
    assert red.question is not None
    assert red.question["step"] == "deploy"
    assert red.do(t="deploy-rest")["t"] == "reply"
    red.until(lambda: red.question is not None and red.question["topic"] == "activate")
    assert red.do(t="deploy-rest")["refusal"]["kind"] == "unasked"
    # when a Unit is activated, then its point is paid by a habit, which is a line that can be changed,
    number = red.state["number"]
    assert red.answer("red-rifles-pl")["t"] == "reply"
    red.until(lambda: red.question is not None and red.question["step"] in ("what", "where"))
    line = red.state["settled"][0]
    assert (line["title"], line["said"], line["habit"]) == ("Pay", "An Order Point", "orders-first")
    assert (line["number"], line["by"], line["changes"]) == (number + 1, "standing", True)
    # and to change it puts the question, whatever the habit.
    assert red.do(t="change", number=line["number"])["t"] == "reply"
    red.until(lambda: red.question is not None and red.question["topic"] == "pay")
    assert red.answer("hero")["t"] == "reply"
    red.until(lambda: red.question is not None and red.question["topic"] != "pay")
    assert not any(each["number"] == line["number"] for each in red.state["settled"])
    # To take back the order takes back what followed from it.
    assert red.do(t="undo")["t"] == "reply"
    red.until(lambda: red.question is not None and red.question["topic"] == "pay")
    assert red.do(t="undo")["t"] == "reply"
    red.until(lambda: red.question is not None and red.question["topic"] == "activate")
    assert red.state["number"] == number
    assert red.do(t="change", number=number)["t"] == "refused"
    assert red.do(t="change")["refusal"]["field"] == "number"


def test_a_plan_is_several_answers_and_ends_where_something_else_is_asked(served: Served) -> None:
    made = served.new("hof", "city-block", seats={"red": "me", "blue": "bot:random"})
    red = served.sit(made["id"], made["keys"]["red"])
    red.until(lambda: red.question is not None)
    assert red.do(t="deploy-rest")["t"] == "reply"
    red.until(lambda: red.question is not None and red.question["topic"] == "activate")
    number = red.state["number"]
    plan = [{"topic": "activate", "answer": "red-tanks-t-34-85-obr-1943-1"}, {"topic": "dance", "answer": 1}]
    wrong = red.do(t="answers", number=number, answers=plan[1:])
    assert "Something else is asked" in wrong["refusal"]["message"]
    reply = red.do(t="answers", number=number, answers=plan)
    assert (reply["t"], reply["given"]) == ("reply", 1)
    assert reply["stopped"].startswith("Something else is asked: ")
    red.reach(reply["number"])
    # Sent again, it is taken as given.
    again = red.do(t="answers", number=number, answers=plan)
    assert (again["t"], again["number"]) == ("reply", reply["number"])
    assert red.do(t="answers", number=number, answers=[])["refusal"]["field"] == "answers"
    assert red.do(t="answers", answers=plan)["refusal"]["field"] == "number"


def test_haste_tells_another_person_nothing(tmp_path: Path) -> None:
    """Whoever has no points left ends his turn by itself: at a table of two people after a while."""
    with serving(tmp_path / "games.sqlite", Limits(held=(0.5, 0.6))) as served:
        made = served.new("hof", "patrol")
        red, blue = (served.sit(made["id"], made["keys"][seat]) for seat in ("red", "blue"))
        held, random = 0, Random(4)
        while held < 2:
            furthest = max(red.state["number"], blue.state["number"])
            red.reach(furthest)
            blue.reach(furthest)
            assert red.state["result"] is None
            for person, other in ((red, blue), (blue, red)):
                if (person.state["asked"] or {}).get("held"):
                    held += 1
                    # Nobody else can tell it from a question that somebody thinks about.
                    assert set(other.state["asked"]) == {"seat"}
                    assert person.do(t="answer", number=furthest, answer="pass")["t"] == "refused"
                    person.reach(furthest + 1)
                    break
                if person.question is not None:
                    assert person.answer(chosen(person.question, random))["t"] == "reply"
                    break


def test_looks_have_an_answer(served: Served) -> None:
    made = served.new("tr14", "patrol", seats={"red": "me", "blue": "me"})
    one = served.sit(made["id"], made["keys"]["red"])
    play([one], Random(1), 1)
    piece = one.state["scene"]["pieces"][0]["id"]
    assert one.do(t="look", piece=piece)["t"] == "reply"
    assert one.do(t="line", piece=piece, to=[5, 5])["t"] == "reply"
    assert one.do(t="gauge", piece=piece, step={"to": [5, 5]})["t"] == "reply"
    assert one.do(t="look", piece="nobody")["t"] in ("reply", "refused")
    assert one.do(t="line", piece=piece, to="far")["t"] == "refused"
    assert one.do(t="dance")["refusal"]["field"] == "t"
    one.send(t=5)
    one.until(lambda: None in one.replies)
    assert one.replies[None]["t"] == "refused"


@pytest.mark.parametrize(("ruleset", "scenario"), [("tr14", "patrol"), ("hof", "patrol"), ("sof", "clash")])
def test_a_unit_is_dropped_and_an_attack_is_tried_out(served: Served, ruleset: str, scenario: str) -> None:
    random, planned, tried = Random(9), 0, 0
    # A battle by chance may end before anybody fires: then another is played.
    for _ in range(4):
        if planned and tried:
            break
        made = served.new(ruleset, scenario)
        red, blue = (served.sit(made["id"], made["keys"][seat]) for seat in ("red", "blue"))
        for _ in range(120):
            play([red, blue], random, 1)
            asked = next((person for person in (red, blue) if person.question), None)
            if asked is None or (planned and tried):
                break
            question = asked.question
            assert question is not None
            number = asked.state["number"]
            if question["form"] == "move" and question["pieces"] and not planned:
                pieces = [piece["id"] for piece in question["pieces"]]
                at = question["pieces"][0]["at"] or [12.0, 6.0]
                found = asked.do(t="plan", number=number, pieces=pieces, to=[at[0] + 1, at[1] + 1])
                assert found["t"] == "reply", found
                assert {piece["id"] for piece in found["pieces"]} == set(pieces)
                if "refusal" not in found:
                    assert asked.do(t="check", number=number, answer=found["answer"])["t"] == "reply"
                    planned += 1
            elif question["form"] != "move":
                found = asked.do(t="preview", number=number, answer=question["candidates"][-1])
                assert found["t"] == "reply", found
                if found["preview"] is not None:
                    assert sum(chance["share"] for chance in found["preview"]["chances"]) == pytest.approx(1.0)
                    tried += 1
    assert planned
    assert tried
    assert red.do(t="plan", number=99999, pieces=[], to=[1, 1])["t"] == "refused"
    # What one does not see gives no outlook, and neither does what is not there: in the same words.
    own = {team["id"] for card in red.state["roster"] for team in card["teams"]}
    seen = {piece["id"] for piece in blue.state["scene"]["pieces"]}
    for name in [*sorted(own - seen)[:2], "nobody"]:
        assert blue.do(t="look", piece=name)["refusal"]["message"] == "There is no such piece on the table."


def test_a_bot_is_seated_for_one_who_stays_away(tmp_path: Path) -> None:
    with serving(tmp_path / "games.sqlite", Limits(absent_seconds=0.3)) as served:
        made = served.new("hof", "patrol", substitute="bot:random")
        keys, seats = made["keys"], f"{made['id']}/seats"
        blue = served.sit(made["id"], keys["blue"])
        time.sleep(0.5)
        assert served.post(seats, keys["red"], seat="blue", holder="bot:random").status_code == 409
        # He has just left, and may come back;
        blue.leave()
        assert served.post(seats, keys["red"], seat="blue", holder="bot:random").status_code == 409
        # after a while a bot plays on,
        time.sleep(0.5)
        assert served.post(seats, keys["red"], seat="blue", holder="bot:random").status_code == 200
        assert served.get(made["id"]).json()["seats"]["blue"] == "bot:random"
        # until he takes his seat back.
        assert served.post(seats, keys["red"], seat="blue", holder="me").status_code == 409
        assert served.post(seats, keys["blue"], seat="blue", holder="me").json() == {"seats": ["blue"]}
