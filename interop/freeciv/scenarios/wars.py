"""Games with war, compared with the games that the server saved."""

import savegame
from facts import Facts
from puppet import Puppet, World
from server import Server

from .games import report

# In every run, and with --long.
TURNS, MANY_TURNS = 25, 100
# Rules in which a fight can end with both units alive. The server sends no other packet about these units then.
RULESET = "sandbox"
# AIs that do not make peace.
WAR = {"aifill": "4", "diplomacy": "DISABLED", "barbarians": "DISABLED"}
# Types of units of the enemies and of our own, which appear in turn.
FOES = ["Horsemen", "Archers", "Legion"]
OWN = ["Phalanx", "Archers"]
# Creates two units of one of the enemies next to each of our cities, and one of ours in the city.
BATTLE = """
local me = find.player({me}) local foes = {{}}
for p in players_iterate() do if p.id ~= {me} and not p:is_human() then foes[#foes + 1] = p end end
for c in me:cities_iterate() do
  local count = 0
  for t in c.tile:square_iterate(1) do
    if count < 2 and t:num_units() == 0 and not t:city() and t.terrain:class_name() == 'Land' then
      edit.create_unit(foes[1 + {turn} % #foes], t, find.unit_type('{foe}'), 0, nil, -1) count = count + 1
    end
  end
  edit.create_unit(me, c.tile, find.unit_type('{own}'), 0, c, -1)
end
"""


def on_3_0_agree_with_the_saved_games(is_long: bool) -> None:
    """The server's AI plays our nation at war on 3.0."""
    watches_a_war("3.0", is_long)


def on_3_1_agree_with_the_saved_games(is_long: bool) -> None:
    """The server's AI plays our nation at war on 3.1."""
    watches_a_war("3.1", is_long)


def on_3_2_agree_with_the_saved_games(is_long: bool) -> None:
    """The server's AI plays our nation at war on 3.2."""
    watches_a_war("3.2", is_long)


def watches_a_war(version: str, is_long: bool) -> None:
    """Lets the server's AI play our nation at war, and compares each turn: hit points and veteran levels change in fights."""
    facts, turns = Facts(), MANY_TURNS if is_long else TURNS
    fights: list[World] = []
    damaged, veterans = set[int](), set[int]()
    with Server(version=version, has_lua=True, ruleset=RULESET, **WAR) as server, Puppet(server.address, "alice") as alice:
        assert alice.does("start")["outcome"] == "done"
        alice.does("until 1")
        world = alice.world()
        (me,) = [player for player in world["players"] if player["playerno"] == world["me"]]
        toggled = alice.does(f"say /aitoggle \"{me['name']}\"")
        assert "under AI control" in toggled["messages"][-1], toggled
        with Puppet(server.address, "observer") as observer:
            for turn in range(2, turns + 2):
                battle = BATTLE.format(me=world["me"], turn=turn, foe=FOES[turn % len(FOES)], own=OWN[turn % len(OWN)])
                created = alice.does("say /lua cmd " + " ".join(battle.split()))
                assert created["refusal"] is None and not any("error" in text for text in created["messages"][1:]), created
                alice.does("turn")
                world = alice.world()
                assert world["turn"] == turn, (world["turn"], turn)
                facts.game(world, savegame.parse(server.saved(turn)))
                fights += alice.does("fights")
                damaged |= {unit["id"] for unit in own_units(world) if unit["hp"] < world["full_hp"][unit["type"]]}
                veterans |= {unit["id"] for unit in own_units(world) if unit["veteran"]}
                if facts.unsent:
                    observer.does("detach")
                    observer.does(f"observe {me['name']}")
                    facts.late(observer.world())
        undecided = sum(all(fighter["hp"] for fighter in fight) for fight in fights)
        print(f"{len(fights)} fights, {undecided} undecided, {len(damaged)} own units damaged, {len(veterans)} with experience")
        report(version, alice, facts)
        assert len(fights) > turns and undecided and damaged and veterans, (len(fights), undecided, damaged, veterans)


def own_units(world: World) -> list[World]:
    """Returns the fields of our units."""
    return [unit["fields"] for unit in world["units"] if unit["fields"]["owner"] == world["me"]]
