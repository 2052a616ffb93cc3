#![forbid(unsafe_code)]
//! A record layer for UDP without I/O: it encrypts and authenticates the datagrams of any protocol, and keeps a session
//! when the client's address changes. The caller passes datagrams and the time, and sends the datagrams that it gets.
//!
//! * A [`Key`] is the secret of a server. [`Key::client_key`] makes the [`ClientKey`] of a client, which may contain a
//!   token: bytes that a game's backend chose, such as the id of a player.
//! * [`Client`] opens one session with a server. [`Server`] has the sessions of its clients, each with a [`SessionId`]
//!   that stays the same while the client's address changes.
//! * The handshake is Noise NNpsk0 with X25519, ChaCha20-Poly1305 and SHA-256, after a cookie that proves the client's
//!   address. Each session has fresh keys, one for each direction. [`wire`] describes all packets.
//!
//! A server stores nothing for a client that has not proven its address and its key, and never sends an unproven address
//! more bytes than it received from there. Each record has a counter; a replayed or forged record is an error and
//! changes nothing.
//!
//! ```
//! use gamewire_machine::Instant;
//! use gamewire_records::{Client, Key, Server, ServerConfig};
//!
//! let (now, mut datagram) = (Instant::ZERO, Vec::new());
//! let (here, there) = ("192.0.2.1:5000".parse()?, "192.0.2.2:7777".parse()?);
//! let key = Key::from_bytes([7; 32]);
//! // Seeds must be random and secret. These are not.
//! let mut client = Client::new(key.client_key(b"")?, [there], [1; 32], now);
//! let mut server = Server::new(key, ServerConfig::default(), [2; 32]);
//! while !client.is_open() {
//!     client.handle_timeout(now);
//!     while client.poll_transmit(&mut datagram).is_some() {
//!         server.handle_datagram(now, here, &datagram)?;
//!     }
//!     while server.poll_transmit(&mut datagram).is_some() {
//!         client.handle_datagram(now, there, &datagram)?;
//!     }
//! }
//! client.seal(b"hello", &mut datagram)?;
//! let received = server.handle_datagram(now, here, &datagram)?.expect("a packet");
//! assert_eq!(received.packet, b"hello");
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

mod cipher;
mod client;
mod control;
mod cookie;
mod crypto;
mod error;
mod half_open;
mod key;
mod noise;
mod path;
mod random;
mod server;
mod stats;
#[cfg(test)]
#[allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that fails panics"
)]
mod tests;
mod window;
pub mod wire;

pub use client::{Client, ClientEvent, HandshakeState};
pub use error::{RecordError, SealError};
pub use key::{ClientKey, Key, KeyError, MAX_TOKEN_BYTES};
pub use server::{Received, Server, ServerConfig, ServerEvent, SessionId};
pub use stats::ServerStats;
