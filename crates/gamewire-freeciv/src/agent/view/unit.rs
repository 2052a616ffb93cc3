use serde::Serialize;

use super::{Name, position, rule_name};
use crate::world::{Unit, World};

/// A unit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnitView<'w> {
    /// Id of the unit.
    pub id: u32,
    /// Name of the type.
    pub r#type: Option<Name<'w>>,
    /// Number of the owner.
    pub owner: u16,
    /// Number of the tile.
    pub tile: i32,
    /// Column and row of the tile.
    pub position: Option<[i32; 2]>,
    /// Hit points.
    pub hp: u8,
    /// Veteran level, counted from 0.
    pub veteran: u8,
    /// Name of the activity, such as `fortified`.
    pub activity: Option<&'static str>,
    /// Id of the unit that carries it.
    pub transported_by: Option<u32>,
    /// The fields that only the owner knows.
    #[serde(flatten)]
    pub own: Option<OwnUnitView>,
}

/// The fields of a unit that only its owner knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OwnUnitView {
    /// Move points that are left, in fragments: the server's `terrain_control` packet has their number per move.
    pub moves_left: u32,
    /// True if the unit has moves left and nothing to do.
    pub is_idle: bool,
    /// Upkeep, in the order of the outputs.
    pub upkeep: Vec<u8>,
    /// Id of the home city.
    pub home_city: Option<u32>,
}

impl<'w> UnitView<'w> {
    /// Describes a unit.
    pub fn new(world: &'w World, unit: &'w Unit) -> Self {
        Self {
            id: unit.id(),
            r#type: world.type_of(unit).map(rule_name),
            owner: unit.owner(),
            tile: unit.tile(),
            position: position(world, unit.tile()),
            hp: unit.hp(),
            veteran: unit.veteran(),
            activity: world.activity_of(unit).map(|activity| activity.name()),
            transported_by: unit.transported_by(),
            own: unit.full().map(|full| OwnUnitView {
                moves_left: full.movesleft,
                is_idle: unit.is_idle(),
                upkeep: full.upkeep.to_vec(),
                home_city: (full.homecity != 0).then_some(full.homecity),
            }),
        }
    }
}
