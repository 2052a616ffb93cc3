//! The supported protocols as one enum.
//!
//! The rest of this crate does not depend on a protocol, except `messages`. To add a protocol, add a feature, a variant
//! of [`Protocol`] and its names to [`Catalog::with_all_protocols`].

mod catalog;
mod delivery;
mod delivery_tracker;
mod detect;
mod follower;
#[cfg(feature = "freeciv")]
mod freeciv;
#[cfg(feature = "riptide")]
mod riptide;
#[cfg(feature = "teeworlds")]
mod teeworlds;
#[cfg(test)]
pub(crate) mod test_protocol;
#[cfg(any(feature = "teeworlds", feature = "riptide", feature = "freeciv", test))]
mod type_names;

pub use catalog::{Catalog, CommonField, FieldAlias, FieldName, FieldValues, GroupName};
pub use delivery::{Delivery, Resent};
pub use delivery_tracker::{DeliveryTracker, TrackedPacket};
pub use detect::{Detect, Detection, SendState, TraceTarget};
pub use follower::{Detectors, Protocol, ProtocolConfig};
pub(crate) use follower::{packet_group, redundancy};
#[cfg(feature = "freeciv")]
pub use freeciv::next_freeciv_packet;
#[cfg(feature = "teeworlds")]
pub use teeworlds::{trace_teeworlds_datagram, trace_teeworlds_message};
