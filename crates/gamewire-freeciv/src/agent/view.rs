//! Descriptions of a [`World`] for programs: plain structs with the names of the ruleset, which serde prints.
//!
//! Ids and positions are numbers. Things of the ruleset are names. A `None` means that the server has not sent it, or
//! that the ruleset has no such rule.

mod arrays;
mod catalog;
mod city;
mod diplomacy;
mod event;
mod game;
mod legal;
mod legal_key;
mod map;
mod player;
mod ruleset;
mod unit;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

pub use arrays::{Column, MapLayers, city_columns, player_columns, unit_columns};
pub use catalog::{
    AdvanceView, CatalogView, EffectView, FullBuildingView, FullUnitTypeView, GovernmentView, PermittedView,
};
pub use city::{CitizenView, CityView, GrowthView, OwnCityView, SurplusView, TradeRouteView};
pub use diplomacy::{ClauseView, MeetingView, VoteView};
pub use event::{EventView, FighterView, RankView};
pub use game::GameView;
pub use legal::LegalActionView;
pub use legal_key::{LegalEntryView, LegalKeyView, PartView};
pub use map::{OutputView, TileView};
pub use player::{MeView, PlayerView, SpaceshipView};
pub use ruleset::{BuildingView, RulesetView, UnitTypeView};
pub use unit::{OwnUnitView, UnitView};

use crate::world::{Rule, Table, World};

/// A name of the ruleset or of a player, borrowed from the world where it is UTF-8.
pub type Name<'w> = Cow<'w, str>;

/// A part of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// State, turn and size of the game: [`GameView`].
    Game,
    /// The own player: [`MeView`].
    Me,
    /// All players: [`PlayerView`].
    Players,
    /// All known cities: [`CityView`].
    Cities,
    /// All known units: [`UnitView`].
    Units,
    /// The own cities, under the name of all cities.
    OwnCities,
    /// The own units, under the name of all units.
    OwnUnits,
    /// All known tiles: [`TileView`].
    Tiles,
    /// The rules in short: [`RulesetView`].
    Rules,
    /// The rules one by one, with requirements and effects: [`CatalogView`].
    Catalog,
    /// The diplomatic meetings: [`MeetingView`].
    Meetings,
    /// The open votes: [`VoteView`].
    Votes,
    /// The spaceships: [`SpaceshipView`].
    Spaceships,
}

impl Part {
    /// The parts that the reply to a question about the world has if the question names no parts.
    pub const USUAL: [Self; 5] = [Self::Game, Self::Me, Self::Players, Self::Cities, Self::Units];
}

/// Parts of a world. A part that was not asked for is `None` and is not serialized.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WorldView<'w> {
    /// State, turn and size of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<GameView>,
    /// The own player. The inner `None` means that the client has no player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub me: Option<Option<MeView<'w>>>,
    /// All players, by number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub players: Option<Vec<PlayerView<'w>>>,
    /// All known cities, by id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cities: Option<Vec<CityView<'w>>>,
    /// All known units, by id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub units: Option<Vec<UnitView<'w>>>,
    /// All known tiles, by number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tiles: Option<Vec<TileView<'w>>>,
    /// The rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<RulesetView<'w>>,
    /// The rules one by one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub catalog: Option<CatalogView<'w>>,
    /// The diplomatic meetings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meetings: Option<Vec<MeetingView>>,
    /// The open votes, by number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub votes: Option<Vec<VoteView>>,
    /// The spaceships that were started, by player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spaceships: Option<Vec<SpaceshipView>>,
}

impl<'w> WorldView<'w> {
    /// Describes parts of a world.
    pub fn new(world: &'w World, parts: &[Part]) -> Self {
        let mut view = Self::default();
        for part in parts {
            match part {
                Part::Game => view.game = Some(GameView::new(world)),
                Part::Me => view.me = Some(MeView::new(world)),
                Part::Players => {
                    view.players = Some(world.players().map(|it| PlayerView::new(world, it)).collect());
                }
                Part::Cities => {
                    view.cities = Some(world.cities().iter().map(|it| CityView::new(world, it)).collect());
                }
                Part::Units => {
                    view.units = Some(world.units().iter().map(|it| UnitView::new(world, it)).collect());
                }
                Part::OwnCities => {
                    view.cities = Some(world.my_cities().map(|it| CityView::new(world, it)).collect());
                }
                Part::OwnUnits => {
                    view.units = Some(world.my_units().map(|it| UnitView::new(world, it)).collect());
                }
                Part::Tiles => {
                    view.tiles = Some(world.map().tiles().map(|it| TileView::new(world, it)).collect());
                }
                Part::Rules => view.rules = Some(RulesetView::new(world)),
                Part::Catalog => view.catalog = Some(CatalogView::new(world)),
                Part::Spaceships => {
                    view.spaceships = Some(world.spaceships().map(SpaceshipView::new).collect())
                }
                Part::Meetings => view.meetings = Some(MeetingView::all(world)),
                Part::Votes => view.votes = Some(world.votes().map(VoteView::new).collect()),
            }
        }
        view
    }
}

/// Returns the name of a rule.
fn name_of<T: Rule>(table: &Table<T>, id: impl TryInto<i32>) -> Option<Name<'_>> {
    table.get(id).map(rule_name)
}

fn rule_name<T: Rule>(rule: &T) -> Name<'_> {
    String::from_utf8_lossy(rule.rule_name())
}

/// Returns the names of all rules of a table.
fn names<T: Rule>(table: &Table<T>) -> Vec<Name<'_>> {
    table.iter().map(rule_name).collect()
}

/// Returns the column and row of a tile.
fn position(world: &World, tile: i32) -> Option<[i32; 2]> {
    let (column, row) = world.map().geometry()?.column_and_row(tile)?;
    Some([column, row])
}
