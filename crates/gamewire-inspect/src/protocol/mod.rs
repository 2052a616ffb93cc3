//! The protocols that conversations can be in, behind one face.
//!
//! Everything else in this crate is free of any protocol's words: to add a protocol, give its follower
//! a variant in [`Protocol`] and its names a line in [`Catalog::of_all_protocols`].

mod catalogue;
mod follower;
mod freeciv;
mod kind;
mod recognise;
mod riptide;
mod teeworlds;
#[cfg(test)]
pub(crate) mod toy;

pub use catalogue::{Catalog, CommonField, FieldName, GroupName};
pub(crate) use follower::is_redundant;
pub use follower::{Detectors, Protocol, ProtocolConfig};
pub use recognise::{Detect, Detection, Transport};
