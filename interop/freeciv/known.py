"""The facts that the server saves about what our player knows: the map, the others, the settings."""

from collections.abc import Mapping
from typing import Any, Callable

from puppet import World
from savegame import Row, Section

# Signatures of `Facts.check` and `Facts.check_aim`.
Check = Callable[[str, str, object, object], None]
CheckAim = Callable[[str, str, World, Callable[[World], object], object], None]

NOTHING = "-"
SEEN, REMEMBERED = 2, 1
UNKNOWN_TERRAIN = "u"
# Bits of a hexadecimal digit of a saved map.
DIGIT_BITS = 4
CITY_FLAGS = "occupied happy unhappy".split()
# Names of the counts of a saved spaceship, by our name.
SHIP_PARTS = "structurals components modules".split()


def compare(check: Check, check_aim: CheckAim, world: World, saved: Mapping[str, Section]) -> None:
    """Compares everything that our player knows of the world."""
    section = saved[f"player{world['me']}"]
    settings(check, world, saved["settings"].tables["set"])
    game(check, world, saved)
    tiles(check, world, saved, section)
    foreign_cities(check, world, section.tables.get("dc", []))
    foreign_units(check, world, saved)
    spaceships(check, world, saved)
    achievements(check, world, section.tables.get("achievement", []))
    for player in world["players"]:
        if player["playerno"] != world["me"]:
            other(check, check_aim, world, player, saved)


def settings(check: Check, world: World, saved: list[Row]) -> None:
    """Compares the settings that the server lets the client see."""
    theirs = {row["name"]: row["value"] for row in saved}
    for name, setting in world["settings"]:
        if setting["is_visible"] and name in theirs:
            check("setting", name, setting_text(setting), theirs[name])


def setting_text(setting: Any) -> object:
    """Returns a setting as saved games write it."""
    value, names = setting["val"], setting.get("support_names")
    if names is None:
        return value
    if "bits_num" not in setting:
        return names[value]
    return "|".join(name for number, name in enumerate(names) if value >> number & 1)


def game(check: Check, world: World, saved: Mapping[str, Section]) -> None:
    """Compares the state of the game that is not in the settings."""
    ours, theirs = world["game"], saved["game"].values
    for name in ("globalwarming", "heating", "warminglevel", "nuclearwinter", "cooling", "coolinglevel"):
        check("game", name, ours[name], theirs[name])
    known = theirs["global_advances"]
    check("game", "global_advances", digits(ours["global_advances"][: len(known)]), known)


def digits(values: list[Any]) -> str:
    """Returns truths as a string of zeros and ones."""
    return "".join(str(int(bool(value))) for value in values)


