use super::macros::numbers;

numbers! {
    /// The kind of production of a city: a building or a unit. The numbers are those of the kinds of requirements.
    ProductionKind: u8;
    3 => BUILDING "building", 6 => UNIT "unit",
}

numbers! {
    /// An output of tiles and cities: its index in arrays of six.
    Output: u8;
    0 => FOOD "food", 1 => SHIELD "shield", 2 => TRADE "trade", 3 => GOLD "gold", 4 => LUXURY "luxury",
    5 => SCIENCE "science",
}

/// The production of a city: a building or a unit type, by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Production {
    /// The kind.
    pub kind: ProductionKind,
    /// Id of the building or of the unit type.
    pub id: u8,
}

impl Production {
    /// Returns the production of a unit type.
    #[must_use]
    pub const fn unit(id: u8) -> Self {
        Self { kind: ProductionKind::UNIT, id }
    }

    /// Returns the production of a building.
    #[must_use]
    pub const fn building(id: u8) -> Self {
        Self { kind: ProductionKind::BUILDING, id }
    }
}
