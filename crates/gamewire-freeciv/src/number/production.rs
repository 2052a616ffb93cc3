use super::macros::numbers;

numbers! {
    /// Whether a city makes a building or a unit. The numbers are those of the kinds of
    /// requirements, of which these two are the ones that can be made.
    ProductionKind: u8;
    3 => BUILDING "building", 6 => UNIT "unit",
}

numbers! {
    /// What tiles and cities yield: the place in arrays of six.
    Output: u8;
    0 => FOOD "food", 1 => SHIELD "shield", 2 => TRADE "trade", 3 => GOLD "gold", 4 => LUXURY "luxury",
    5 => SCIENCE "science",
}

/// What a city makes: a building or a unit type, by their ids in the ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Production {
    /// Which of the two.
    pub kind: ProductionKind,
    /// The id of the building or of the unit type.
    pub id: u8,
}

impl Production {
    /// Makes units of a type.
    #[must_use]
    pub const fn unit(id: u8) -> Self {
        Self { kind: ProductionKind::UNIT, id }
    }

    /// Makes a building.
    #[must_use]
    pub const fn building(id: u8) -> Self {
        Self { kind: ProductionKind::BUILDING, id }
    }
}
