//! Server info requests and answers in every format (docs/protocols/teeworlds.md, "Connless").
//!
//! * A [`Browser`] is a machine that queries servers. It emits an [`Event`] for every address and format.
//! * [`InfoRequest::decode`], [`reply`] and [`short_reply`] are for servers.

mod browser;
mod config;
mod decode;
mod event;
mod packet;
mod query;
mod reply;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
#[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "a test's own numbers")]
mod tests;
mod text;

pub use browser::Browser;
pub use config::{BrowserConfig, InfoFormat};
pub use event::Event;
pub use packet::InfoRequest;
pub use reply::{MAX_SHORT_REPLY, reply, short_reply};
