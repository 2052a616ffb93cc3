//! From nothing to a connection, in all dialects (docs/protocols/teeworlds.md, "Control messages and
//! handshakes").
//!
//! [`Connecting`] is the client's side. [`Acceptor`] is the server's: it keeps nothing for an address
//! that has not shown, by a token sent to it, that it is its sender's own. Both end with a
//! [`Link`](crate::link::Link).

mod admission;
mod config;
mod connecting;
mod entropy;
mod gate;
mod gate_v06;
mod gate_v07;
mod limit;
mod puzzle;
pub(crate) mod read;
mod reason;
#[cfg(test)]
mod tests;
mod token;
mod written;

pub use admission::{AcceptOutcome, AcceptorStats, FirstPacket, InfoQuery};
pub use config::{AcceptorConfig, TokenlessPolicy};
pub use connecting::{ConnectOutcome, Connecting};
pub use entropy::SeededRng;
pub use gate::Acceptor;
pub(crate) use limit::customer_prefix;
pub use limit::{PrefixRateLimiter, Rate, TokenBucket};
