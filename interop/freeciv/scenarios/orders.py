"""Orders for boats, trade and specialists on the real servers, and the worlds and saved games after them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, Optional

import flat
import savegame
from facts import Facts
from flat import Flat, Place
from play import Play
from puppet import Puppet
from server import Server

VERSIONS = ("3.0", "3.1", "3.2")
# Most orders exist from the start.
RICH = {"techlevel": "60", "gold": "1000", "startunits": "cw", "dispersion": "1"}


class Game:
    """One or two players on a flat map, and an observer of each whose world is compared with the saved games."""

    def __init__(self, server: Server, players: Sequence[Play], watchers: Sequence[Puppet]) -> None:
        self.server, self.players, self.watchers = server, players, watchers
        self.alice = players[0]
        world = self.alice.world("me", "game", "tiles", "units")
        self.me: int = world["me"]["player"]
        self.map = Flat(world)
        # Players do not see the units of all others.
        units = [unit for player in players for unit in player.world("units")["units"]]
        self.taken: set[Place] = {tuple(unit["position"]) for unit in units}

    def create_unit(self, kind: str, place: Place, home: Optional[int] = None) -> int:
        """Creates a unit and returns its id."""
        before = {unit["id"] for unit in self.alice.world("units")["units"]}
        city = f"find.city(find.player({self.me}), {home})" if home else "nil"
        tile, player = f"find.tile({place[0]}, {place[1]})", f"find.player({self.me})"
        self.alice.lua(f'edit.create_unit({player}, {tile}, find.unit_type("{kind}"), 0, {city}, -1)')
        created = [unit["id"] for unit in self.alice.world("units")["units"] if unit["id"] not in before]
        assert len(created) == 1, (kind, place, created)
        return int(created[0])

    def create_city(self, name: str, place: Place, owner: Optional[int] = None) -> int:
        """Creates a city of our player or another one, which we must see, and returns its id."""
        player = self.me if owner is None else owner
        self.alice.lua(f'edit.create_city(find.player({player}), find.tile({place[0]}, {place[1]}), "{name}")')
        (city,) = [city["id"] for city in self.alice.world("cities")["cities"] if city["name"] == name]
        return int(city)

    def unit(self, number: int) -> Any:
        """Returns a unit that must exist."""
        (unit,) = [unit for unit in self.alice.world("units")["units"] if unit["id"] == number]
        return unit

    def city(self, number: int) -> Any:
        """Returns a city that must exist."""
        (city,) = [city for city in self.alice.world("cities")["cities"] if city["id"] == number]
        return city

    def gold(self) -> int:
        """Returns the gold of our player."""
        return int(self.alice.world("me")["me"]["gold"])

    def end_turn(self) -> dict[str, savegame.Section]:
        """Ends the turn of all, compares their worlds with the saved game, and returns that."""
        for player in self.players:
            player.do("end_turn")
        turn = max(int(player.until("turn")["turn"]) for player in self.players)
        saved = savegame.parse(self.server.saved(turn))
        for watcher in self.watchers:
            facts = Facts()
            facts.game(watcher.world(), saved)
            assert sum(facts.compared.values()) > 1000 and not facts.differing, facts.differing[:20]
        return saved


@contextmanager
def game(version: str, *names: str, ruleset: Optional[str] = None, **settings: str) -> Iterator[Game]:
    """Starts a game of players with these names."""
    chosen = flat.settings(version) | RICH | settings
    with Server(version=version, has_lua=True, ruleset=ruleset, **chosen) as server, ExitStack() as stack:
        players = []
        for name in names[::-1]:
            players.insert(0, Play(server, "--name", name, starts=name == names[0]))
            players[0].until("ready")
        for player in players[1:]:
            # The game starts when all want it.
            player.do("say", text="/start")
        for player in players:
            player.until("turn")
        watchers = []
        for name in names:
            watcher = stack.enter_context(Puppet(server.address, f"watcher of {name}"))
            (watched,) = [player for player in watcher.world()["players"] if player["username"] == name]
            watcher.does(f"observe {watched['name']}")
            watchers.append(watcher)
        yield Game(server, players, watchers)
        for player in players:
            assert player.ended() == 0, player.lines[-5:]


def on_each_version(scenario: Callable[[str], None]) -> None:
    """Runs a scenario on all versions."""
    for version in VERSIONS:
        scenario(version)


def boats_carry_units_to_another_land() -> None:
    """Units are loaded in a city and unloaded, by the list of legal actions and by orders, carried over sea by `go_to`,
    land and embark again."""
    on_each_version(carries)


def carries(version: str) -> None:
    """Carries two units."""
    with game(version, "alice") as it:
        home, sea, far = it.map.crossing(it.taken)
        city = it.create_city("Roma", home)
        boat = it.create_unit("Transport", home, city)
        first, second = it.create_unit("Musketeers", home, city), it.create_unit("Musketeers", home, city)
        for kind, carrier in (("load", boat), ("unload", None), ("load", boat)):
            perform_listed(it, kind, first, boat)
            assert it.unit(first)["transported_by"] == carrier, (version, kind, it.unit(first))
        it.alice.done("unload", unit=first, carrier=boat)
        assert it.unit(first)["transported_by"] is None, it.unit(first)
        for unit in (first, second):
            it.alice.done("load", unit=unit, carrier=boat)
            assert it.unit(unit)["transported_by"] == boat, it.unit(unit)
        it.end_turn()
        it.alice.done("go_to", unit=boat, tile=it.map.number[sea])
        for _ in range(20):
            if it.unit(boat)["tile"] == it.map.number[sea]:
                break
            it.end_turn()
        assert [it.unit(unit)["tile"] for unit in (boat, first, second)] == [it.map.number[sea]] * 3
        it.end_turn()
        lands(version, it, first, second, far)
        saved = it.end_turn()
        rows = {int(row["id"]): row for row in saved[f"player{it.me}"].tables["u"]}
        assert all((int(rows[unit]["x"]), int(rows[unit]["y"])) == far for unit in (first, second)), rows
        it.alice.done("go_to", unit=first, tile=it.map.number[sea])
        assert it.unit(first)["transported_by"] == boat, it.unit(first)
        it.end_turn()


def perform_listed(it: Game, kind: str, unit: int, target: int) -> None:
    """Performs the only action of a kind between two units in the list of legal actions."""
    ours = ({"unit": unit}, {"unit": target})
    listed = it.alice.do("legal_actions")["answer"]["actions"]
    found = [entry for entry in listed if entry["kind"] == kind and (entry["actor"], entry["target"]) == ours]
    assert len(found) == 1, (kind, unit, [entry for entry in listed if entry["actor"] == ours[0]])
    it.alice.done("perform", **{name: found[0][name] for name in ("actor", "kind", "target", "part")})


def lands(version: str, it: Game, first: int, second: int, far: Place) -> None:
    """The first unit lands by `go_to`, the second by an action where the version has one."""
    target = it.map.number[far]
    it.alice.done("go_to", unit=first, tile=target)
    legal = it.alice.do("legal_actions", unit=second, tile=target)["answer"]["actions"]
    names = [action["action"] for action in legal if "disembark" in str(action["action"])]
    if version == "3.0":
        it.alice.done("go_to", unit=second, tile=target)
    else:
        it.alice.done("act", unit=second, action=names[0], tile=target)
    for unit in (first, second):
        landed = it.unit(unit)
        assert (landed["tile"], landed["transported_by"], landed["moves_left"]) == (target, None, 0), landed


def trades(it: Game, trader: int, home: int, target: int) -> None:
    """A caravan establishes a trade route."""
    it.alice.done("act", unit=trader, action="establish trade route", tile=it.city(target)["tile"])
    (route,) = it.city(home)["trade_routes"]
    assert route["city"] == target and route["value"] > 0, route
    rows = {int(row["id"]): row for row in it.end_turn()[f"player{it.me}"].tables["c"]}
    assert int(rows[home]["traderoute0"]) == target, rows


def caravans_trade_within_a_nation() -> None:
    """By the classic rules, which allow domestic trade, a second caravan on the route enters the marketplace."""
    on_each_version(sells)


def sells(version: str) -> None:
    """Trades between own cities."""
    with game(version, "alice", ruleset="classic", trademindist="1") as it:
        home, _, far = it.map.crossing(it.taken)
        roma, ostia = it.create_city("Roma", home), it.create_city("Ostia", far)
        trades(it, it.create_unit("Caravan", far, roma), roma, ostia)
        gold, seller = it.gold(), it.create_unit("Caravan", far, roma)
        it.alice.done("act", unit=seller, action="enter marketplace")
        assert it.gold() > gold, (gold, it.gold())
        it.end_turn()


def citizens_become_specialists_and_workers() -> None:
    """Settlers join a city; its citizens become specialists of each kind and work again; its worklist is kept."""
    on_each_version(specializes)


def specializes(version: str) -> None:
    """Changes citizens."""
    with game(version, "alice") as it:
        home, _, _ = it.map.crossing(it.taken)
        roma = it.create_city("Roma", home)
        while it.city(roma)["size"] < 7:
            it.alice.done("act", unit=it.create_unit("Migrants", home), action="join city")
        center = it.map.number[home]
        before = it.city(roma)["specialists"]
        tile = next(tile["tile"] for tile in it.alice.world("tiles")["tiles"] if tile["worked_by"] == roma and tile["tile"] != center)
        it.alice.done("make_specialist", city=roma, tile=tile)
        assert it.city(roma)["specialists"] == [before[0] + 1, *before[1:]], (before, it.city(roma))
        for kind in (1, 2):
            it.alice.done("change_specialist", city=roma, **{"from": kind - 1, "to": kind})
            assert it.city(roma)["specialists"][kind] == before[kind] + 1, (kind, before, it.city(roma))
        it.alice.done("change_specialist", city=roma, **{"from": 2, "to": 0})
        it.alice.done("make_worker", city=roma, tile=tile)
        assert it.city(roma)["specialists"] == before, (before, it.city(roma))
        worked = [tile["tile"] for tile in it.alice.world("tiles")["tiles"] if tile["worked_by"] == roma]
        assert tile in worked and len(worked) == it.city(roma)["size"] + 1 - sum(before), (worked, before)
        it.alice.done("make_specialist", city=roma, tile=tile)
        it.alice.done("change_specialist", city=roma, **{"from": 0, "to": 1})
        items = ["Temple", "Settlers", "Library"]
        it.alice.done("worklist", city=roma, items=items)
        assert it.city(roma)["worklist"] == items, it.city(roma)
        (row,) = it.end_turn()[f"player{it.me}"].tables["c"]
        assert [row[f"wl_value{number}"] for number in range(len(items))] == items, row
