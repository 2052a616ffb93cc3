//! The state of a game as its packets describe it: players, cities, units, tiles and rules by id and by name, and the
//! changes since the last call.
//!
//! A [`World`] applies every packet from a server, by reference. It has no connection, so a client, a recorder and a
//! reader of recorded streams can use it. Its memory is bounded by the data in the packets. Counts that the packets do
//! not bound have limits here.

mod apply;
mod change;
mod city_details;
mod city_unit;
mod combat;
mod diplomacy;
mod legal_actions;
pub mod map;
mod message;
mod none;
mod not_kept;
mod page;
mod people;
mod phase;
mod query;
mod rulesets;
mod settings;
mod society;
mod table;
mod tile;
mod vote;
#[allow(clippy::module_inception, reason = "the world itself, next to its parts")]
mod world;

pub use change::Change;
pub use city_details::{CityDetails, Investigation};
pub use city_unit::{Cities, City, Located, Unit, Units};
pub use combat::{Combat, Fighter};
pub use diplomacy::{Diplomacy, Meeting, Relation, TreatyClause};
pub use legal_actions::{ActionTarget, LegalAction, LegalActions, Probability, SubTarget};
pub use message::Message;
pub(crate) use message::without_markup;
pub use not_kept::{NOT_KEPT, REPORTED_ONLY};
pub use page::Page;
pub use people::VictoryCondition;
pub use rulesets::Rulesets;
pub use settings::{ServerSettings, SettingValue};
pub use society::Achievement;
pub use table::{Keyed, Rule, Table};
pub use tile::{Tile, TileMap};
pub use vote::Vote;
pub use world::{Ending, GameState, World};
