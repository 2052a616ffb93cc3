"""Treaties between two players on the real servers, and the worlds and saved games after them."""

from typing import Any

from facts import bit
from flat import Place
from known import SEEN
from play import Play
from puppet import World

from scenarios.orders import Game, game, on_each_version, trades


class Treaty:
    """The meetings of two players, the second of whom agrees to everything."""

    def __init__(self, it: Game) -> None:
        self.alice, self.bob = it.players
        self.me, self.other = it.me, int(self.bob.world("me")["me"]["player"])

    def sync(self) -> None:
        """Waits until both received everything that the server has sent so far."""
        for play in (self.alice, self.bob):
            play.do("say", text="/show turn")

    def relation(self) -> Any:
        """Returns the diplomatic state, on which both must agree."""
        self.sync()
        seen = [
            next(player["relation"] for player in play.world("players")["players"] if player["player"] == other)
            for play, other in ((self.alice, self.other), (self.bob, self.me))
        ]
        assert seen[0] == seen[1], seen
        return seen[0]

    def meetings(self) -> tuple[Any, Any]:
        """Returns the meetings that both see after they received everything that the server has sent so far."""
        self.sync()
        return self.alice.world("meetings")["meetings"], self.bob.world("meetings")["meetings"]

    def adds(self, giver: int, clause: str, value: "int | str") -> None:
        """Adds a clause, which both see."""
        self.alice.done("add_clause", player=self.other, giver=giver, clause=clause, value=value)
        for (meeting,) in self.meetings():
            assert any((it["giver"], it["clause"]) == (giver, clause) for it in meeting["clauses"]), (clause, meeting)

    def is_discussed(self) -> None:
        """Begins a treaty, adds and removes a clause, accepts, withdraws and ends the meeting without a treaty."""
        self.alice.done("meet", player=self.other)
        self.adds(self.me, "gold", 50)
        self.alice.done("remove_clause", player=self.other, giver=self.me, clause="gold", value=50)
        self.adds(self.other, "embassy", 0)
        for is_accepted in (True, False):
            self.bob.done("accept_treaty", player=self.me)
            (mine,), (theirs,) = self.meetings()
            assert mine["other_accepted"] == theirs["i_accepted"] == is_accepted, (mine, theirs)
            assert len(mine["clauses"]) == 1, mine
        self.bob.done("cancel_meeting", player=self.me)
        assert self.meetings() == ([], []), self.meetings()

    def signs(self, *clauses: "tuple[int, str, int | str]") -> None:
        """Signs a treaty."""
        self.alice.done("meet", player=self.other)
        for clause in clauses:
            self.adds(*clause)
        self.alice.done("accept_treaty", player=self.other)
        self.bob.done("accept_treaty", player=self.me)
        assert self.meetings() == ([], []), self.meetings()


def two_players_sign_treaties_and_trade() -> None:
    """Two players sign treaties with clauses of all kinds, and a caravan trades with a city of the other, as the rules demand."""
    on_each_version(signs)


def signs(version: str) -> None:
    """Signs treaties, and trades after the war."""
    with game(version, "alice", "bob", trademindist="1") as it:
        treaty = Treaty(it)
        home, _, far = it.map.crossing(it.taken)
        near = land_at(it, far)
        roma = it.create_city("Roma", home)
        ostia = it.create_city("Ostia", it.map.site(it.taken | {home, far}))
        # It sees the city of the other, and the players come into contact.
        trader = it.create_unit("Caravan", near, roma)
        athens = it.create_city("Athens", far, treaty.other)
        treaty.is_discussed()
        assert treaty.relation() == "war"
        treaty.signs((it.me, "ceasefire", 0))
        assert treaty.relation() == "ceasefire"
        before = it.gold()
        treaty.signs((it.me, "gold", 100), (treaty.other, "embassy", 0), (it.me, "embassy", 0))
        assert it.gold() == before - 100, (before, it.gold())
        treaty.signs((it.me, "sea map", 0), (treaty.other, "world map", 0), (it.me, "shared vision", 0))
        treaty.signs((it.me, "city", ostia))
        assert it.city(ostia)["owner"] == treaty.other, it.city(ostia)
        gives_advance(it, treaty)
        it.end_turn()
        treaty.signs((it.me, "peace", 0))
        assert treaty.relation() == "armistice"
        trades(it, trader, roma, athens)


def land_at(it: Game, place: Place) -> Place:
    """Returns land next to a tile."""
    return next(near for near in it.map.around(place) if not it.map.is_sea(near))


