use crate::number::Output;
use crate::packets::{PlayerInfo, RulesetBuilding, RulesetUnit};
use crate::world::{City, Tile, Unit, World};

/// The subjects of requirements (Freeciv's `req_context`). A requirement about a subject that the context lacks is
/// never met.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context<'w> {
    /// The player.
    pub player: Option<&'w PlayerInfo>,
    /// The city.
    pub city: Option<&'w City>,
    /// The tile.
    pub tile: Option<&'w Tile>,
    /// The unit type.
    pub unit_type: Option<&'w RulesetUnit>,
    /// The building.
    pub building: Option<&'w RulesetBuilding>,
    /// The output.
    pub output: Option<Output>,
    /// The action, by its number in the version of the server.
    pub action: Option<u8>,
    /// The unit. Set `unit_type` to its type as well.
    pub unit: Option<&'w Unit>,
    /// The other player of diplomatic relations.
    pub other: Option<&'w PlayerInfo>,
    /// The extra, by id.
    pub extra: Option<u8>,
}

impl<'w> Context<'w> {
    /// Returns the context of a player.
    pub fn of_player(player: &'w PlayerInfo) -> Self {
        Self { player: Some(player), ..Self::default() }
    }

    /// Returns the context of a city: its owner, itself and its tile.
    pub fn of_city(world: &'w World, city: &'w City) -> Self {
        Self {
            player: world.player(city.owner()),
            city: Some(city),
            tile: world.map().tile(city.tile()),
            ..Self::default()
        }
    }
}
