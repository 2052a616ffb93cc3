//! WebSocket (RFC 6455) for packets of games, without I/O: the caller passes bytes and sends the bytes that it gets.
//!
//! * [`ServerUpgrade`] and [`ClientUpgrade`] are the two sides of the HTTP upgrade. [`AllowedOrigins`] decides which web
//!   pages may connect.
//! * [`Socket`] is one end of an open connection. It returns binary messages, answers pings and closes.
//! * [`FrameDecoder`] reads frames. [`append_frame`] writes one.
//!
//! Everything that a peer sends is bounded: the bytes and lines of an HTTP head, the bytes and fragments of a message,
//! and the control frames between two messages. Text messages and extensions such as compression are refused.
//!
//! ```
//! use gamewire_machine::Role;
//! use gamewire_websocket::{AllowedOrigins, ClientUpgrade, ServerUpgrade, Socket, Target};
//!
//! let (mut client, request) = ClientUpgrade::new(&Target::new("localhost:7777"), 1);
//! let (mut server, mut response) = (ServerUpgrade::default(), Vec::new());
//! let is_open = server.handle_bytes(&mut request.as_slice(), &AllowedOrigins::default(), &mut response)?;
//! assert!(is_open && client.handle_bytes(&mut response.as_slice())?);
//!
//! let (mut client, mut bytes) = (Socket::new(Role::Client, 1231, 1), Vec::new());
//! client.append_message(&[0x02], &mut bytes);
//! let mut server = Socket::new(Role::Server, 1231, 2);
//! assert_eq!(server.next_message(&mut bytes.as_slice()), Ok(Some(&[0x02][..])));
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

mod client_upgrade;
mod decoder;
mod frame;
mod head;
mod key;
mod mask;
mod origins;
mod server_upgrade;
mod socket;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::arithmetic_side_effects, reason = "a test that fails panics")]
mod tests;

pub use client_upgrade::{ClientUpgrade, ResponseError, Target};
pub use decoder::{Frame, FrameDecoder, FrameError, MAX_CONTROLS_IN_ROW, MAX_FRAGMENTS};
pub use frame::{MAX_CONTROL_BYTES, Opcode, append_frame};
pub use head::MAX_HEAD_BYTES;
pub use origins::AllowedOrigins;
pub use server_upgrade::{RequestError, ServerUpgrade};
pub use socket::{MAX_QUEUED_CONTROL_BYTES, Socket, SocketError, close_code};
