"""Commands of the server that make the start of a task, in its language Lua."""

from __future__ import annotations

MAX_LINE = 500
"""Maximum number of bytes of a command; the server cuts longer ones."""


def lua(script: str) -> str:
    """Returns the command that executes a script."""
    command = f"/lua cmd {script}"
    if len(command.encode()) > MAX_LINE:
        raise ValueError(f"the command has more than {MAX_LINE} bytes: {command}")
    return command


PREPARE = (
    # The own player, the first of the server's AI, and the tile where the own units are.
    lua("me = find.player(0) foe = find.player(1) for unit in me:units_iterate() do home = unit.tile break end"),
    lua("function kill(player) for unit in player:units_iterate() do edit.unit_kill(unit, 'editor', player) end end"),
    lua("function put(player, tile, name) edit.create_unit(player, tile, find.unit_type(name), 0, nil, -1) end"),
    # A tile without units and cities at a squared distance.
    lua(
        "function free(class, from, low, high) for tile in from:circle_iterate(high) do "
        "if tile.terrain:class_name() == class and tile:num_units() == 0 and not tile:city() "
        "and tile:sq_distance(from) >= low then return tile end end end"
    ),
    lua("function land(from, low, high) return free('Land', from, low, high) end"),
    lua("function water(from, low, high) return free('Oceanic', from, low, high) end"),
    # A tile of the sea with at least five others around.
    lua(
        "function sea() for tile in whole_map_iterate() do local count = 0 for other in tile:square_iterate(1) do "
        "if other.terrain:class_name() == 'Oceanic' then count = count + 1 end end "
        "if count >= 6 and tile.terrain:class_name() == 'Oceanic' and tile:num_units() == 0 then return tile end end end"
    ),
    lua("kill(me)"),
)
"""The commands that define names for the others, and remove the own units."""

SHORES = (
    # The ids of the tiles of a class that are connected to one.
    lua(
        "function fill(from, class) local seen, list = {[from.id] = true}, {from} while #list > 0 do "
        "local tile = table.remove(list) for other in tile:square_iterate(1) do "
        "if other.terrain:class_name() == class and not seen[other.id] then "
        "seen[other.id] = true list[#list + 1] = other end end end return seen end"
    ),
    # A tile that `is_fit` and next to one for which `has` is true, and that one.
    lua(
        "function edge(from, high, is_fit, has) for tile in from:circle_iterate(high) do if is_fit(tile) then "
        "for other in tile:square_iterate(1) do if has(other) then return tile, other end end end end end"
    ),
    lua(
        "function room(tile) local count = 0 for other in tile:square_iterate(2) do if other.terrain:class_name() == 'Land' "
        "and other.terrain:rule_name() ~= 'Glacier' then count = count + 1 end end return count end"
    ),
    # The nearest coast of the continent where the units are, and the sea there.
    lua(
        "here = fill(home, 'Land') port, dock = edge(home, 100, function(tile) return here[tile.id] end, "
        "function(tile) return tile.terrain:class_name() == 'Oceanic' and tile:num_units() == 0 end)"
    ),
    # The nearest coast of another continent on the same sea that is some tiles away and has land around it.
    lua(
        "wet = fill(dock, 'Oceanic') goal = edge(dock, 400, function(tile) return tile.terrain:class_name() == 'Land' "
        "and not here[tile.id] and tile:sq_distance(dock) >= 9 and tile:num_units() == 0 and room(tile) > 10 end, "
        "function(tile) return wet[tile.id] end)"
    ),
)
"""The commands that define `port`, `dock` and `goal`: two coasts of one sea, of different continents."""


def units(player: str, tile: str, *types: str) -> tuple[str, ...]:
    """Returns the commands that create units of a player, `me` or `foe`, on a tile."""
    return (lua(f"spot = {tile}"), *(lua(f"put({player}, spot, '{name}')") for name in types))


def give(player: str, *advances: str) -> str:
    """Returns the command that gives advances to a player."""
    one = "edit.give_technology({}, find.tech_type('{}'), -1, false, 'researched')"
    return lua(" ".join(one.format(player, advance) for advance in advances))
