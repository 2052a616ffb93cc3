"""The world as arrays of fixed shapes."""

import numpy as np
import pytest
from gamewire.freeciv import Observation, Player
from gamewire.freeciv._observation import LAYERS, UNIT_COLUMNS


@pytest.fixture
def player(server):
    with Player(server, "bot", start=True) as player:
        player.wait_for_turn()
        yield player


def test_every_observation_has_the_documented_shapes(player):
    shapes = Observation(rows=50, columns=40, units=8, cities=3)
    before = shapes.of(player.world)
    player.next_turn()
    after = shapes.of(player.world)
    for arrays in (before, after):
        assert {name: array.shape for name, array in arrays.items()} == shapes.shapes
        assert {array.dtype for array in arrays.values()} == {np.dtype(np.int32)}
    assert after["game"][0] == before["game"][0] + 1
    assert not any(np.shares_memory(before[name], after[name]) for name in before)


def test_rows_are_units_with_the_own_ones_first(player):
    world = player.world
    observed = Observation().of(world)
    me = world.me["player"]
    used = observed["units"][observed["units_mask"] == 1]
    ids, owners = used[:, UNIT_COLUMNS.index("id")], used[:, UNIT_COLUMNS.index("owner")]
    own = [unit["id"] for unit in world.my_units]
    assert ids[: len(own)].tolist() == own and set(ids) == {unit["id"] for unit in world.units}
    assert (owners[: len(own)] == me).all() and (owners[len(own) :] != me).all()
    assert (observed["units"][observed["units_mask"] == 0] == -1).all()
    assert observed["dropped"].tolist() == [0, 0, 0, 0]


def test_the_map_is_padded_and_cut(player):
    world = player.world
    known = world.map["known"]
    rows, columns = known.shape
    padded = Observation(rows=rows + 2, columns=columns + 3).of(world)
    assert (padded["map"][LAYERS.index("known"), :rows, :columns] == known).all()
    assert padded["map_mask"].sum() == known.size and (padded["map"][:, rows:] == -1).all()
    assert padded["game"][2:].tolist() == [rows, columns]
    cut = Observation(rows=rows - 1, columns=columns, units=2).of(world)
    assert (cut["map"][LAYERS.index("known")] == known[:-1]).all()
    assert cut["dropped"][:2].tolist() == [columns, len(world.units) - 2]
