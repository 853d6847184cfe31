"""Somebody at the page: begins games, clicks what is offered first, and notes what the console complains of."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, TimeoutError, expect

from sandtable.engine.questions import Choose, ChoosePoint, Question

NEXT = """() => {
  const can = (mark) => document.querySelector(`.question [${mark}]:not(:disabled)`);
  for (const mark of ['hand', 'ready']) if (document.querySelector(`[data-${mark}]`)) return mark;
  const state = document.querySelector('[data-state]')?.dataset.state;
  if (state === 'over') return 'over';
  if (state !== 'asked') return null;
  if (document.querySelector('.question .face') && !can('data-confirm')) return 'dice';
  return ['confirm', 'default', 'suggest', 'none'].find((mark) => can(`data-${mark}`)) ?? null;
}"""
"""What there is to click now: a drafted answer first, then the default."""

GIVEN = """(number) => {
  const bar = document.querySelector('[data-state]');
  return !bar || bar.dataset.state !== 'asked' || bar.dataset.number !== number;
}"""
"""Whether the question of that number has been answered."""

SETTLED = f"""(number) => {{
  if (({GIVEN})(number)) return 'given';
  return document.querySelector('.question [data-confirm]:not(:disabled)') ? 'drafted' : null;
}}"""
"""What a click has led to: the answer was given, or it waits to be confirmed."""

STILL = 20_000
"""Milliseconds that a button has to stand still and take a click."""

HEARD = 30_000
"""Milliseconds after which a click that led to nothing is made once more."""

WISHES = """if (location.protocol.startsWith('http') && !localStorage.getItem('sandtable.wishes')) {
  localStorage.setItem('sandtable.wishes', '%s');
}"""
"""What a browser remembers of one who has been here before."""

BRIEFED = {"briefed": True}
AT_ONCE = {**BRIEFED, "pace": "off"}
"""Who knows what a battle is about, and who wants to see nothing staged either."""


class Player:
    """A browser's window. `complaints` are what its console said that it should not.

    Unless it is `staged`, it shows at once how things stand, and what has happened is not played first. Only one that
    is `new` here is briefed before a battle.
    """

    def __init__(self, context: BrowserContext, address: str, *, staged: bool = False, new: bool = False) -> None:
        self.context = context
        if not new:
            context.add_init_script(WISHES % json.dumps(BRIEFED if staged else AT_ONCE))
        self.address = address
        self.complaints: list[str] = []
        self.forgiving = False
        self.page = context.new_page()
        self.page.set_default_timeout(60_000)
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not self.forgiving:
            self.complaints.append(message.text)

    # Beginning.

    def lobby(self) -> None:
        self.page.goto(self.address)
        # A server that has just been started reads its rules first.
        expect(self.page.get_by_role("button", name="Begin", exact=True)).to_be_enabled()

    def begin(self, *, ruleset: str = "hof", scenario: str = "patrol", dice: str = "sealed", **seats: str) -> None:
        """Fill in the form of the lobby; the seats are "me", "link" or "bot:NAME"."""
        self.lobby()
        form = self.page.locator("form")
        form.locator("select").nth(0).select_option(ruleset)
        form.locator("select").nth(1).select_option(scenario)
        for seat, holder in seats.items():
            form.get_by_role("group", name=seat.capitalize(), exact=True).locator("select").first.select_option(holder)
        form.locator(f"input[value={dice}]").check()
        form.get_by_role("button", name="Begin", exact=True).click()

    def resume(self, record: str) -> None:
        """Go on with a game out of a file, playing both sides."""
        self.lobby()
        file = {"name": "battle.sandtable", "mimeType": "text/plain", "buffer": record.encode()}
        self.page.get_by_label("A game file").set_input_files([file])
        self.page.wait_for_url("**/game/*")
        self.page.get_by_role("button", name="I play both sides").click()
        expect(self.page.locator("[data-state=asked]")).to_have_count(1)

    @property
    def question(self) -> Locator:
        return self.page.get_by_test_id("question")

    @property
    def game(self) -> str:
        found = re.search(r"/game/([^?#]+)", self.page.url)
        assert found is not None, self.page.url
        return found[1]

    # Playing.

    def next(self) -> str:
        """Wait for something to do; what it is."""
        word = self.page.wait_for_function(NEXT, polling=20).json_value()
        assert isinstance(word, str)
        return word

    def answer(self, *, tap: bool = False) -> str:
        """Give one answer as it is offered; "over" when there is none to give."""
        unheard = 0
        while (word := self.next()) != "over":
            number = (
                None if word in ("hand", "ready") else self.page.locator("[data-number]").get_attribute("data-number")
            )
            button = self.page.locator(f"[data-{word}]:not(:disabled)").first
            try:
                button.tap(timeout=STILL) if tap else button.click(no_wait_after=True, timeout=STILL)
            except TimeoutError:
                if button.count():
                    raise
                continue  # A habit has answered meanwhile, and what was there to click is gone.
            if word in ("hand", "ready"):
                expect(self.page.locator(f"[data-{word}]")).to_have_count(0)
                break
            try:
                led = self.page.wait_for_function(
                    GIVEN if word == "confirm" else SETTLED, arg=number, polling=20, timeout=HEARD
                )
            except TimeoutError:
                # Whoever clicked in the moment in which the page changed clicks again, but not for ever.
                unheard += 1
                print(f"a click on {word} at question {number} led to nothing")
                if unheard == 3:
                    raise
                continue
            if led.json_value() in (True, "given"):
                break
        return word

    def give(self, question: Question, answer: Any) -> None:
        """Give this answer: a choice out of a list, or a point."""
        number = self.page.locator("[data-number]").get_attribute("data-number")
        if isinstance(question, Choose):
            index = [option.id for option in question.options].index(answer) + 1
            self.page.locator(f"[data-choice='{index}']").click()
        else:
            assert isinstance(question, ChoosePoint), question
            for field, inches in zip(("Across", "Up"), answer, strict=True):
                self.page.get_by_label(field).fill(f"{inches:g}")
                self.page.get_by_label(field).press("Tab")
        if self.page.wait_for_function(SETTLED, arg=number, polling=20).json_value() == "drafted":
            self.page.locator("[data-confirm]").click(no_wait_after=True)
            self.page.wait_for_function(GIVEN, arg=number, polling=20)

    def words(self) -> str:
        return self.question.inner_text()

    def play(self, most: int) -> int:
        """Answer so many questions, or to the end; how many it were."""
        for count in range(most):
            if self.answer() == "over":
                return count
        return most

    def open_menu(self) -> None:
        self.page.get_by_role("button", name="More").click()
