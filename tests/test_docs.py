"""The documentation is true: examples run and keep the laws, links lead somewhere, rules exist, schemas are current."""

import dataclasses
import gc
import importlib.util
import re
import sys
import tomllib
from functools import partial
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import jsonschema
import msgspec
import pytest
from typer.testing import CliRunner

from sandtable import bots, cli, rulesets
from sandtable.engine import places, record, reference
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.ledger import RULE_ID, Ledger
from sandtable.engine.protocol import ProgramSeat
from sandtable.engine.questions import MovePieces, Refusal
from sandtable.engine.ruleset import Display, Ruleset
from sandtable.engine.seat import drive
from sandtable.field.plan import plan
from sandtable.rulesets.hof.core import terrain as hof_terrain
from sandtable.rulesets.tr14.core import terrain as tr14_terrain
from sandtable.table import hairs
from sandtable.testing import check_laws, schemas
from sandtable.testing.formats import check, every_format
from sandtable.testing.situations import try_file

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
EXAMPLES = DOCS / "examples"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
DATA = sorted((ROOT / "sandtable" / "rulesets").rglob("*.toml"))


def walked(story: str) -> list[str]:
    """The files that a walk of docs/house.md names, in its order; a bare name lies where the one before it does."""
    table = (DOCS / "house.md").read_text().split(f"## {story}, followed\n")[1].split("\n## ")[0]
    files: list[str] = []
    for name in re.findall(r"`([^`]+)`", "".join(re.findall(r"^\| (`[^|]+)\|", table, re.MULTILINE))):
        if "/" not in name:
            files.append(files[-1].rpartition("/")[0] + "/" + name)
        else:
            top = {"web": "", "hof": "sandtable/rulesets/"}.get(name.split("/")[0], "sandtable/")
            files.append(top + name)
    return files


def load_example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def pig() -> ModuleType:
    return load_example("pig")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_tiny_ruleset_keeps_every_law(pig: ModuleType, seed: int) -> None:
    game = check_laws(pig.RULESET, pig.Setup(), seed)
    assert game.result is not None


def test_a_lucky_number_stays_secret_until_it_is_thrown(pig: ModuleType) -> None:
    game: Game[Any] = Game(pig.RULESET, pig.Setup(), SeededDice(1))
    assert game.answer(5) is None
    assert game.view("red")["table"]["lucky"] == {"red": 5}
    assert game.view("blue")["table"]["lucky"] == {}
    assert [event.text for event in game.seen("blue")] == ["red has chosen a lucky number."]
    assert [event.text for event in game.seen("red")] == ["Your lucky number is 5."]


def played(pig: ModuleType) -> Game[Any]:
    game: Game[Any] = Game(pig.RULESET, pig.Setup(), SeededDice(5))
    drive(game, {"red": bots.make("greedy", 1), "blue": bots.make("random", 2)})
    return game


def test_bots_play_the_tiny_ruleset(pig: ModuleType) -> None:
    assert played(pig).over


def test_the_example_bot_plays_a_battle_without_a_late_answer() -> None:
    rules = rulesets.load("tr14")
    game: Game[Any] = Game(rules, rules.scenario("ridge"), SeededDice(3))
    program = ProgramSeat(f"{sys.executable} {EXAMPLES / 'bot.py'}", deadline=20.0)
    try:
        drive(game, {"red": program, "blue": bots.make("random", 2)}, most=150)
        assert not program.late
        assert any(entry.seat == "red" for entry in game.record)
    finally:
        program.close(game)
    assert program.process.returncode == 0


def test_a_saved_game_is_read_without_us(pig: ModuleType) -> None:
    game = played(pig)
    reader = load_example("read_save")
    assert len(reader.log(record.dumps(game))) == len(game.events)
    thrown = [value for event in game.events for throw in event.dice for value in throw.values]
    assert thrown == [reader.die(5, number) for number in range(1, len(thrown) + 1)]


