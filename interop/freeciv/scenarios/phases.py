"""Phases of a turn, clients that enter a running game, and saved games that have not started."""

from puppet import Puppet, World
from server import Server


def of_players_alternate_on_3_0() -> None:
    """Two players move one after the other on 3.0."""
    alternates("3.0")


def of_players_alternate_on_3_1() -> None:
    """Two players move one after the other on 3.1."""
    alternates("3.1")


def of_players_alternate_on_3_2() -> None:
    """Two players move one after the other on 3.2."""
    alternates("3.2")


def running_when_clients_enter_on_3_0() -> None:
    """A player and an observer enter a running game of 3.0, a saved game waits for its start."""
    enters_and_loads("3.0")


def running_when_clients_enter_on_3_1() -> None:
    """A player and an observer enter a running game of 3.1, a saved game waits for its start."""
    enters_and_loads("3.1")


def running_when_clients_enter_on_3_2() -> None:
    """A player and an observer enter a running game of 3.2, a saved game waits for its start."""
    enters_and_loads("3.2")


def alternates(version: str) -> None:
    """Plays turns in which each player has its own phase. The world of each says whose it is, and for whom all wait."""
    with Server(version=version, aifill="0", phasemode="PLAYER", minplayers="2") as server:
        with Puppet(server.address, "alice") as alice, Puppet(server.address, "bob") as bob:
            for player in (alice, bob):
                player.does("start")
            players = {}
            for player in (alice, bob):
                player.does("until 1")
                players[player.world()["me"]] = player
            for turn in range(1, 4):
                for number in sorted(players):
                    moving, waiting = players[number], players[1 - number]
                    moving.does("phase")
                    ours, theirs = moving.world(), waiting.world()
                    for world in (ours, theirs):
                        assert (world["state"], world["turn"], world["phase_mode"]) == ("Running", turn, "player"), world
                        assert (world["phase"], world["waiting_for"]) == (number, [number]), (turn, number, world)
                    assert ours["is_my_phase"] and not theirs["is_my_phase"]
                    moving.does("done")


def enters_and_loads(version: str) -> None:
    """Enters a running game as an observer and as its player, leaves it, and loads its saved game in another server."""
    with Server(version=version, has_lua=True, aifill="3") as server:
        with Puppet(server.address, "alice") as alice:
            assert alice.world()["state"] == "Pregame"
            alice.does("start")
            alice.does("until 1")
            for turn in range(2, 4):
                alice.does("turn")
            (me,) = [player for player in alice.world()["players"] if player["username"] == "alice"]
            with Puppet(server.address, "observer") as observer:
                is_running(observer.world(), turn, has_entered=False)
                observer.does(f"observe {me['name']}")
                is_running(observer.world(), turn)
                observer.does("detach")
                is_running(observer.world(), turn, has_entered=False)
            saved = server.saved(turn).read_bytes()
        with Puppet(server.address, "alice") as again:
            world = again.world()
            is_running(world, turn)
            assert world["is_my_phase"] and world["waiting_for"] == [world["me"]], world["waiting_for"]
            assert len(world["computers"]) >= 2 and world["me"] not in world["computers"], world["computers"]
            rates_are_those_of_the_server(again, world)
    with Server(version=version, has_lua=True) as server:
        path = server.folder / "saves" / "game.sav"
        path.write_bytes(saved)
        with Puppet(server.address, "alice") as alice:
            assert alice.world()["turn"] == 0
            alice.does(f"say /load {path}")
            world = alice.world()
            assert (world["state"], world["turn"], world["turn_started"], world["phase"]) == ("Pregame", turn, 0, None), world
            assert "game" in world["loaded_game"], world["loaded_game"]
            alice.does("start")
            alice.does(f"until {turn}")
            is_running(alice.world(), turn)


def is_running(world: World, turn: int, has_entered: bool = True) -> None:
    """Checks the world of a client of a running game. One that has not entered knows that it runs, but not its phase."""
    assert (world["state"], world["turn"]) == ("Running", turn), (world["state"], world["turn"])
    if has_entered:
        assert (world["state"], world["turn_started"], world["phase"]) == ("Running", turn, 0), (world["state"], world["turn_started"], world["phase"])


def rates_are_those_of_the_server(player: Puppet, world: World) -> None:
    """Sets the highest tax rate that the rules permit, and one that is higher, which the server refuses."""
    (me,) = [player for player in world["players"] if player["playerno"] == world["me"]]
    government = world["governments"][me["government"]]
    most = dict(map(tuple, world["max_rates"]))[government]
    assert 34 <= most < 100, (government, most)
    for tax in (most, most + 10):
        player.does(f"rates {tax} 0 {100 - tax}" if tax >= 100 - most else f"rates {tax} {100 - tax - most} {most}")
        (me,) = [player for player in player.world()["players"] if player["playerno"] == world["me"]]
        assert me["tax"] == most, (tax, me["tax"], most)
