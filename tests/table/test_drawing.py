"""The picture of a table: well-formed, the same every time, and legible without colour."""

from __future__ import annotations

import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.table.drawing import svg
from sandtable.table.scene import Area, Badge, Body, Look, Path, Piece, Ring, Scene, Spot
from sandtable.table.shapes import Footprint, Place, hull
from sandtable.table.svg import AREAS, LINES, ORDER, noise, scatter, spans
from sandtable.table.terrain import Feature
from sandtable.table.textmap import GROUND, text_map
from sandtable.table.thumbnail import thumbnail

from .strategies import DEPTH, WIDTH, facings, law, stars

SVG = "{http://www.w3.org/2000/svg}"
STAND = Footprint(1.5, 1.0)
SQUARE = [(10.0, 10.0), (18.0, 10.0), (18.0, 16.0), (10.0, 16.0)]


def stand(id: str, x: float, y: float, side: str = "red", **more: object) -> Piece:
    settings: dict[str, object] = {"kind": "infantry", "label": "1st Platoon", "title": f"Team {id}", **more}
    return Piece(id, STAND, Place(x, y), side, **settings)  # type: ignore[arg-type]


def drawn(scene: Scene, *, grid: bool = True, dark: bool = False, scale: float = 12.0) -> ElementTree.Element:
    return ElementTree.fromstring(svg(scene, grid=grid, dark=dark, scale=scale))


def words(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def tooltips(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}title")]


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if name in element.get("class", "").split()]


def full() -> Scene:
    """One of everything."""
    features = [Feature(look, look, SQUARE, height=1.0, name=look.title()) for look in AREAS]
    features += [Feature(f"{look} line", look, SQUARE, closed=False) for look in LINES]
    features += [Feature(f"{look} area", look, SQUARE) for look in LINES]
    kinds = ("infantry", "gun", "tank", "vehicle", "figure", "officer", "nco", "rider", "casualty", "camel")
    pieces = [
        Piece(f"{side}-{kind}", STAND, Place(5.0 + 4 * n, y, 30.0 * n, 0, 75.0), side, kind, kind, "PL",
              (Badge("!", "Suppressed", 2),), arc=45.0 * n, hidden=n == 2)
        for side, y in (("red", 30.0), ("blue", 6.0), ("green", 20.0))
        for n, kind in enumerate(kinds)
    ]  # fmt: skip
    return Scene(
        WIDTH, DEPTH, features, pieces,
        [Spot(20, 18, 3, "Crossroads"), Spot(30, 18, 3, "Mill", "blue")],
        [
            *(Area(SQUARE, kind, kind) for kind in ("smoke", "template", "zone", "fog")),
            Area(SQUARE, "zone", "zone-red", side="red"),
        ],
        [Path([(5, 5), (9, 9), (9, 9)], "red", "6″"), Path([(1, 1)], "blue")],
        "The bridge", "Turn 3.", {look: look for look in ORDER},
    )  # fmt: skip


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("scale", [4.0, 12.0, 40.0])
def test_one_of_everything_is_well_formed_and_always_the_same(scale: float, dark: bool) -> None:
    picture = svg(full(), scale=scale, dark=dark)
    ElementTree.fromstring(picture)
    assert picture == svg(full(), scale=scale, dark=dark)
    assert "nan" not in picture
    assert "url(#" not in picture, "a reference would clash with a second picture on the page"


def test_text_from_outside_cannot_become_markup() -> None:
    evil = "<script>\"'&\x00\x1b</script>"
    scene = Scene(
        24, 24,
        [Feature("f", evil, SQUARE, name=evil)],
        [Piece(evil, STAND, Place(5, 5), evil, evil, evil, evil, (Badge(evil, evil),), evil, unit=evil)],
        [Spot(9, 9, 2, evil, evil)], [Area(SQUARE, evil, evil)], [Path([(1, 1), (3, 3)], evil, evil)],
        evil, evil,
    )  # fmt: skip
    root = drawn(scene)
    assert not list(root.iter(f"{SVG}script"))
    assert "<script>\"'&</script>" in words(root)


def test_north_is_at_the_top_and_facings_run_clockwise() -> None:
    north, south = stand("north", 5, 20), Piece("south", STAND, Place(5, 2, 90.0), "blue", "tank")
    found = {
        e.get("data-id"): e.get("transform", "") for e in of_class(drawn(Scene(24, 24, [], [north, south])), "piece")
    }
    assert found["north"] == "translate(60 48) scale(12)"
    assert found["south"] == "translate(60 264) rotate(90) scale(12)"


