"""The references that `sandtable rules topics` prints are true."""

import pytest

from sandtable import rulesets
from sandtable.engine import reference
from sandtable.engine.reference import narrowed
from sandtable.testing.reference import NEVER_ASKED, Gleaner, glean, missing

ANEW = "run: python -m sandtable.testing.reference write"


@pytest.mark.parametrize("name", rulesets.known())
def test_a_reference_knows_all_that_is_asked_and_all_that_happens(name: str) -> None:
    gleaner, outcomes = glean(name)
    assert len(gleaner.topics) > 20
    assert all(outcome.ok for outcome in outcomes)
    assert missing(name, gleaner) == [], ANEW


def test_a_reference_that_lacks_something_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = reference.load("tr14")
    poor = narrowed(whole, "")
    del poor.topics["activate"]
    del poor.events["shooting"]
    del poor.terrain["hedge"]
    poor.events["shoting"] = whole.events["shooting"]
    monkeypatch.setattr(reference, "load", lambda _: poor)
    told = missing("tr14", Gleaner("tr14"))
    assert told == ["terrain are others now", "topic activate", "event shooting", "shoting is not in the code"]


def test_a_reference_says_what_a_place_of_a_set_up_means_and_whether_it_is_needed() -> None:
    setup = reference.load("hof").setup
    assert setup["missions[].guns[]"] == "text, needed"
    assert setup["phase"].endswith(', else "objectives"')
    assert "It began with a Platoon Leader" in setup["units.NAME.led"]
    assert setup["options.snipers"].endswith("A hidden marksman who keeps a platoon's heads down.")


def test_a_reference_names_the_optional_rule_that_a_question_or_a_choice_needs() -> None:
    topics = reference.load("hof").topics
    assert topics["snipe"].switches == ["snipers"]
    assert topics["orders"].switches == []
    assert topics["activate"].choice_switches["massed-assault"] == ["national"]
    assert "end" not in topics["activate"].choice_switches
    assert "only with options = { form_on_me = true }" in narrowed(reference.load("hof"), "form-move").text()


def test_a_reference_shows_who_stands_where_in_a_set_up_to_begin_with() -> None:
    shown = narrowed(reference.load("hof"), "battery").text()
    # Of its own, and of the set-up that it begins with itself.
    assert 'units.battery.teams.b-fo = { profile = "observer", role = "fo", at = [28, 9] }' in shown
    assert 'units.rifles.teams.r-pl = { profile = "leader", role = "pl", at = [24, 10] }' in shown


def test_every_example_of_an_answer_has_the_form_of_its_question() -> None:
    shapes = {"choose": str, "choose-some": list, "assign": dict, "move": dict, "march": dict, "point": list}
    for name in rulesets.names():
        for topic, note in reference.load(name).topics.items():
            assert bool(note.answers) == (note.asks != NEVER_ASKED), topic
            assert all(isinstance(answer, shapes[note.form]) for answer in note.answers), topic
