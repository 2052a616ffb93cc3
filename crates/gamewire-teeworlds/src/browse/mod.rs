//! Servers asked what they are, and the answers, in every form (docs/protocols/teeworlds.md, "Connless").
//!
//! * A [`Browser`] asks: it is a machine, and tells an [`Event`] for every address and form.
//! * [`InfoRequest::read`] and [`reply`] are the other half, for servers.

mod browser;
mod config;
mod event;
mod form;
mod heard;
mod packet;
mod parts;
mod question;
mod read;
mod reply;
mod request;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
#[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "a test's own numbers")]
mod tests;

pub use browser::Browser;
pub use config::BrowserConfig;
pub use event::Event;
pub use form::InfoFormat;
pub use reply::reply;
pub use request::InfoRequest;