def test_sides_differ_by_their_border_and_not_by_colour_alone() -> None:
    def without_colours(side: str) -> str:
        piece = of_class(drawn(Scene(24, 24, [], [stand("a", 5, 5, side)])), "piece")[0]
        piece.set("class", "")
        return re.sub("#[0-9a-f]{3,6}", "", ElementTree.tostring(piece, encoding="unicode"))

    assert len({without_colours(side) for side in ("red", "blue", "")}) == 3


def test_a_hidden_piece_is_dashed() -> None:
    open_one, hidden = (
        of_class(drawn(Scene(24, 24, [], [stand("a", 5, 5, hidden=is_hidden)])), "piece")[0]
        for is_hidden in (False, True)
    )
    assert "hidden" in hidden.get("class", "")
    assert any(e.get("stroke-dasharray") for e in hidden.iter())
    assert not any(e.get("stroke-dasharray") for e in open_one.iter())


def test_a_unit_is_labelled_once_and_each_piece_keeps_its_tooltip() -> None:
    team = [stand(str(n), 6.0 + 2 * n, 8.0, unit="first") for n in range(4)]
    root = drawn(Scene(24, 24, [], team))
    assert words(root).count("1st Platoon") == 1
    assert {"Team 0", "Team 1", "Team 2", "Team 3"} <= set(tooltips(root))


def test_pieces_without_a_unit_each_have_their_label() -> None:
    assert words(drawn(Scene(24, 24, [], [stand("a", 6, 8), stand("b", 12, 8)]))).count("1st Platoon") == 2


def test_two_labels_do_not_cover_each_other() -> None:
    pair = [stand("a", 12, 12, label="Able"), stand("b", 12, 12, label="Baker")]
    texts = {e.text: e for e in drawn(Scene(24, 24, [], pair)).iter(f"{SVG}text")}
    places = [(float(texts[t].get("x", "0")), float(texts[t].get("y", "0"))) for t in ("Able", "Baker")]
    assert abs(places[0][0] - places[1][0]) > 20 or abs(places[0][1] - places[1][1]) > 12


def test_badges_show_sign_and_count_and_say_their_words() -> None:
    piece = stand("a", 8, 8, leader="PL", badges=(Badge("!", "Suppressed"), Badge("✚", "Casualties", 3)))
    root = drawn(Scene(24, 24, [], [piece]))
    assert {"PL", "!", "✚3"} <= set(words(root))
    assert {"Suppressed", "Casualties"} <= set(tooltips(root))


def test_a_piece_off_the_table_is_left_out() -> None:
    root = drawn(Scene(24, 24, [], [stand("reserve", -5, 8)]))
    assert not of_class(root, "piece")
    assert "1st Platoon" not in words(root)


def test_the_grid_can_be_hidden() -> None:
    assert of_class(drawn(Scene(48, 36)), "grid")
    bare = drawn(Scene(48, 36), grid=False)
    assert not of_class(bare, "grid")
    assert "24" not in words(bare)


def test_an_arc_is_drawn_only_for_those_who_have_one() -> None:
    gun = stand("gun", 8, 8, kind="gun", arc=60.0)
    assert len(of_class(drawn(Scene(24, 24, [], [gun, stand("a", 4, 4)])), "arc")) == 1


def test_the_legend_names_the_terrain_that_is_there() -> None:
    features = [Feature("a", "wood", SQUARE), Feature("b", "high-wall", SQUARE[:2], closed=False)]
    shown = words(drawn(Scene(24, 24, features)))
    assert {"wood", "high wall"} <= set(shown)
    assert "river" not in shown


def test_a_kind_is_drawn_by_its_look_whatever_it_is_called() -> None:
    def ground(kind: str, looks: dict[str, Look]) -> Scene:
        return Scene(24, 24, [Feature("a", kind, SQUARE)], looks=looks)

    for draw in (svg, thumbnail, text_map):
        vines, trees = draw(ground("vineyard", {"vineyard": "orchard"})), draw(ground("wood", {"wood": "orchard"}))
        assert vines.replace("vineyard", "wood") == trees
        assert draw(ground("wood", {})) == draw(ground("wood", {"wood": "other"})), "a name alone says nothing"
        assert draw(ground("wood", {})) != draw(ground("wood", {"wood": "wood"}))


def test_every_look_can_be_drawn_everywhere() -> None:
    for look in ORDER:
        assert look in AREAS or look in LINES
        assert look in GROUND


