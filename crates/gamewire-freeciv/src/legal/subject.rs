use crate::codec::ProtocolVersion;
use crate::number::{Activity, UnitClassFlag, UnitTypeFlag};
use crate::packets::RulesetUnit;
use crate::path::Movement;
use crate::world::{Tile, Unit, World};

/// An own unit, and the rules of its type.
pub(super) struct Subject<'w> {
    pub(super) world: &'w World,
    pub(super) unit: &'w Unit,
    pub(super) unit_type: &'w RulesetUnit,
    pub(super) tile: &'w Tile,
    pub(super) movement: Movement<'w>,
    pub(super) activity: Option<Activity>,
}

impl<'w> Subject<'w> {
    pub(super) fn new(world: &'w World, unit: &'w Unit) -> Option<Self> {
        Some(Self {
            world,
            unit,
            unit_type: world.type_of(unit)?,
            tile: world.map().tile(unit.tile())?,
            movement: Movement::of(world, unit)?,
            activity: world.activity_of(unit),
        })
    }

    pub(super) fn version(&self) -> ProtocolVersion {
        self.world.version()
    }

    pub(super) fn has_flag(&self, flag: UnitTypeFlag) -> bool {
        flag.number(self.version()).is_some_and(|bit| self.unit_type.flags.get(bit.into()))
    }

    pub(super) fn class_has_flag(&self, flag: UnitClassFlag) -> bool {
        let class = self.world.rulesets().unit_classes.get(self.unit_type.unit_class_id);
        flag.number(self.version()).zip(class).is_some_and(|(bit, class)| class.flags.get(bit.into()))
    }

    pub(super) fn is_in_city(&self) -> bool {
        self.world.cities().at(self.tile.tile).is_some()
    }
}
