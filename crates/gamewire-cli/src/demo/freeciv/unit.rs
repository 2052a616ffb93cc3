//! Units of the demo's game. They walk along the paths that players order.

use std::collections::VecDeque;

use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_freeciv::number::Activity;
use gamewire_freeciv::packets::{UnitInfo, UnitOrders};
use gamewire_freeciv::world::map::Direction8;

use super::land::Land;
use super::rules::unit;

/// A unit of the demo's game.
#[derive(Debug)]
pub(super) struct DemoUnit {
    pub(super) id: u32,
    pub(super) owner: u16,
    /// Number of the unit's type.
    pub(super) kind: u8,
    pub(super) tile: i32,
    /// Steps left in this turn.
    moves: u8,
    /// Ordered steps that are not done yet.
    path: VecDeque<Direction8>,
    activity: Activity,
}

impl DemoUnit {
    pub(super) fn new(id: u32, owner: u16, kind: u8, tile: i32) -> Self {
        let moves = unit(kind).map_or(0, |rule| rule.moves);
        Self { id, owner, kind, tile, moves, path: VecDeque::new(), activity: Activity::Idle }
    }

    /// Replaces the path with the orders of the unit's player.
    pub(super) fn order(&mut self, orders: &UnitOrders) {
        let steps = orders.dir.iter().flatten().map_while(|number| Direction8::from_number(*number));
        self.path = steps.collect();
        self.activity = Activity::Idle;
    }

    /// Sets the activity. Returns false if the demo has no activity with this number.
    pub(super) fn set_activity(&mut self, number: u8) -> bool {
        let activity = Activity::of(ProtocolVersion::V3_0, number);
        let known = activity
            .filter(|activity| [Activity::Idle, Activity::Fortifying, Activity::Explore].contains(activity));
        if let Some(known) = known {
            self.activity = known;
            self.path.clear();
        }
        known.is_some()
    }

    /// Walks along the path while the unit has moves and the next tile is free land.
    pub(super) fn walk(&mut self, land: &Land, is_free: impl Fn(i32) -> bool) {
        while self.moves > 0 {
            let Some(direction) = self.path.pop_front() else { return };
            let next =
                land.geometry.step(self.tile, direction).filter(|tile| land.is_land(*tile) && is_free(*tile));
            let Some(next) = next else {
                self.path.clear();
                return;
            };
            self.tile = next;
            self.moves = self.moves.saturating_sub(1);
        }
    }

    /// Begins a turn: the unit gets its moves, completes its fortification, or explores.
    pub(super) fn begin_turn(&mut self, turn: i16) {
        self.moves = unit(self.kind).map_or(0, |rule| rule.moves);
        match self.activity {
            Activity::Fortifying => self.activity = Activity::Fortified,
            Activity::Explore if self.path.is_empty() => {
                // Explore in one direction for some turns, then in another one.
                let leg = usize::from(turn.unsigned_abs() / 4)
                    .wrapping_mul(5)
                    .wrapping_add(usize::try_from(self.id).unwrap_or(0));
                let direction = Direction8::ALL.into_iter().cycle().nth(leg % 8);
                self.path.extend(direction.into_iter().flat_map(|direction| [direction; 3]));
            }
            _ => {}
        }
    }

    pub(super) fn packet(&self) -> UnitInfo {
        UnitInfo {
            id: self.id,
            owner: self.owner,
            nationality: self.owner,
            tile: self.tile,
            r#type: self.kind.into(),
            hp: 10,
            movesleft: self.moves.into(),
            activity: self.activity.number(ProtocolVersion::V3_0).unwrap_or_default(),
            has_orders: !self.path.is_empty(),
            ..UnitInfo::default()
        }
    }
}
