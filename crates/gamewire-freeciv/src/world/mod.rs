//! The world of a game as its packets describe it: players, cities, units, tiles and rules, by id
//! and by name, and what has changed between two looks.
//!
//! A [`World`] is handed every packet that a server sends. It has no connection of its own, so it
//! serves a client, a recorder and a recorded stream alike. It holds no more than the packets
//! carried: what a packet claims, and whose limit is not in the packet, is bounded here.

mod apply;
mod change;
mod city;
mod diplomacy;
mod land;
pub mod map;
mod message;
mod query;
mod rulesets;
mod settings;
mod table;
mod text;
mod tile;
mod unit;
#[allow(clippy::module_inception, reason = "the world itself, beside what it is made of")]
mod world;

pub use change::Change;
pub use city::{Cities, City};
pub use diplomacy::{Diplomacy, Meeting, Relation, TreatyClause};
pub use land::TileMap;
pub use message::Message;
pub use rulesets::Rulesets;
pub use settings::{ServerSettings, SettingValue};
pub use table::{Rule, Table};
pub use tile::Tile;
pub use unit::{Unit, Units};
pub use world::{GameState, World};
