"""Orders of several steps and rally points on the real servers, compared with the saved games step by step."""

import flat
import savegame
from facts import Facts
from puppet import Puppet, World
from server import Server

from scenarios.orders import VERSIONS, game, on_each_version

# Kinds of steps.
MOVE, ACTIVITY, FULL_MOVE_POINTS, ACTION_MOVE, PERFORM_ACTION = range(5)
# Steps on the number pad's keys, by the number of a direction.
DIRECTIONS = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]
DIRECTION_NAMES = "northwest north northeast west east southwest south southeast".split()
NONE = -1


def a_boat_travels_for_several_turns() -> None:
    """A boat takes several turns to the other end of its sea, with the steps of `go_to`."""
    on_each_version(travels)


def travels(version: str) -> None:
    """Goes as far as the sea permits."""
    with game(version, "alice") as it:
        home, sea, _ = it.map.crossing(it.taken)
        boat = it.create_unit("Transport", home, it.create_city("Roma", home))
        end = it.map.number[max(it.map.area(sea), key=lambda place: it.map.distance(home, place))]
        it.alice.done("go_to", unit=boat, tile=end)
        lengths = []
        while it.unit(boat)["tile"] != end:
            rows = {int(row["id"]): row for row in it.end_turn()[f"player{it.me}"].tables["u"]}
            lengths.append(int(rows[boat]["orders_length"]))
        assert len([length for length in lengths if length]) > 1, lengths


def the_next_unit_of_a_city_goes_to_its_rally_point() -> None:
    """A city keeps a rally point, and its next unit goes there. 3.0 does not send them."""
    for version in VERSIONS[1:]:
        rallies(version)


def rallies(version: str) -> None:
    """Builds a unit in a city with a rally point of one step, and sets and removes another one."""
    with game(version, "alice") as it:
        home = it.map.site(it.taken)
        near = next(place for place in it.map.around(home) if not it.map.is_sea(place))
        step = DIRECTION_NAMES[DIRECTIONS.index((near[0] - home[0], near[1] - home[1]))]
        city = it.create_city("Roma", home)
        for path in ([step, step], [], [step]):
            it.alice.done("rally_point", city=city, path=path)
            (saved,) = it.end_turn()[f"player{it.me}"].tables["c"]
            assert int(saved["rally_point_length"]) == len(path), (path, saved)
        before = {unit["id"] for unit in it.alice.world("units")["units"]}
        it.alice.done("produce", city=city, item="Musketeers")
        it.alice.done("buy", city=city)
        it.end_turn()
        (unit,) = [unit for unit in it.alice.world("units")["units"] if unit["id"] not in before]
        while unit["tile"] != it.map.number[near]:
            assert unit["tile"] == it.map.number[home], unit
            it.end_turn()
            unit = it.unit(unit["id"])


def steps_of_all_kinds_and_a_rally_point_are_kept() -> None:
    """A unit with steps of all kinds, and since 3.1 a rally point with the same steps."""
    on_each_version(keeps)


def keeps(version: str) -> None:
    """Sends steps that end with an action, then ones that end with an activity, and compares the next two turns of each."""
    facts = Facts()
    settings = flat.settings(version) | {"startunits": "cx"}
    with Server(version=version, **settings) as server, Puppet(server.address, "alice") as alice:
        assert alice.does("start")["outcome"] == "done"
        alice.does("until 1")
        assert alice.does("found Roma")["outcome"] == "done"
        turn, saved = 1, savegame.parse(server.saved(1))
        for ending, kinds in ((PERFORM_ACTION, "mwmwxwp"), (ACTIVITY, "mwmwxwa")):
            world = alice.world()
            (city,) = [city["fields"]["id"] for city in world["cities"] if city["fields"]["owner"] == world["me"]]
            explorer, steps = steps_of_explorer(alice, world, saved, ending)
            for command in (f"order {explorer}", f"rally {city}")[: 1 if version == "3.0" else 2]:
                sent = alice.does(f"{command} {steps}")
                assert sent["outcome"] == "done", (command, steps, sent, server.log()[-500:])
            for _ in range(2):
                turn += 1
                alice.does("turn")
                saved = savegame.parse(server.saved(turn))
                facts.game(alice.world(), saved)
                assert not facts.differing, facts.differing[:20]
                section = saved[f"player{world['me']}"]
                (unit,) = [row for row in section.tables["u"] if int(row["id"]) == explorer]
                assert unit["orders_list"] == kinds, unit
                if version != "3.0":
                    assert section.tables["c"][0]["rally_point_orders"] == kinds, section.tables["c"]


def steps_of_explorer(alice: Puppet, world: World, saved: dict[str, savegame.Section], ending: int) -> tuple[int, str]:
    """Returns our explorer, and steps in numbers: to a neighbor tile, back, and there again, with a rest after each. The
    last one is for a later turn than the test plays."""
    mine = [unit["fields"] for unit in world["units"] if unit["fields"]["owner"] == world["me"]]
    (explorer,) = [unit for unit in mine if world["unit_types"][unit["type"]] == "Explorer"]
    width, height = world["size"]
    x, y = explorer["tile"] % width, explorer["tile"] // width
    neighbors = [(number, (y + dy) * width + (x + dx) % width) for number, (dx, dy) in enumerate(DIRECTIONS) if 0 <= y + dy < height]
    there, target = next(near for near in neighbors if alice.does(f"obstacle {explorer['id']} {near[1]}") is None)
    back = len(DIRECTIONS) - 1 - there
    activities, actions = (saved["savefile"].values[name].split('","') for name in ("activities_vector", "action_vector"))
    idle, no_action = 0, len(actions)
    steps = []
    for kind, direction in ((MOVE, there), (MOVE, back), (ACTION_MOVE, there)):
        steps.append((kind, idle, NONE, NONE, no_action, direction))
        steps.append((FULL_MOVE_POINTS, idle, NONE, NONE, no_action, NONE))
    if ending == PERFORM_ACTION:
        steps.append((ending, idle, target, NONE, actions.index("Establish Embassy"), there))
    else:
        steps.append((ending, activities.index("Sentry"), NONE, NONE, no_action, NONE))
    return explorer["id"], " ".join(",".join(map(str, step)) for step in steps)