def gives_advance(it: Game, treaty: Treaty) -> None:
    """A player gives an advance that the other one lacks and could research."""
    players = {it.me: it.players[0], treaty.other: it.players[1]}
    me = {number: player.world("me")["me"] for number, player in players.items()}
    pairs = [(it.me, treaty.other), (treaty.other, it.me)]
    giver, receiver, name = next(
        (giver, receiver, name)
        for giver, receiver in pairs
        for name in me[giver]["advances"]
        if name in me[receiver]["can_research"]
    )
    treaty.signs((giver, "advance", name))
    assert name in players[receiver].world("me")["me"]["advances"], name


def pacts_and_shared_vision_begin_and_end() -> None:
    """Two players share vision and tiles, become allies, and cancel one pact after the other until there is war."""
    on_each_version(ends)


def ends(version: str) -> None:
    """Begins and ends what players share, and each pact."""
    # Only the sandbox of 3.2 has the clause of shared tiles. A game whose players are all allies ends with their victory.
    has_tiles = version == "3.2"
    with game(version, "alice", "bob", ruleset="sandbox" if has_tiles else None, victories="SPACERACE") as it:
        treaty = Treaty(it)
        home, _, far = it.map.crossing(it.taken)
        it.create_city("Roma", home)
        it.create_unit("Explorer", land_at(it, far))
        it.create_city("Athens", far, treaty.other)
        shares(it, treaty, has_tiles)
        # An alliance needs neither peace nor an embassy.
        treaty.signs((it.me, "alliance", 0))
        assert treaty.relation() == "alliance"
        it.end_turn()
        alice, bob = (it.alice, treaty.other), (it.players[1], it.me)
        cancels(it, treaty, alice, "armistice", "war")
        treaty.signs((treaty.other, "ceasefire", 0))
        assert treaty.relation() == "ceasefire"
        it.end_turn()
        cancels(it, treaty, bob, "war")
        treaty.signs((it.me, "peace", 0))
        while treaty.relation() == "armistice":
            it.end_turn()
        assert treaty.relation() == "peace"
        cancels(it, treaty, bob, "war")


def cancels(it: Game, treaty: Treaty, canceling: "tuple[Play, int]", *states: str) -> None:
    """One player cancels pacts, with these states after each. War is not a pact."""
    play, other = canceling
    for state in states:
        play.done("cancel_pact", player=other)
        assert treaty.relation() == state, (state, treaty.relation())
        it.end_turn()
    assert play.do("cancel_pact", player=other)["outcome"] == "silent" and treaty.relation() == states[-1]


def shares(it: Game, treaty: Treaty, has_tiles: bool) -> None:
    """Our player shares vision, then no longer, and tiles where there is such a clause."""
    before = seen(it.watchers[1].world())
    assert gifts(it, treaty) == [(False, False)] * 2
    treaty.signs((it.me, "shared vision", 0))
    assert gifts(it, treaty) == [(True, False)] * 2
    mine, theirs = (seen(watcher.world()) for watcher in it.watchers)
    assert mine - before and theirs == mine | before, (mine, theirs, before)
    it.end_turn()
    it.alice.done("end_shared_vision", player=treaty.other)
    assert gifts(it, treaty) == [(False, False)] * 2
    assert seen(it.watchers[1].world()) == before
    it.end_turn()
    if has_tiles:
        treaty.signs((it.me, "shared tiles", 0))
        assert gifts(it, treaty) == [(False, True)] * 2
        # The sandbox also has counters of cities, which the facts compare.
        counts = [row.split(",")[1:] for row in it.end_turn()["counters"].values.values()]
        assert len(counts) == 2 and all(any(map(int, row)) for row in counts), counts
        it.alice.done("end_shared_tiles", player=treaty.other)
        # The server sends it with the next turn.
        it.end_turn()
        assert gifts(it, treaty) == [(False, False)] * 2


def gifts(it: Game, treaty: Treaty) -> list[tuple[bool, bool]]:
    """Returns whether our player gives the other one vision and tiles, as the observers of both see it."""
    found = []
    for watcher in it.watchers:
        (giver,) = [player for player in watcher.world()["players"] if player["playerno"] == it.me]
        vision, tiles = giver["gives_shared_vision"], giver["gives_shared_tiles"] or [0]
        found.append((bool(bit(vision, treaty.other)), bool(bit(tiles, treaty.other))))
    return found


def seen(world: World) -> set[int]:
    """Returns the tiles that are seen now."""
    return {tile["tile"] for tile in world["tiles"] if tile["known"] == SEEN}
