//! Riptide Networking without I/O: 2.0 with its byte format, 2.1 and all later versions (and the Python
//! port) with its bit format.
//!
//! * [`client`] and [`server`] are the two roles, each a machine that receives packets and the time. A
//!   server accepts both formats at the same time, over datagrams, streams and custom transports.
//! * [`message`] holds the messages of applications: [`Message`](struct@Message) with a method for each
//!   value as in C#, or types with a [derive](macro@Message) and a handler for each.
//! * [`extension`] adds features that the C# library lacks, between two peers that both have it;
//!   [`layout`] describes an application's messages as data.
//! * [`follow`] decodes a captured conversation. [`detect`] guesses the format of a first datagram, and
//!   [`definitions`] lists every header as data.
//! * [`raw`] reads and writes single packets, values and frames.
//!
//! With the feature `serde`, events, messages, ids, settings and layouts can be serialized and deserialized.
//! `gamewire::riptide` adds sockets and a clock. Nothing that a peer sends makes this crate panic or
//! reserve unbounded memory.
//!
//! ```
//! use gamewire_machine::{Instant, Machine as _};
//! use gamewire_riptide::client::{self, Client, ClientConfig};
//! use gamewire_riptide::server::{self, Server, ServerConfig};
//! use gamewire_riptide::{Endpoint, Format, Message, MessageSendMode::Reliable, PacketMachine as _};
//!
//! let (now, mut packet) = (Instant::ZERO, Vec::new());
//! let mut server = Server::new(ServerConfig::new(10), now);
//! let mut client = Client::connect_over_transport(&ClientConfig::new(Format::V21), now)?;
//! client.handle_timeout(now);
//! let reply = loop {
//!     // A network without loss.
//!     while client.poll_packet(now, &mut packet).is_some() {
//!         server.handle_packet(now, Endpoint::Other(1), &packet)?;
//!     }
//!     while server.poll_packet(now, &mut packet).is_some() {
//!         client.handle_packet(now, (), &packet)?;
//!     }
//!     if let Some(server::Event::MessageReceived { client, mut message }) = server.poll_event() {
//!         let text = message.get_string()?;
//!         server.send(Message::create(Reliable, 2_u16).add_string(format!("{text} yourself")), client)?;
//!     }
//!     match client.poll_event() {
//!         Some(client::Event::Connected { .. }) => {
//!             client.send(Message::create(Reliable, 1_u16).add_string("hello"))?;
//!         }
//!         Some(client::Event::MessageReceived { mut message }) => break message.get_string()?,
//!         _ => {}
//!     }
//! };
//! assert_eq!(reply, "hello yourself");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A single packet:
//!
//! ```
//! use gamewire_machine::Role;
//! use gamewire_riptide::raw::{Packet, Payload, Unreliable, V21, Writer};
//!
//! let mut buffer = [0; 1231];
//! let mut message = Writer::<V21>::new(&mut buffer);
//! Packet::from(Unreliable { id: 11, payload: Payload::EMPTY }).encode(&mut message)?;
//! message.i32(0x1122_3344)?;
//! message.bool(true)?;
//! message.string("Hi")?;
//! assert_eq!(message.written(), [0xb0, 0x40, 0x34, 0x23, 0x12, 0x51, 0x00, 0x29, 0x0d]);
//!
//! let packet = Packet::decode::<V21, _>(message.written(), Role::Client, &mut ())?;
//! let Packet::Unreliable(unreliable) = packet else { panic!("an unreliable message") };
//! let mut values = unreliable.payload.reader::<V21>();
//! assert_eq!((unreliable.id, values.i32()?, values.bool()?), (11, 0x1122_3344, true));
//! assert_eq!(values.string()?, "Hi");
//! # Ok::<(), gamewire_wire::CodecError>(())
//! ```

#![forbid(unsafe_code)]

pub mod client;
pub mod command;
mod connection;
mod error;
pub mod extension;
pub mod follow;
pub mod layout;
mod link;
pub mod message;
mod packet_machine;
pub mod raw;
#[cfg(feature = "serde")]
mod serialize;
pub mod server;
mod shared;
mod types;
mod versions;
pub mod websocket;

pub use error::{PacketError, SendError, ServerPacketError};
pub use extension::ExtensionConfig;
pub use follow::{Confidence, Follower, Guess, detect};
pub use gamewire_derive::{Message, MessageId, Value};
#[cfg(feature = "records")]
pub use gamewire_records as records;
pub use link::{
    ConnectionLimit, ConnectionSettings, ConnectionState, DeliveryOutcome, ExceededLimit, LinkConfig,
    Metrics, NotifyWindow, OnSendExhausted, RollingSends,
};
pub use message::{Message, MessageSendMode, MessageType, Sendable};
pub use packet_machine::PacketMachine;
pub use raw::definitions;
pub use shared::message::Value;
pub use shared::reason::{DisconnectReason, RejectReason};
pub use types::{ClientId, ConnectionId, Endpoint, Format};

/// Items that the derived code uses. Not part of the API.
#[doc(hidden)]
pub mod derive {
    pub use gamewire_wire::{CodecError, Found};

    pub use crate::message::{MessageSendMode, MessageType};
    pub use crate::raw::{Reader, Value, Version, Writer};
}
