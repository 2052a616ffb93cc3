use super::change::getters_of_both;
use super::located::{Located, OnTile};
use crate::number::Activity;
use crate::v30::{UnitInfo, UnitShortInfo};

/// A unit, as well as the client knows it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Unit {
    /// An own unit, or any as an observer: with moves, orders and home city.
    Full(Box<UnitInfo>),
    /// A unit of another player.
    Short(Box<UnitShortInfo>),
}

getters_of_both! {
    Unit: UnitInfo {
        /// The id.
        id: u16 = unit => unit.id;
        /// The number of the owner.
        owner: u8 = unit => unit.owner;
        /// The number of the tile.
        tile: i32 = unit => unit.tile;
        /// The id of the unit type in the ruleset.
        type_id: u8 = unit => unit.r#type;
        /// The veteran level, counted from 0.
        veteran: u8 = unit => unit.veteran;
        /// The hit points.
        hp: u8 = unit => unit.hp;
        /// The activity.
        activity: Activity = unit => Activity(unit.activity);
        /// The extra that the activity is about.
        activity_target: Option<u8> = unit => u8::try_from(unit.activity_tgt).ok();
        /// The id of the transporter.
        transported_by: Option<u16> = unit => unit.transported.then_some(unit.transported_by);
        /// True if the unit transports others.
        is_occupied: bool = unit => unit.occupied;
    }
}

impl Unit {
    /// Returns the moves left this turn, in move fragments, if known.
    #[must_use]
    pub fn moves_left(&self) -> Option<u16> {
        self.full().map(|unit| unit.movesleft)
    }

    /// Returns whether the unit needs an order: it has moves left and nothing to do.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.full().is_some_and(|unit| {
            unit.movesleft > 0
                && Activity(unit.activity) == Activity::IDLE
                && !unit.has_orders
                && !unit.ai
                && !unit.done_moving
        })
    }
}

/// The units that the client sees.
pub type Units = Located<Unit>;
