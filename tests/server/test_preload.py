"""Many threads at once, from a fresh process: types that were not met before would crash it."""

from __future__ import annotations

import subprocess
import sys

GAMES = """
import sys, threading
from random import Random
from sandtable import rulesets
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.server.preload import preload

sys.setswitchinterval(0.0005)
preload()
names = rulesets.names()

def play(number):
    rules = rulesets.load(names[number % len(names)])
    game = Game(rules, rules.scenario("patrol"), SeededDice(number))
    random = Random(number)
    for _ in range(40):
        game.accept(game.ask.question.sample(random))

threads = [threading.Thread(target=play, args=(number,)) for number in range(2 * len(names))]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_games_in_many_threads() -> None:
    assert subprocess.run([sys.executable, "-c", GAMES], timeout=120).returncode == 0
