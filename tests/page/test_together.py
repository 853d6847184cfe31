"""Two people: over the network, with a server that is killed under them, and at one screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from sandtable.testing.traffic import free_port, started
from tests.page.player import Player


def whoever_is_asked(one: Player, other: Player) -> tuple[Player, Player]:
    """The one who is asked now, and the other; waits, for after an answer there is a moment when neither is."""
    for _ in range(3000):
        for asked, waiting in ((one, other), (other, one)):
            if asked.page.locator("[data-state=asked]").count():
                return asked, waiting
        one.page.wait_for_timeout(20)
    raise AssertionError("nobody was asked anything for a minute")


def together(one: Player, other: Player, answers: int) -> None:
    """Whoever is asked answers."""
    for _ in range(answers):
        whoever_is_asked(one, other)[0].answer()


def test_a_network_game_outlives_a_killed_server(arrive: Callable[..., Player], tmp_path: Path) -> None:
    port, database = free_port(), tmp_path / "games.sqlite"
    server = started(port, database, "--workers", "1")
    try:
        red, blue = (arrive(f"http://127.0.0.1:{port}") for _ in range(2))
        red.begin(ruleset="tr14", red="me", blue="link")
        link = red.page.locator("[data-link=blue]").input_value()
        blue.page.goto(link)
        red.page.get_by_role("link", name="To my seat").click()
        together(red, blue, 6)
        asked, other = whoever_is_asked(red, blue)
        # The browser itself complains of the lost connection; that is not the page's doing.
        red.forgiving = blue.forgiving = True
        server.kill()
        server.wait()
        expect(asked.page.get_by_text("The connection is lost.").first).to_be_visible()
        server = started(port, database, "--workers", "1")
        for each in (asked, other):
            expect(each.page.get_by_text("The connection is lost.")).to_have_count(0)
        red.forgiving = blue.forgiving = False
        together(red, blue, 6)
        # A link is a seat: blue's browser keeps it.
        blue.page.goto(f"{blue.address}/game/{blue.game}")
        expect(blue.page.get_by_text("Blue, yours")).to_be_visible()
    finally:
        server.kill()
        server.wait()


def test_a_watcher_sees_no_question(arrive: Callable[..., Player]) -> None:
    red, watcher = arrive(), arrive()
    red.begin(red="me", blue="bot:random")
    red.next()
    watcher.page.goto(f"{watcher.address}/game/{red.game}")
    expect(watcher.question).to_contain_text("must choose")
    expect(watcher.page.locator("[data-state=waiting]")).to_have_count(1)
    expect(watcher.page.get_by_role("button", name="Undo")).to_have_count(0)


def test_one_screen_is_covered_between_two_players(arrive: Callable[..., Player]) -> None:
    both = arrive()
    both.begin(red="me", blue="me")
    hands: list[str] = []
    looks = 0
    for _ in range(60):
        word = both.next()
        if word == "hand":
            # Who has answered sees what came of it, and hands over when he has.
            looks += 1
            expect(both.page.get_by_text(f"{hands[-1].removeprefix('Hand over to ')}, yours")).to_be_visible()
        if word == "ready":
            hands.append(both.page.get_by_role("heading").inner_text())
            # Nothing of the table is there while it is covered.
            assert both.page.locator("svg, [data-state], header").count() == 0
            both.page.locator("[data-ready]").click()
            expect(both.page.locator("[data-ready]")).to_have_count(0)
            seat = hands[-1].removeprefix("Hand over to ")
            expect(both.page.get_by_text(f"{seat}, yours")).to_be_visible()
            if len(hands) > 2:
                break
            continue
        both.answer()
    assert set(hands) == {"Hand over to Red", "Hand over to Blue"}
    assert looks


def test_one_who_plays_both_sides_is_not_bothered(arrive: Callable[..., Player]) -> None:
    both = arrive()
    both.begin(red="me", blue="me")
    assert both.next() == "ready"
    both.page.get_by_role("button", name="I play both sides").click()
    assert both.play(12) == 12
    expect(both.page.locator("[data-ready]")).to_have_count(0)
