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


def renewed(player: Player, name: str) -> str:
    """Change a link in the window where it is shown; the new one."""
    window = player.page.get_by_role("dialog", name="Share")
    shown = window.get_by_label(name, exact=True)
    old = shown.input_value()
    window.get_by_role("button", name=f"New link: {name}").click()
    expect(window.get_by_text("stops working at once")).to_be_visible()
    # Who thinks better of it keeps the old one.
    window.get_by_role("button", name="Keep the old one").click()
    expect(window.get_by_text("stops working at once")).to_have_count(0)
    assert shown.input_value() == old
    window.get_by_role("button", name=f"New link: {name}").click()
    window.get_by_role("button", name="Make a new link").click()
    expect(shown).not_to_have_value(old)
    expect(window.get_by_role("status")).to_contain_text("The old one opens nothing any more.")
    return shown.input_value()


def open_share(player: Player) -> None:
    player.open_menu()
    player.page.get_by_role("button", name="Share…").click()


def test_a_link_is_renewed_and_the_old_one_opens_nothing(arrive: Callable[..., Player]) -> None:
    red, blue, stranger = arrive(), arrive(), arrive()
    red.begin(ruleset="tr14", red="me", blue="link")
    sent = red.page.locator("[data-link=blue]").input_value()
    red.page.get_by_role("link", name="To my seat").click()
    open_share(red)
    new = renewed(red, "To play Blue")
    # Closed and opened again, the window shows the new one.
    red.page.keyboard.press("Escape")
    open_share(red)
    expect(red.page.get_by_label("To play Blue", exact=True)).to_have_value(new)
    stranger.page.goto(sent)
    expect(stranger.page.get_by_role("heading", name="This key opens no seat of this game.")).to_be_visible()
    blue.page.goto(new)
    expect(blue.page.get_by_text("Blue, yours")).to_be_visible()
    # Somebody has come for it: now it is his to renew, and no longer red's.
    expect(red.page.get_by_role("button", name="New link: To play Blue")).to_have_count(0)
    open_share(blue)
    mine = renewed(blue, "My own: Blue")
    blue.page.keyboard.press("Escape")
    expect(blue.page.locator("[data-state=asked], [data-state=waiting]")).to_have_count(1)
    expect(blue.page.get_by_text("The connection is lost.")).to_have_count(0)
    red.page.keyboard.press("Escape")
    together(red, blue, 4)
    # Loaded anew, and even by the old link, this browser still knows the key that works.
    blue.page.reload()
    expect(blue.page.get_by_text("Blue, yours")).to_be_visible()
    blue.page.goto(new)
    blue.page.reload()
    expect(blue.page.get_by_role("heading", name="This key opens no seat of this game.")).to_be_visible()
    blue.page.goto(f"{blue.address}/game/{red.game}")
    expect(blue.page.get_by_text("Blue, yours")).to_be_visible()
    stranger.page.goto(mine)
    expect(stranger.page.get_by_text("Blue, yours")).to_be_visible()


def test_whoever_lets_a_bot_play_comes_back_and_plays_on(arrive: Callable[..., Player]) -> None:
    red, blue = arrive(), arrive()
    red.begin(ruleset="tr14", red="me", blue="link")
    link = red.page.locator("[data-link=blue]").input_value()
    red.page.get_by_role("link", name="To my seat").click()
    blue.page.goto(link)
    together(red, blue, 3)
    red.open_menu()
    red.page.get_by_role("button", name="Let a bot play it").click()
    expect(red.page.get_by_text("Red: Greedy, a bot, for you")).to_be_visible()
    # The bot plays until blue must choose.
    blue.page.wait_for_selector("[data-state=asked]")
    red.page.reload()
    expect(red.page.get_by_text("Red, yours")).to_be_visible()
    red.open_menu()
    red.page.get_by_role("button", name="Play it myself").click()
    expect(red.page.get_by_text("Red: a person, you")).to_be_visible()
    red.page.keyboard.press("Escape")
    together(red, blue, 6)


def test_who_is_here_is_said_as_it_is_now(arrive: Callable[..., Player]) -> None:
    red, blue = arrive(), arrive()
    red.begin(ruleset="tr14", red="me", blue="link")
    link = red.page.locator("[data-link=blue]").input_value()
    red.page.get_by_role("link", name="To my seat").click()
    for _ in range(200):
        red.page.wait_for_selector("[data-state=asked], [data-state=waiting]")
        if red.page.locator("[data-state=waiting]").count() and red.page.get_by_text("has no player yet").count():
            break
        if red.page.locator("[data-state=asked]").count():
            red.answer()
    expect(red.question).to_contain_text("has no player yet")
    blue.page.goto(link)
    expect(red.question).to_contain_text("must choose.")
    blue.page.goto("about:blank")
    expect(red.question).to_contain_text("must choose, and is not here now.")
    blue.page.goto(link)
    expect(red.question).to_contain_text("must choose.")
