//! Reads captures of game traffic, follows their conversations, and filters, displays and counts the decoded records.
//!
//! The path of a frame: [`capture::Reader`] reads it from a file, [`net::Decoder`] removes the headers,
//! and an [`Inspector`](conversation::Inspector) finds its conversation and passes the payload to the
//! follower of that conversation's protocol, which decodes it into a trace. The trace is a
//! [`Record`](gamewire_machine::Record), which is filtered ([`filter`]) and displayed ([`render`]), or a
//! [`CountingTrace`](stats::CountingTrace), which only counts.
//!
//! Features: `teeworlds`, `riptide` and `freeciv` select the protocols; `parquet` writes tables.

pub mod capture;
pub mod conversation;
#[cfg(all(feature = "teeworlds", feature = "riptide", feature = "freeciv"))]
pub mod explain;
pub mod filter;
#[cfg(feature = "riptide")]
pub mod messages;
pub mod net;
pub mod protocol;
pub mod render;
pub mod stats;
#[cfg(feature = "parquet")]
pub mod tables;
pub mod time;
