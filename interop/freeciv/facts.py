"""The facts of our world, compared with those of a game that the server saved."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import itinerary
import known
from puppet import World
from savegame import Row, Section

# Numbers of the kinds of production that a saved game names.
PRODUCTION_KINDS = {"Building": 3, "UnitType": 6}
KNOWN = "2"
NO_ADVANCE = "A_UNSET"
NO_PLAYER = 512
# Turns that a contact lasts. A server does not send that it is renewed in the middle of a turn.
CONTACT_TURNS = "20"
# Fields that have the same name in both.
CITY_FIELDS = (
    "size food_stock shield_stock history airlift was_happy turn_founded did_buy did_sell "
    "turn_last_built before_change_shields caravan_shields disbanded_shields last_turns_shield_surplus city_radius_sq"
).split()
# Fields of a city that only some versions send.
NEWER_CITY_FIELDS = {"steal": ("3.1", "3.2"), "anarchy": ("3.2",), "rapture": ("3.2",)}
# Names of a unit's field in a saved game, by our name.
UNIT_FIELDS = {"movesleft": "moves"} | {
    name: name
    for name in (
        "hp homecity veteran nationality activity activity_count changed_from fuel battlegroup done_moving "
        "paradropped stay orders_length orders_index orders_repeat orders_vigilant "
        "activity_tgt changed_from_count changed_from_tgt"
    ).split()
}
# Fields of a unit that only some versions send.
NEWER_UNIT_FIELDS = {
    "3.0": {"ai": "ai"},
    "3.1": {"ssa_controller": "server_side_agent"},
    "3.2": {"ssa_controller": "server_side_agent", "birth_turn": "born", "current_form_turn": "current_form_turn"},
}
CITY_OPTIONS = 3
# Names of the directions of a trade route, by their numbers. Since 3.1 zero is no direction.
ROUTE_DIRECTIONS = ["From", "To", "Bidirectional"]
# Names of what a player gives to others in a saved game, by our name.
GIFTS = {"real_embassy": "embassy", "gives_shared_vision": "gives_shared_vision", "gives_shared_tiles": "gives_shared_tiles"}
RATES = {"tax": "rates.tax", "science": "rates.science", "luxury": "rates.luxury"}
PLAYER_FIELDS = {name: name for name in "name username gold is_alive turns_alive revolution_finishes history".split()} | RATES


class Facts:
    """Counts what was compared, and lists what differs."""

    def __init__(self) -> None:
        self.compared: Counter[str] = Counter()
        self.differing: list[str] = []
        # Values that the server's AI may have set without a packet: what and whose they are, how a world is asked for
        # them, and what was saved.
        self.unsent: list[tuple[str, str, Callable[[World], object], object]] = []
        self.is_ai = False

    def check(self, what: str, name: str, ours: object, saved: object) -> None:
        """Compares one value."""
        self.compared[what] += 1
        if plain(ours) != plain(saved):
            self.differing.append(f"{what} {name}: ours {ours!r}, saved {saved!r}")

    def check_aim(self, what: str, name: str, world: World, read: Callable[[World], object], saved: object) -> None:
        """Compares a value that says what somebody is about to do. The server's AI sets it without a packet; the next packet
        has the new value. A difference counts only if `late` finds it too."""
        if plain(read(world)) != plain(saved):
            self.unsent.append((what, name, read, saved))
        else:
            self.check(what, name, read(world), saved)

    def check_ours(self, what: str, name: str, world: World, read: Callable[[World], object], saved: object) -> None:
        """Compares a value about our own nation, which the server's AI may play."""
        if self.is_ai:
            self.check_aim(what, name, world, read, saved)
        else:
            self.check(what, name, read(world), saved)

    def late(self, world: World) -> None:
        """Compares the unsent values with the world of an observer that has just joined and received everything."""
        for what, name, read, saved in self.unsent:
            self.check(f"late {what}", name, read(world), saved)
        self.unsent.clear()

    def game(self, world: World, saved: Mapping[str, Section]) -> None:
        """Compares everything about our player."""
        for name in ("turn", "year"):
            self.check("game", name, world[name], saved["game"].values[name])
        me = world["me"]
        section = saved[f"player{me}"]
        self.is_ai = "ai" in section.values.get("flags", "").replace('"', "").split(",")
        (player,) = [player for player in world["players"] if player["playerno"] == me]
        self.player(world, player, section)
        self.check("player", "score", player["score"], saved[f"score{me}"].values["total"])
        self.research(world, saved["research"].tables["r"][me])
        self.relations(world, section.tables["diplstate"])
        self.gifts(world, saved)
        self.others(world, saved)
        width = world["size"][0]
        cities = {int(city["id"]): city for city in section.tables.get("c", [])}
        units = {int(unit["id"]): unit for unit in section.tables.get("u", [])}
        own_cities, own_units = own(world, "cities"), own(world, "units")
        self.check("cities", "ids", sorted(own_cities), sorted(cities))
        self.check("units", "ids", sorted(own_units), sorted(units))
        for number in cities.keys() & own_cities.keys():
            self.city(world, own_cities[number], cities[number], width)
            self.rally_point(world, number, cities[number], saved)
        self.counters(world, own_cities, saved)
        for number in units.keys() & own_units.keys():
            self.unit(world, own_units[number], units[number], width)
            ours = itinerary.written(itinerary.steps_of(own_units[number]), saved, world["version"])
            columns = itinerary.read(units[number], itinerary.UNIT_LETTERS, itinerary.UNIT_NUMBERS, len(ours["action"]))
            self.steps("unit", number, ours, columns)
        known.compare(self.check, self.check_aim, world, saved)

    def player(self, world: World, player: World, section: Section) -> None:
        """Compares our nation."""
        for name, theirs in PLAYER_FIELDS.items():
            self.check("player", name, player[name], section.values[theirs])
        self.check("player", "government", world["governments"][player["government"]], section.values["government_name"])
        self.check("player", "nation", world["nations"].get(str(player["nation"])), section.values["nation"])

    def research(self, world: World, saved: Row) -> None:
        """Compares what we know and find out."""
        research, names = world["research"], world["advances"]
        known = "".join("1" if state == KNOWN else "0" for state in research["inventions"][: len(saved["done"])])
        self.check("research", "known", known, saved["done"])
        self.check("research", "bulbs", research["bulbs_researched"], saved["bulbs"])
        self.check("research", "techs", research["techs_researched"], saved["techs"])
        for ours, theirs in (("researching", "now_name"), ("tech_goal", "goal_name")):
            self.check_ours("research", ours, world, lambda seen, ours=ours: names.get(str(seen["research"][ours]), NO_ADVANCE), saved[theirs])

    def relations(self, world: World, saved: list[Row]) -> None:
        """Compares the diplomatic states with the other players."""
        for number, relation in world["relations"].items():
            row = saved[int(number)]
            self.check("relation", f"{number} state", relation["state"], row["current"])
            self.check("relation", f"{number} turns left", relation["turns_left"], row["turns_left"])
            if row["contact_turns_left"] != CONTACT_TURNS:
                self.check("relation", f"{number} contact", relation["contact_turns_left"], row["contact_turns_left"])
            self.check("relation", f"{number} reason", relation["reason_to_cancel"], row["has_reason_to_cancel"])

    def gifts(self, world: World, saved: Mapping[str, Section]) -> None:
        """Compares the embassies, the vision and the tiles that we and each other player share."""
        me, players = world["me"], {player["playerno"]: player for player in world["players"]}
        for other in players.keys() - {me}:
            for giver, receiver in ((me, other), (other, me)):
                row = saved[f"player{giver}"].tables["diplstate"][receiver]
                for name, theirs in GIFTS.items():
                    # Versions before 3.2 have no tiles to share.
                    if players[giver][name] is not None:
                        given = bool(bit(players[giver][name], receiver))
                        self.check("relation", f"{giver} {theirs} {receiver}", given, row[theirs])

    def others(self, world: World, saved: Mapping[str, Section]) -> None:
        """Compares what everybody knows of the other players."""
        for player in world["players"]:
            section = saved[f"player{player['playerno']}"]
            name = f"{player['playerno']} name"
            self.check("other", name, player["name"], section.values["name"])
            self.check("other", "is_alive", player["is_alive"], section.values["is_alive"])

    def city(self, world: World, city: World, saved: Row, width: int) -> None:
        """Compares one of our cities."""
        label = str(city["id"])
        place(self, "city", city, saved, width)
        self.check("city", f"{label} name", city["name"], saved["name"])
        for name in CITY_FIELDS:
            self.check("city", f"{label} {name}", city[name], saved[name])
        for name, versions in NEWER_CITY_FIELDS.items():
            self.check("city", f"{label} {name}", city[name], saved[name] if world["version"] in versions else None)
        built = "".join(str(bit(city["improvements"], number)) for number in range(len(saved["improvements"])))
        self.check("city", f"{label} improvements", built, saved["improvements"])
        if world["version"] != "3.0":  # which does not send it
            # No player is the owner.
            founder = city["owner"] if city["original"] == NO_PLAYER else city["original"]
            self.check("city", f"{label} original", founder, saved["original"])
        for ours, theirs in (("production", "currently_building"), ("changed_from", "changed_from")):
            kind, value = saved[f"{theirs}_kind"], city[f"{ours}_value"]
            self.check("city", f"{label} {ours} kind", city[f"{ours}_kind"], PRODUCTION_KINDS[kind])
            names = world["unit_types" if kind == "UnitType" else "buildings"]
            self.check("city", f"{label} {ours}", names[value], saved[f"{theirs}_name"])
        for number, count in enumerate(city["specialists"]):
            self.check("city", f"{label} specialist {number}", count, saved[f"nspe{number}"])
        self.check("city", f"{label} style", world["city_styles"][city["style"]], saved["style"])
        options = "".join(str(bit(city["city_options"], number)) for number in range(CITY_OPTIONS))
        kept = "".join(str(int(saved[f"option{number}"] == "TRUE")) for number in range(CITY_OPTIONS))
        self.check("city", f"{label} options", options, kept)
        (details,) = [details for details in world["city_details"] if details["city"] == city["id"]]
        self.citizens(label, city, details, saved)
        self.worklist(world, label, city["worklist"], saved)
        self.trade_routes(world, label, details["trade_routes"], saved)

    def rally_point(self, world: World, city: int, row: Row, saved: Mapping[str, Section]) -> None:
        """Compares the rally point of a city. 3.0 does not send it."""
        (details,) = [details for details in world["city_details"] if details["city"] == city]
        point = details["rally_point"] or {"length": 0, "persistent": False, "vigilant": False, "orders": []}
        if world["version"] == "3.0":
            self.check("city", f"{city} rally point", details["rally_point"], None)
            return
        for name in ("length", "persistent", "vigilant"):
            self.check("city", f"{city} rally point {name}", point[name], row[f"rally_point_{name}"])
        ours = itinerary.written(point["orders"], saved, world["version"])
        columns = itinerary.read(row, itinerary.CITY_LETTERS, itinerary.CITY_NUMBERS, len(point["orders"]))
        self.steps("city", city, ours, columns)

    def steps(self, what: str, number: int, ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> None:
        """Compares the steps of a unit or of a rally point, part by part."""
        for name, value in theirs.items():
            self.check(what, f"{number} {name} of steps", ours[name], value)

    def counters(self, world: World, own_cities: dict[int, World], saved: Mapping[str, Section]) -> None:
        """Compares the counters of our cities, which only 3.2 has."""
        rows = saved["counters"].values.values() if "counters" in saved else []
        theirs = {int(city): counts for city, *counts in (row.split(",") for row in rows)}
        for details in world["city_details"]:
            if details["city"] in own_cities:
                counts = [str(count) for count in details["counters"]]
                self.check("city", f"{details['city']} counters", counts, theirs.get(details["city"], []))

    def citizens(self, label: str, city: World, details: World, saved: Row) -> None:
        """Compares the nationalities of the citizens. 3.0 has them in the city's own packet."""
        source = details["nationalities"] or city
        ours = dict(zip(source["nation_id"], source["nation_citizens"]))
        theirs = {
            int(name.removeprefix("citizen")): int(count)
            for name, count in saved.items()
            if name.startswith("citizen") and count not in ("", "0")
        }
        self.check("city", f"{label} nationalities", ours, theirs)

    def worklist(self, world: World, label: str, ours: list[int], saved: Row) -> None:
        """Compares what a city shall build next."""
        length = int(saved["wl_length"])
        names = [world["unit_types" if kind == PRODUCTION_KINDS["UnitType"] else "buildings"][value] for kind, value in zip(ours[::2], ours[1::2])]
        self.check("city", f"{label} worklist", names, [saved[f"wl_value{number}"] for number in range(length)])

    def trade_routes(self, world: World, label: str, routes: list[World], saved: Row) -> None:
        """Compares the trade routes of a city."""
        directions = ROUTE_DIRECTIONS if world["version"] == "3.0" else ["None", *ROUTE_DIRECTIONS]
        ours = {(route["partner"], directions[route["direction"]], world["goods"][route["goods"]]) for route in routes}
        theirs = {
            (int(partner), saved[f"route_direction{name}"], saved[f"route_good{name}"])
            for name, partner in ((name.removeprefix("traderoute"), value) for name, value in saved.items() if name.startswith("traderoute"))
            if int(partner or 0)
        }
        self.check("city", f"{label} trade routes", sorted(ours), sorted(theirs))

    def unit(self, world: World, unit: World, saved: Row, width: int) -> None:
        """Compares one of our units."""
        label = str(unit["id"])
        place(self, "unit", unit, saved, width)
        self.check("unit", f"{label} type", world["unit_types"][unit["type"]], saved["type_by_name"])
        for name, theirs in UNIT_FIELDS.items():
            self.check("unit", f"{label} {name}", unit[name], saved[theirs])
        self.check("unit", f"{label} facing", itinerary.DIRECTIONS[unit["facing"]], saved["facing"])
        for name, theirs in NEWER_UNIT_FIELDS[world["version"]].items():
            if name == "ai":
                self.check_ours("unit", f"{label} ai", world, of_unit(unit, "ai"), saved[theirs])
            else:
                self.check("unit", f"{label} {name}", unit[name], saved[theirs])
        boat = unit["transported_by"] if unit["transported"] else -1
        self.check("unit", f"{label} boat", boat, saved["transported_by"])
        target = int(saved["goto_x"]) + int(saved["goto_y"]) * width if saved["go"] == "TRUE" else -1
        self.check_ours("unit", f"{label} goto_tile", world, of_unit(unit, "goto_tile"), target)


def of_unit(unit: World, name: str) -> Callable[[World], object]:
    """Returns how a world is asked for a field of one of our units."""
    return lambda world: own(world, "units")[unit["id"]][name]


def bit(packed: list[int], number: int) -> int:
    """Returns a bit of a bit vector."""
    return packed[number // 8] >> number % 8 & 1


def place(facts: Facts, what: str, thing: World, saved: Row, width: int) -> None:
    """Compares where something is."""
    ours, theirs = (thing["tile"] % width, thing["tile"] // width), (int(saved["x"]), int(saved["y"]))
    facts.check(what, f"{thing['id']} place", ours, theirs)


def own(world: World, what: str) -> dict[int, World]:
    """Returns our own cities or units by number; all their fields are known."""
    mine = [thing for thing in world[what] if thing["fields"]["owner"] == world["me"]]
    assert all(thing["is_full"] for thing in mine)
    return {thing["fields"]["id"]: thing["fields"] for thing in mine}


def plain(value: Any) -> str:
    """Returns a value as saved games write it."""
    return str(value).upper() if isinstance(value, bool) else str(value)
