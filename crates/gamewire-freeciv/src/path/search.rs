use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::movement::Movement;
use super::rate::MoveRate;
use crate::number::ExtraFlag;
use crate::world::map::Direction8;
use crate::world::{Tile, Unit, World};

/// A step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Step {
    /// The direction.
    pub direction: Direction8,
    /// The tile after the step.
    pub tile: i32,
    /// The turn of the step; 0 is the current turn.
    pub turn: u32,
    /// Move fragments that are left after the step.
    pub moves_left: u32,
}

/// A path of a unit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Path {
    /// The steps; empty if the unit is already at the destination.
    pub steps: Vec<Step>,
}

impl Path {
    /// Returns the number of turns that end before the unit arrives; 0 if it arrives in the current turn.
    pub fn turns(&self) -> u32 {
        self.steps.last().map_or(0, |step| step.turn)
    }

    /// Iterates over the directions of the steps, for [`move_along`](crate::orders::move_along).
    pub fn directions(&self) -> impl ExactSizeIterator<Item = Direction8> {
        self.steps.iter().map(|step| step.direction)
    }
}

/// The best known way to reach a tile.
#[derive(Clone, Copy, Debug)]
struct Node {
    turn: u32,
    moves_left: u32,
    /// Turns until the unit must refuel; 0 for no limit.
    fuel: u8,
    /// The step to the tile, and the tile before the step; `None` at the start.
    step: Option<(Direction8, i32)>,
}

impl Node {
    /// Returns the order of nodes: fewer turns first, then more moves left.
    const fn rank(&self) -> (u32, Reverse<u32>) {
        (self.turn, Reverse(self.moves_left))
    }
}

/// Finds the path of an own unit to a tile that takes the fewest turns. Of several such paths, it returns one that
/// leaves the most moves. The path uses known tiles, with the obstacles that the client sees now.
///
/// Returns `None` if there is no path, or the unit is not fully known.
pub fn path(world: &World, unit: &Unit, to: i32) -> Option<Path> {
    let (full, movement) = (unit.full()?, Movement::of(world, unit)?);
    let (rate, geometry) = (MoveRate::new(&movement, unit), world.map().geometry()?);
    let start = Node { turn: 0, moves_left: full.movesleft, fuel: full.fuel, step: None };
    let mut reached = BTreeMap::from([(unit.tile(), start)]);
    let mut open = BinaryHeap::from([(Reverse(start.rank()), unit.tile())]);
    while let Some((Reverse(rank), number)) = open.pop() {
        if number == to {
            return Some(trace(&reached, to));
        }
        let Some(node) = reached.get(&number).copied().filter(|node| node.rank() == rank) else { continue };
        let Some(tile) = world.map().tile(number) else { continue };
        let Some(node) = ready(&movement, &rate, tile, node) else { continue };
        for (direction, neighbor) in geometry.neighbors(number) {
            let Some(next) = world.map().tile(neighbor) else { continue };
            let cost = movement.step_cost(tile, next).min(node.moves_left);
            let next_node = Node {
                moves_left: node.moves_left.saturating_sub(cost),
                step: Some((direction, number)),
                ..node
            };
            let is_better = reached.get(&neighbor).is_none_or(|old| next_node.rank() < old.rank());
            if is_better && movement.check_step(tile, next).is_ok() {
                reached.insert(neighbor, next_node);
                open.push((Reverse(next_node.rank()), neighbor));
            }
        }
    }
    None
}

/// Advances a node without moves to the next turn. Returns `None` if the unit never has moves on the tile, or runs out
/// of fuel.
fn ready<'w>(movement: &Movement<'w>, rate: &MoveRate<'w>, tile: &'w Tile, node: Node) -> Option<Node> {
    if node.moves_left > 0 {
        return Some(node);
    }
    let moves_left = rate.at(tile);
    let fuel = match movement.unit_type.fuel {
        0 => 0,
        full if movement.can_refuel(tile) => full,
        _ => node.fuel.checked_sub(1).filter(|fuel| *fuel > 0)?,
    };
    (moves_left > 0).then(|| Node { turn: node.turn.saturating_add(1), moves_left, fuel, ..node })
}

impl Movement<'_> {
    /// Returns whether units refuel on a tile: in a city, or at an extra for refueling.
    fn can_refuel(&self, tile: &Tile) -> bool {
        let refuel = ExtraFlag::Refuel.number(self.version());
        self.world.cities().at(tile.tile).is_some()
            || self.world.rulesets().extras.iter().any(|extra| {
                extra.flags.has(refuel)
                    && extra.native_to.get(self.class.id.into())
                    && tile.has_extra(extra.id)
            })
    }
}

fn trace(reached: &BTreeMap<i32, Node>, to: i32) -> Path {
    let mut steps = Vec::new();
    let mut at = to;
    while let Some(node) = reached.get(&at)
        && let Some((direction, from)) = node.step
    {
        steps.push(Step { direction, tile: at, turn: node.turn, moves_left: node.moves_left });
        at = from;
    }
    steps.reverse();
    Path { steps }
}
