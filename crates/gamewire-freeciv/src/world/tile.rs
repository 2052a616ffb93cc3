use crate::codec::Bitvector;
use crate::number::Known;
use crate::v30::TileInfo;

/// What one knows of a tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Its number.
    pub tile: i32,
    /// Whether it is seen now, or was once.
    pub known: Known,
    /// The id of its terrain, if that is known.
    pub terrain: Option<u8>,
    /// The number of the land or, below zero, the sea that it is part of.
    pub continent: i16,
    /// Whose land it is.
    pub owner: Option<u8>,
    /// Who owns what is built there.
    pub extras_owner: Option<u8>,
    /// The city that works it, itself included.
    pub worked: Option<u16>,
    /// The extra that is its resource.
    pub resource: Option<u8>,
    /// The extras on it, by their ids.
    pub extras: Bitvector<16>,
    /// What a scenario calls it.
    pub label: Option<Box<str>>,
}

impl Tile {
    /// Stands for nobody where a player is named.
    const NO_PLAYER: u8 = 255;
    /// Stands for no resource.
    const NO_RESOURCE: u8 = 128;
    /// Stands for a terrain that is not known.
    const NO_TERRAIN: u8 = 255;

    pub(super) fn new(info: &TileInfo) -> Self {
        let label = (!info.label.is_empty()).then(|| info.label.to_str_lossy().into());
        Self {
            tile: info.tile,
            known: Known(info.known),
            terrain: (info.terrain != Self::NO_TERRAIN).then_some(info.terrain),
            continent: info.continent,
            owner: (info.owner != Self::NO_PLAYER).then_some(info.owner),
            extras_owner: (info.extras_owner != Self::NO_PLAYER).then_some(info.extras_owner),
            worked: (info.worked != 0).then_some(info.worked),
            resource: (info.resource != Self::NO_RESOURCE).then_some(info.resource),
            extras: info.extras,
            label,
        }
    }

    /// Whether it is seen now, so that what is known of it is so.
    #[must_use]
    pub fn is_seen(&self) -> bool {
        self.known == Known::SEEN
    }

    /// Whether an extra is on it, by its id.
    #[must_use]
    pub fn has_extra(&self, id: u8) -> bool {
        self.extras.get(id.into())
    }
}
