//! The protocols that conversations can be in, behind one face.
//!
//! Everything else in this crate is free of any protocol's words: to add a protocol, give its follower
//! a variant in [`Protocol`] and its names a line in [`Catalogue::of_all_protocols`].

mod catalogue;
mod follower;
mod freeciv;
mod kind;
mod recognise;
mod riptide;
mod teeworlds;
#[cfg(test)]
pub(crate) mod toy;

pub use catalogue::{Catalogue, CommonField, FieldName, GroupName};
pub(crate) use follower::is_plumbing;
pub use follower::{Protocol, Settings, Suspicions};
pub use recognise::{Recognise, Recognised, Transport};