@pytest.mark.parametrize("size", [(6.0, 4.0), (24.0, 24.0), (72.0, 48.0)])
def test_all_words_stand_on_the_page(size: tuple[float, float]) -> None:
    width, depth = size
    corners = [(0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth)]
    pieces = [stand(f"{n}", x, y, label="HQ", leader="CC") for n, (x, y) in enumerate(corners)]
    scene = Scene(width, depth, [Feature("w", "wood", corners)], pieces, title="A title " * 8, caption="Said " * 60)
    root = drawn(scene)
    _, _, wide, high = (float(v) for v in root.get("viewBox", "").split())
    for group in (root, *root.findall(f"{SVG}g")):
        shift = re.match(r"translate\((\S+) (\S+)\)", group.get("transform", "translate(0 0)"))
        assert shift
        for text in group.iter(f"{SVG}text"):
            x, y = float(text.get("x", "0")), float(text.get("y", "0"))
            if group is not root or text in list(root):
                assert 0 <= x + float(shift[1]) <= wide
                assert 0 <= y + float(shift[2]) <= high


def test_drawing_does_not_wait_for_the_compiler() -> None:
    check = "import sys, sandtable.table.drawing; sys.exit('numba' in sys.modules or 'shapely' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


@law
@given(stars(), st.sampled_from(ORDER), facings, st.text(max_size=12))
def test_any_outline_can_be_painted_in_any_look(star: Feature, look: Look, facing: float, name: str) -> None:
    feature = Feature("a", look, star.points, height=star.height, name=name)
    piece = Piece("p", STAND, Place(9, 9, facing), "blue", "tank", name, title=name)
    ElementTree.fromstring(svg(Scene(WIDTH, DEPTH, [feature], [piece], looks={look: look})))


@law
@given(stars(), st.floats(0.5, 3.0))
def test_what_is_strewn_over_an_area_stays_near_it(star: Feature, gap: float) -> None:
    xs, ys = zip(*star.points, strict=True)
    for x, y in scatter(star.points, gap):
        assert min(xs) <= x <= max(xs)
        assert min(ys) - gap <= y <= max(ys) + gap


def test_furrows_are_cut_at_the_edge_of_the_field() -> None:
    rows = spans([(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (0.0, 2.0)], (1.0, 0.0), 1.0)
    assert rows == [((0.0, 0.5), (4.0, 0.5)), ((0.0, 1.5), (4.0, 1.5))]


def test_noise_depends_on_the_spot_alone() -> None:
    values = [noise(x / 3, y / 3) for x in range(30) for y in range(30)]
    assert values == [noise(x / 3, y / 3) for x in range(30) for y in range(30)]
    assert all(0 <= value < 1 for value in values)
    assert 0.4 < sum(values) / len(values) < 0.6


# Units that are drawn as one.


def squad(*badges: Badge) -> Scene:
    """Ten men of one unit, and how far the voice of the first carries."""
    places = [(10.0 + 1.2 * (man % 5), 10.0 + 1.2 * (man // 5)) for man in range(10)]
    men = [
        Piece(f"man-{number}", Footprint(1.0, 1.0, "circle"), Place(x, y), "red", "officer" if not number else "figure",
              "1st Squad", unit="squad")
        for number, (x, y) in enumerate(places)
    ]  # fmt: skip
    body = Body("squad", "red", "1st Squad", hull(places), 0.85, "line, 10", badges)
    return Scene(48.0, 36.0, [], men, bodies=[body], rings=[Ring("man-0", 12.5, "Officer's voice, 12″")])


def test_a_body_has_one_outline_one_label_and_its_signs_once() -> None:
    root = drawn(squad(Badge("S", "suppressed", 2, "pinned"), Badge("✓", "has acted", sign="tick")))
    assert len(of_class(root, "body")) == 1
    assert words(root).count("1st Squad, line, 10") == 1
    assert words(root).count("S2") == 1
    assert [tooltip for tooltip in tooltips(root) if tooltip == "suppressed"] == ["suppressed"]
    assert len(of_class(root, "ring")) == 1
    assert "Officer's voice, 12″" in tooltips(root)


def test_the_map_in_letters_tells_how_a_body_stands() -> None:
    lines = text_map(squad(Badge("S", "suppressed", 2, "pinned"))).splitlines()
    assert lines[-1] == "red: 1st Squad, line, 10, suppressed 2, Officer's voice, 12″"
    assert any("c" in line for line in lines if line.startswith("|"))


def test_a_hull_holds_the_outermost_points_alone() -> None:
    ring = [(0.0, 0.0), (4.0, 0.0), (4.0, 3.0), (0.0, 3.0)]
    assert hull([*ring, (2.0, 1.0), (2.0, 0.0), (4.0, 3.0)]) == ring
    assert hull([(1.0, 1.0)]) == [(1.0, 1.0)]
    assert hull([(2.0, 1.0), (1.0, 1.0), (3.0, 1.0)]) == [(1.0, 1.0), (3.0, 1.0)]
