use super::change::getters_of_both;
use super::located::{Located, OnTile};
use crate::number::{Production, ProductionKind};
use crate::v30::{CityInfo, CityShortInfo};

/// A city, as well as the client knows it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum City {
    /// An own city, or any as an observer: with citizens, stocks and production.
    Full(Box<CityInfo>),
    /// A city of another player as seen from outside.
    Short(Box<CityShortInfo>),
}

getters_of_both! {
    City: CityInfo {
        /// The id.
        id: u16 = city => city.id;
        /// The number of the owner.
        owner: u8 = city => city.owner;
        /// The number of the tile.
        tile: i32 = city => city.tile;
        /// The number of citizens.
        size: u8 = city => city.size;
        /// The name, with U+FFFD for what is not UTF-8.
        name: String = city => city.name.to_str_lossy().into_owned();
    }
}

impl City {
    /// Returns whether the city has the building with this id. Of a city of another player only buildings that are
    /// visible from outside count.
    #[must_use]
    pub fn has_building(&self, id: u8) -> bool {
        match self {
            Self::Full(city) => city.improvements.get(id.into()),
            Self::Short(city) => city.improvements.get(id.into()),
        }
    }

    /// Returns what the city produces, if that is known.
    #[must_use]
    pub fn production(&self) -> Option<Production> {
        self.full()
            .map(|city| Production { kind: ProductionKind(city.production_kind), id: city.production_value })
    }
}

/// The cities that the client knows.
pub type Cities = Located<City>;

impl Cities {
    /// Returns the city on a tile.
    #[must_use]
    pub fn at(&self, tile: i32) -> Option<&City> {
        self.on_tile(tile).next_back()
    }

    /// Returns the city with this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&City> {
        self.iter().find(|city| city.name() == name)
    }
}
