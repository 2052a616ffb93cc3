//! The handshakes of all dialects (docs/protocols/teeworlds.md, "Control messages and handshakes").
//!
//! [`Connecting`] is the client's side. [`Acceptor`] is the server's side. It stores nothing for an address until the
//! address has returned a token that was sent to it. Both end with a [`Link`](crate::link::Link).

mod acceptor;
mod acceptor_v06;
mod acceptor_v07;
mod antispoof;
mod config;
mod connect_state;
mod connecting;
pub(crate) mod decode;
mod encode;
mod offer;
mod rate_limit;
mod seeded_rng;
#[cfg(test)]
mod tests;
mod token;

pub use acceptor::{AcceptOutcome, Acceptor, AcceptorStats, FirstPacket, InfoQuery};
pub use config::{AcceptorConfig, TokenlessPolicy};
pub use connect_state::ConnectOutcome;
pub use connecting::Connecting;
pub use offer::Offer;
pub use rate_limit::{PrefixRateLimiter, Rate, TokenBucket};
pub use seeded_rng::SeededRng;
