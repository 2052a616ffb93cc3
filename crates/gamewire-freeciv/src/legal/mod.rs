//! The legal actions of the own player, as one flat list: of its units and cities, and its own.
//!
//! A [`LegalList`] has an entry for each action that the server would accept now. Its [`LegalKey`] has the actor, the
//! kind, the target and the part of the target, and [`order`] returns the packet that performs it. Moves come from
//! [`path`](crate::path), and work, production, research and diplomacy from [`rules`](crate::rules), on every version.
//! The other actions of units, such as to found a city or to attack, come from the server's answers to
//! [`LegalList::questions`].

mod answered;
mod city;
mod diplomacy;
mod entry;
mod key;
mod kind;
mod list;
mod order;
mod permission;
mod player;
mod subject;
mod terrain;
mod transport;
mod unit;
mod work;

pub use entry::LegalEntry;
pub use key::{Actor, LegalKey, LegalTarget, Part};
pub use kind::LegalKind;
pub use list::{ActionQuestion, LegalList};
pub use order::order;
