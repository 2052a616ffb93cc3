"""Observers that join in the middle of a game."""

from collections.abc import Callable
from typing import Any

from puppet import Puppet, World
from server import Server

from .games import encodes_to_the_same_bytes

TURNS_BEFORE = 5
TURNS_AFTER = 3


def of_all_sees_what_a_player_sees() -> None:
    """A global observer attaches in the middle of a game, detaches and attaches again."""
    attached("observe", lambda world: world["me"] is None, is_whole=False)


def of_a_player_sees_the_same() -> None:
    """An observer of one player does the same; its world equals the player's."""
    attached("observe {name}", lambda world: world["me"] is not None, is_whole=True)


def attached(observe: str, is_right: Callable[[World], bool], is_whole: bool) -> None:
    """Attaches, detaches and attaches again while a player continues the game."""
    with Server() as server, Puppet(server.address, "alice") as alice:
        alice.does("start")
        alice.does("until 1")
        alice.does("found Gamewire City")
        alice.does("settle")
        for _ in range(TURNS_BEFORE):
            alice.does("turn")
        with Puppet(server.address, "bob") as bob:
            (me,) = [player for player in alice.world()["players"] if player["username"] == "alice"]
            watch = observe.format(name=me["name"])
            for _ in range(2):
                bob.does(watch)
                equal_where_both_see(alice.world(), bob.world(), is_right, is_whole)
                for _ in range(TURNS_AFTER):
                    alice.does("turn")
                equal_where_both_see(alice.world(), bob.world(), is_right, is_whole)
                if is_whole:
                    players_are_equal(alice.world(), bob.world())
                bob.does("detach")
                alice.does("turn")
                assert not bob.world()["is_observer"]
            encodes_to_the_same_bytes(bob)
        encodes_to_the_same_bytes(alice)


def equal_where_both_see(player: World, observer: World, is_right: Callable[[World], bool], is_whole: bool) -> None:
    """Checks each field of the objects that both know."""
    assert observer["is_observer"] and is_right(observer), (observer["is_observer"], observer["me"])
    assert player["turn"] == observer["turn"] and player["year"] == observer["year"]
    seen = {tile["tile"] for tile in player["tiles"] if tile["known"] == 2}
    mine = player["me"]
    assert len(seen) > 15, len(seen)
    compare(by(tiles(player, seen), "tile"), by(tiles(observer, seen), "tile"), "tile")
    for what in ("cities", "units"):
        theirs = by([thing["fields"] for thing in observer[what]], "id")
        ours = {
            thing["fields"]["id"]: (thing["fields"], thing["is_full"], theirs.get(thing["fields"]["id"]))
            for thing in player[what]
            if thing["fields"]["tile"] in seen
        }
        assert ours, what
        for number, (own, is_full, other) in ours.items():
            assert other is not None, (what, own)
            compare({number: own}, {number: other}, what, only=None if is_full else set(own) & set(other))
        if is_whole:
            assert set(by([thing["fields"] for thing in player[what]], "id")) == set(theirs), what
    ours, theirs = by(player["players"], "playerno"), by(observer["players"], "playerno")
    compare({mine: ours[mine]}, {mine: theirs[mine]}, "player")
    if is_whole:
        compare(by(player["tiles"], "tile"), by(observer["tiles"], "tile"), "tile")


def players_are_equal(player: World, observer: World) -> None:
    """Checks all players after a turn has begun for both.

    A server sends changes from the end of a turn, such as a new government, with the next turn, but to a
    newcomer immediately.
    """
    compare(by(player["players"], "playerno"), by(observer["players"], "playerno"), "player")


def tiles(world: World, seen: set[int]) -> list[dict[str, Any]]:
    """Returns the tiles of a world that are seen."""
    return [tile for tile in world["tiles"] if tile["tile"] in seen]


def by(things: list[dict[str, Any]], key: str) -> dict[int, dict[str, Any]]:
    """Returns objects by one of their numbers."""
    return {thing[key]: thing for thing in things}


def compare(
    ours: dict[int, dict[str, Any]],
    theirs: dict[int, dict[str, Any]],
    what: str,
    only: "set[str] | None" = None,
) -> None:
    """Checks that both are equal in every field, or in the fields `only`."""
    assert ours.keys() == theirs.keys(), (what, ours.keys() ^ theirs.keys())
    different = {
        (number, name): (value, theirs[number].get(name))
        for number, thing in ours.items()
        for name, value in thing.items()
        if (only is None or name in only) and value != theirs[number].get(name)
    }
    assert not different, (what, different)