@pytest.fixture
def skirmish(monkeypatch: pytest.MonkeyPatch) -> Ruleset:
    """The game of docs/examples/skirmish.py, as a ruleset outside the package."""
    monkeypatch.setenv(places.VARIABLE, str(EXAMPLES / "skirmish.py"))
    return rulesets.load("skirmish")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_small_skirmish_keeps_every_law(skirmish: Ruleset, seed: int) -> None:
    game = check_laws(skirmish, skirmish.scenario("farm"), seed)
    assert game.result is not None


@pytest.mark.parametrize("seed", [1, 2])
def test_bots_fight_the_small_skirmish_to_its_end(skirmish: Ruleset, seed: int) -> None:
    game: Game[Any] = Game(skirmish, skirmish.scenario("farm"), SeededDice(seed))
    drive(game, {"red": bots.make("greedy", seed), "blue": bots.make("random", seed)})
    assert game.result is not None
    assert {"move", "fire", "losses", "objective"} <= {event.kind for event in game.events}
    # What may be known of it can be drawn, and stands beside the picture.
    assert len(skirmish.scene(game, "red").pieces) == sum(len(unit.teams) for unit in game.state.units.values())
    assert [card.side for card in skirmish.display.roster(game, "blue")] == ["blue", "blue", "red", "red"]


def test_the_small_skirmish_is_small_and_its_rules_are_its_ledger_s(skirmish: Ruleset) -> None:
    source = (EXAMPLES / "skirmish.py").read_text()
    assert len(source.splitlines()) <= 350
    assert set(re.findall(r'"(skirmish\.[a-z-]+\.[a-z-]+)"', source)) == set(Ledger.load("skirmish").rules)


@pytest.mark.parametrize(
    ("steps", "rule"),
    [
        ({"red-1-rifle-1": {"to": [9, 9.5]}}, "skirmish.move.rough"),
        ({"red-1-rifle-1": {"to": [5, 3]}}, "skirmish.move.together"),
        ({"red-1-rifle-2": {"to": [13, 3]}}, "skirmish.move.room"),
        ({"red-1-rifle-2": {"to": [11, 9.5]}}, "skirmish.move.distance"),
    ],
)
def test_moves_of_the_small_skirmish_that_are_refused(skirmish: Ruleset, steps: dict[str, Any], rule: str) -> None:
    game: Game[Any] = Game(skirmish, skirmish.scenario("farm"), SeededDice(1))
    assert game.answer("red-1") is None
    refused = game.answer(steps)
    assert isinstance(refused, Refusal)
    assert refused.rule == rule


EXCERPT = re.compile(r"^```(?:python|toml)\n(.*?)^```", re.DOTALL | re.MULTILINE)


def test_the_page_on_rulesets_quotes_its_examples_word_for_word() -> None:
    """Every block in a fence is an excerpt, in which `...` stands for lines that are left out."""
    files = [EXAMPLES / "pig.py", EXAMPLES / "skirmish.py", *(EXAMPLES / "skirmish").rglob("*.toml")]
    sources = [path.read_text() for path in files]
    quoted = EXCERPT.findall((DOCS / "writing-a-ruleset.md").read_text())
    assert len(quoted) >= 15
    for text in quoted:
        parts = [part.strip("\n") for part in re.split(r"^ *\.\.\.$", text, flags=re.MULTILINE)]
        assert any(in_order(parts, source) for source in sources), text


def in_order(parts: list[str], source: str) -> bool:
    at = 0
    for part in parts:
        at = source.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True


SITUATIONS = [path for path in sorted(EXAMPLES.rglob("*.toml")) if "sandtable.situation" in path.read_text()]


@pytest.mark.parametrize("path", SITUATIONS, ids=lambda path: path.name)
def test_the_situations_of_the_documentation_pass(path: Path, skirmish: Ruleset) -> None:
    assert check(str(path)) == []
    assert [(outcome.name, outcome.problem) for outcome in try_file(path) if not outcome.ok] == []


