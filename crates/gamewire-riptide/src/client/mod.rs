//! The client role, over datagrams, a stream or the application's own transport.
//!
//! ```
//! use gamewire_machine::{Instant, Machine};
//! use gamewire_riptide::client::{Client, ClientConfig, Event};
//! use gamewire_riptide::{Format, Message, MessageSendMode, PacketMachine};
//!
//! let (now, mut packet) = (Instant::ZERO, Vec::new());
//! let mut client = Client::connect_over_transport(&ClientConfig::new(Format::V21), now)?;
//! client.handle_timeout(now);
//! assert!(client.poll_packet(now, &mut packet).is_some());
//! assert_eq!(packet, [0x02]);
//!
//! // The server's Welcome to client 1.
//! client.handle_packet(now, (), &[0x18, 0x00, 0x10, 0x00, 0x00])?;
//! assert!(matches!(client.poll_event(), Some(Event::Connected { id }) if id.0 == 1));
//! client.send(Message::create(MessageSendMode::Reliable, 10_u16).add_int(5))?;
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

#[allow(clippy::module_inception, reason = "the folder is named after what it holds")]
mod client;
mod commands;
mod config;
mod event;
mod machine;
mod receive;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests;

pub use client::Client;
pub use config::ClientConfig;
pub use event::Event;