def bits(packed: list[int], count: int) -> str:
    """Returns the first bits of a bit vector as a string of zeros and ones."""
    return "".join(str(packed[number // 8] >> number % 8 & 1) for number in range(count))


class Rows:
    """A map of a saved game, which has a value for each tile in its rows."""

    def __init__(self, values: Mapping[str, str], prefix: str) -> None:
        self.values, self.prefix = values, prefix

    def letter(self, x: int, y: int) -> str:
        """Returns the value of a tile in a map with a letter for each."""
        return self.values[f"{self.prefix}{y:04}"][x]

    def word(self, x: int, y: int) -> str:
        """Returns the value of a tile in a map with words between commas."""
        return self.values[f"{self.prefix}{y:04}"].split(",")[x]


def tiles(check: Check, world: World, saved: Mapping[str, Section], section: Section) -> None:
    """Compares every tile with what our player remembers of it, and the cities that work tiles with the map."""
    letters = {row["name"]: row["identifier"] for row in saved["savefile"].tables["terrident"]}
    letter_of = {number: letters[name] for number, name in world["terrains"]}
    width, height = world["size"]
    terrain = Rows(section.values, "map_t")
    # With borders that are not fogged, players see the real ones.
    is_fogged = "map_owner0000" in section.values
    owner = Rows(section.values, "map_owner") if is_fogged else Rows(saved["map"].values, "owner")
    extras_owner = Rows(section.values, "extras_owner") if is_fogged else Rows(saved["map"].values, "eowner")
    worked, mine = Rows(saved["map"].values, "worked"), own_cities(world)
    ours = {tile["tile"]: tile for tile in world["tiles"]}
    for number in range(width * height):
        x, y = number % width, number // width
        tile = ours.get(number)
        check("tile", f"{x},{y} terrain", letter_of[tile["terrain"]] if tile else UNKNOWN_TERRAIN, terrain.letter(x, y))
        if tile is None:
            continue
        check("tile", f"{x},{y} owner", text(tile["owner"]), owner.word(x, y))
        # A saved game has the resource among the extras, also where it is no longer one since the terrain changed.
        extras = {*tile["extras"], tile["resource"]} - {None}
        check("tile", f"{x},{y} extras", sorted(extras), saved_extras(section, x, y))
        if is_fogged or tile["known"] == SEEN:
            check("tile", f"{x},{y} extras owner", text(tile["extras_owner"]), extras_owner.word(x, y))
        city = worked.word(x, y)
        if city in mine:
            check("tile", f"{x},{y} worked", text(tile["worked"]), city)
        elif tile["known"] == SEEN:
            check("tile", f"{x},{y} label", tile["label"] or "", saved["map"].values.get(f"label_{x}_{y}", ""))


def own_cities(world: World) -> set[str]:
    """Returns the ids of our cities."""
    return {str(city["fields"]["id"]) for city in world["cities"] if city["fields"]["owner"] == world["me"]}


def text(value: object) -> str:
    """Returns a value of a map."""
    return NOTHING if value is None else str(value)


def saved_extras(section: Section, x: int, y: int) -> list[int]:
    """Returns the extras that our player remembers on a tile."""
    found: list[int] = []
    for group in range(32):
        row = section.values.get(f"map_e{group:02}_{y:04}")
        if row is None:
            break
        digit = int(row[x], 16)
        found += [group * DIGIT_BITS + bit for bit in range(DIGIT_BITS) if digit >> bit & 1]
    return found


def foreign_cities(check: Check, world: World, saved: list[Row]) -> None:
    """Compares the cities of others with what our player remembers of them."""
    theirs = {int(row["id"]): row for row in saved}
    others = [city["fields"] for city in world["cities"] if city["fields"]["owner"] != world["me"]]
    ours = {city["id"]: city for city in others}
    check("foreign city", "ids", sorted(ours), sorted(theirs))
    width = world["size"][0]
    for number in ours.keys() & theirs.keys():
        city, row = ours[number], theirs[number]
        check("foreign city", f"{number} place", (city["tile"] % width, city["tile"] // width), (int(row["x"]), int(row["y"])))
        for name in ("owner", "size", "name", "city_image", *CITY_FLAGS):
            check("foreign city", f"{number} {name}", city[name], row[name])
        check("foreign city", f"{number} walls", bool(city["walls"]), row["walls"])
        check("foreign city", f"{number} style", world["city_styles"][city["style"]], row["style"])
        count = len(row["improvements"])
        check("foreign city", f"{number} improvements", bits(city["improvements"], count), row["improvements"])


def foreign_units(check: Check, world: World, saved: Mapping[str, Section]) -> None:
    """Compares the units of others that we see with the real ones."""
    width = world["size"][0]
    theirs = {
        int(row["id"]): (player, row)
        for player in range(int(saved["players"].values["nplayers"]))
        for row in saved[f"player{player}"].tables.get("u", [])
    }
    for unit in world["units"]:
        fields = unit["fields"]
        if fields["owner"] == world["me"]:
            continue
        label = str(fields["id"])
        player, row = theirs.get(fields["id"], (None, {}))
        check("foreign unit", f"{label} owner", fields["owner"], player)
        if player is None:
            continue
        place = (fields["tile"] % width, fields["tile"] // width)
        check("foreign unit", f"{label} place", place, (int(row["x"]), int(row["y"])))
        check("foreign unit", f"{label} type", world["unit_types"][fields["type"]], row["type_by_name"])
        for name in ("hp", "veteran", "activity"):
            check("foreign unit", f"{label} {name}", fields[name], row[name])


def spaceships(check: Check, world: World, saved: Mapping[str, Section]) -> None:
    """Compares the spaceships of which the server told."""
    for ship in world["spaceships"]:
        values = saved[f"player{ship['player_num']}"].values
        check("spaceship", "state", ship["sship_state"], values["spaceship.state"])
        for name in SHIP_PARTS:
            check("spaceship", name, ship[name], values.get(f"spaceship.{name}", 0))


def achievements(check: Check, world: World, saved: list[Row]) -> None:
    """Compares the achievements of our player."""
    gained = {world["achievement_names"][number]: first for number, is_gained, first in world["achievements"] if is_gained}
    check("achievement", "names", sorted(gained), sorted(row["name"] for row in saved))
    for row in saved:
        check("achievement", row["name"], gained.get(row["name"]), row["first"])


def other(check: Check, check_aim: CheckAim, world: World, player: World, saved: Mapping[str, Section]) -> None:
    """Compares what our player knows of another one."""
    number, me = player["playerno"], world["me"]
    section = saved[f"player{number}"]
    values = section.values
    check("other", f"{number} nation", world["nations"].get(str(player["nation"])), values["nation"])
    check("other", f"{number} style", world["styles"][player["style"]], values["style_by_name"])
    check("other", f"{number} team", player["team"], values["team_no"])
    check("other", f"{number} username", player["username"], values["username"])
    color = [player["color_red"], player["color_green"], player["color_blue"]]
    check("other", f"{number} color", color, [int(values[f"color.{part}"]) for part in "rgb"])
    check("other", f"{number} turns alive", player["turns_alive"], values["turns_alive"])
    mine = saved[f"player{me}"].tables["diplstate"][number]
    if mine["embassy"] != "TRUE":
        return
    # A server sends the new government of another player a turn later.
    if player["revolution_finishes"] != world["turn"]:
        check("embassy", f"{number} government", world["governments"][player["government"]], values["government_name"])
    # The AI of another nation changes these after the server has sent them.
    for name, theirs in (("gold", "gold"), ("tax", "rates.tax"), ("science", "rates.science"), ("luxury", "rates.luxury")):
        check_aim("embassy", f"{number} {name}", world, of_player(number, name), values[theirs])
    check("embassy", f"{number} score", player["score"], saved[f"score{number}"].values["total"])
    research = dict(map(tuple, world["researches"])).get(number)
    row = saved["research"].tables["r"][number]
    states = research["inventions"][: len(row["done"])] if research else ""
    check("embassy", f"{number} advances", "".join("1" if state == "2" else "0" for state in states), row["done"])


def of_player(number: int, name: str) -> Callable[[World], object]:
    """Returns how a world is asked for a field of a player."""
    return lambda world: next(player[name] for player in world["players"] if player["playerno"] == number)