@pytest.mark.parametrize("path", sorted((EXAMPLES / "skirmish").rglob("*.toml")), ids=lambda path: path.name)
def test_the_data_of_the_small_skirmish_have_no_mistakes(path: Path, skirmish: Ruleset) -> None:
    assert check(str(path)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('topic = "fire"', 'topc = "fire"'),
        ('kind = "hedge"', 'kind = "hedgerow"'),
        ("at = [22, 10]", "at = [21, 10]"),
        ("answers = { go-to-ground", "answers = { go-to-gruond"),
        ('rules = ["tr14.firing.mod-concealed"]', 'rules = ["tr4.firing.mod-concealed"]'),
    ],
)
def test_the_mistakes_of_the_page_on_situations(
    old: str, new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """docs/situations.md quotes these word for word."""
    monkeypatch.chdir(tmp_path)
    Path("shot.toml").write_text((EXAMPLES / "shot.toml").read_text().replace(old, new, 1))
    (error,) = check("shot.toml")
    assert str(error) in (DOCS / "situations.md").read_text()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        aim = (page.parent / file).resolve() if file else page
        assert aim.exists(), f"{page.name} points at {target}"
        if anchor and aim.suffix == ".md":
            assert anchor in anchors(aim), f"{page.name} points at {target}"


def anchors(page: Path) -> list[str]:
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_rule_that_is_named_exists(page: Path) -> None:
    for name in rulesets.known():
        ledger = Ledger.load(name)
        for found in re.findall(rf"(?<![\w./-]){RULE_ID.pattern}(?![\w*/-])", page.read_text()):
            if found.startswith(f"{name}.") and not found.endswith((".py", ".toml", ".schema")):
                assert found in ledger.rules, f"{page.name} names {found}"


@pytest.mark.parametrize("ruleset", ["sof", "tr14"])
def test_every_reading_is_told(ruleset: str) -> None:
    told = (DOCS / f"{ruleset}.md").read_text()
    for rule in Ledger.load(ruleset).rules.values():
        if rule.reading:
            assert rule.id in told, f"docs/{ruleset}.md does not tell how {rule.id} is read"


def test_every_event_of_storm_of_fire_is_told_with_its_data() -> None:
    page = (DOCS / "sof-situations.md").read_text()
    table = page.split("| when | kinds, and their data |")[1].split("\n\n")[0]
    told = {kind: set(fields.split(", ")) - {""} for kind, fields in re.findall(r"`([\w-]+)`(?: ([\w, ]+\w))?", table)}
    assert told == {kind: set(note.data) for kind, note in reference.load("sof").events.items()}


def test_the_floors_are_all_drawn() -> None:
    """The tree of docs/house.md and the table of CONTRIBUTING name each package, and none that is not there."""
    packages = {path.parent.name for path in (ROOT / "sandtable").glob("*/__init__.py")}
    tree = re.search(r"    sandtable/\n((?:      .*\n)+)", (DOCS / "house.md").read_text())
    assert tree is not None
    assert set(re.findall(r"^      (\w+)/", tree[1], re.MULTILINE)) == packages
    table = (ROOT / "CONTRIBUTING.md").read_text()
    assert set(re.findall(r"^\| `sandtable/(\w+)/` \|", table, re.MULTILINE)) == packages
    for folder in re.findall(r"^\| `(\w+)/` \|", table, re.MULTILINE):
        assert (ROOT / folder).is_dir(), f"CONTRIBUTING names {folder}/"


def test_every_command_of_make_that_is_named_exists() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in PAGES:
        for named in re.findall(r"(?:^    |`)make (\w+)", page.read_text(), re.MULTILINE):
            assert named in targets, f"{page.name} names make {named}"


def test_every_option_of_the_server_that_is_told_exists() -> None:
    known = CliRunner().invoke(cli.build(), ["serve", "--help"]).output
    service = (DOCS / "examples" / "operating" / "sandtable.service").read_text()
    for text in ((DOCS / "operating.md").read_text().split("## Back up")[0], service):
        for option in re.findall(r"(?<![\w-])(--[a-z][a-z-]+)", text):
            assert option in known, f"`sandtable serve` has no {option}"


@pytest.mark.parametrize("record_type", [Ruleset, Display])
def test_every_field_of_a_ruleset_is_told(record_type: type) -> None:
    text = (DOCS / "writing-a-ruleset.md").read_text()
    told = set(re.findall(r"`(\w+)(?:\([^)`]*\))?`", text))
    assert {field.name for field in dataclasses.fields(record_type)} <= told


def test_distances_are_told_as_they_are() -> None:
    text = " ".join((DOCS / "geometry.md").read_text().split())
    assert f"Bases nearer than {hairs.CONTACT} inch count as touching" in text
    assert hof_terrain.TOUCH == tr14_terrain.TOUCH
    assert f"take {hof_terrain.TOUCH} inch for touching an obstacle" in text
    assert f"They lie {hairs.GRID} inch inside the edge" in text


def test_the_schemas_are_current() -> None:
    assert schemas.stale() == [], "run: python -m sandtable.testing.schemas write"


@pytest.mark.parametrize("format_", sorted(every_format()))
def test_our_data_fits_the_schemas(format_: str) -> None:
    schema = schemas.schemas()[schemas.file_name(format_)]
    fitting = [data for path in DATA if (data := tomllib.loads(path.read_text())).get("format") == format_]
    assert fitting, f"there is no file of the format {format_}"
    validator = jsonschema.Draft202012Validator(schema)
    for data in fitting:
        validator.validate(data)


def test_our_data_has_no_mistakes() -> None:
    assert [str(problem) for path in DATA for problem in check(str(path))] == []


def test_a_saved_game_fits_its_schema(pig: ModuleType) -> None:
    game = played(pig)
    validator = jsonschema.Draft202012Validator(record.schema())
    for line in record.lines(game):
        validator.validate(msgspec.json.decode(line))


def test_a_set_up_fits_its_schema() -> None:
    setup = msgspec.json.decode(msgspec.json.encode(rulesets.load("tr14").scenario("bocage")))
    jsonschema.validate(setup, schemas.schemas()["tr14-setup.schema.json"])


def test_the_refusals_of_the_page_on_questions() -> None:
    """docs/questions.md quotes these word for word."""
    rules = rulesets.load("tr14")
    game: Game[Any] = Game(rules, rules.scenario("crossroads"), SeededDice(7))
    text = (DOCS / "questions.md").read_text()
    for wrong in ({}, {"red-cc-cc": {"to": [36, 16]}}, {"red-cc": {"to": [36, 6]}}, "nowhere"):
        refused = game.answer(wrong)
        assert isinstance(refused, Refusal)
        assert msgspec.json.encode(refused).decode() in text


@pytest.mark.parametrize("story", ["A drag", "A fire order"])
def test_a_walk_through_the_house_is_short(story: str) -> None:
    files = walked(story)
    assert len(set(files)) < 25
    assert [name for name in files if not (ROOT / name).is_file()] == []


def test_a_drag_goes_by_the_files_that_its_account_names() -> None:
    rules = rulesets.load("hof")
    game: Game[Any] = Game(rules, rules.scenario("patrol"), SeededDice(1))
    random = Random(1)
    while True:
        assert game.ask is not None
        question = game.ask.question
        if isinstance(question, MovePieces) and (pieces := [each for each in question.pieces() if each.at]):
            break
        game.accept(question.sample(random))
    seat, names, (x, y) = game.ask.seat, [each.id for each in pieces], pieces[0].at or (0, 0)
    scene = rules.scene(game, seat)
    gone: set[str] = set()
    drag = partial(plan, game, seat, names, (x + 2, y + 1), None, None, scene, None)
    drag()  # what is loaded at the first is no step of the walk, nor is what other games leave behind
    gc.disable()
    sys.setprofile(lambda frame, *_: gone.add(frame.f_code.co_filename))
    try:
        drag()
    finally:
        sys.setprofile(None)
        gc.enable()
    ours = {Path(name).relative_to(ROOT).as_posix() for name in gone if name.startswith(str(ROOT / "sandtable"))}
    assert {name for name in ours if "kernels" not in name} <= set(walked("A drag"))
