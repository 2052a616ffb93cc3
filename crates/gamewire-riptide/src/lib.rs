//! Riptide Networking without I/O: 2.0 with its byte format, 2.1 and all that came after it (and the
//! Python port) with its bit format.
//!
//! * [`client`] and [`server`] are the two roles, each a machine that is handed packets and the
//!   time. A server speaks both formats at once, over datagrams, streams and packets of your own.
//! * [`message`] is what applications say: [`Message`](struct@Message) with a method for each value
//!   as in C#, or types of your own with a [derive](macro@Message) and a handler for each.
//! * [`extension`] is what the original lacks, between two peers that have it; [`layout`] describes
//!   an application's own messages as data.
//! * [`link`] holds the state of one connection, for both roles; [`follow`] watches a conversation
//!   from outside.
//! * [`v20`] and [`v21`] hold one format each, in files of the same names, and [`shared`] what is
//!   the same: headers, cursors over messages, runs of bits, TCP frames. [`recognise`] says which
//!   format a first datagram speaks, [`definitions`] lists every header as data.
//!
//! `gamewire::riptide` gives the roles sockets and a clock. Nothing here has them, and nothing that
//! a peer sends makes it panic or reserve memory.
//!
//! ```
//! use gamewire_machine::{Instant, Machine as _};
//! use gamewire_riptide::client::{self, Client, ClientConfig};
//! use gamewire_riptide::server::{self, Server, ServerConfig};
//! use gamewire_riptide::{Endpoint, Format, Message, MessageSendMode::Reliable};
//!
//! let (now, mut packet) = (Instant::ZERO, Vec::new());
//! let mut server = Server::new(ServerConfig::new(10), now);
//! let mut client = Client::connect_over_transport(&ClientConfig::new(Format::V21), now)?;
//! client.handle_timeout(now);
//! let answer = loop {
//!     // A network that loses nothing.
//!     while client.poll_packet(now, &mut packet) {
//!         server.handle_packet(now, Endpoint::Other(1), &packet)?;
//!     }
//!     while server.poll_packet(now, &mut packet).is_some() {
//!         client.handle_packet(now, &packet)?;
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
//! assert_eq!(answer, "hello yourself");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The wire alone:
//!
//! ```
//! use gamewire_riptide::shared::packet::{Packet, Side, Unreliable};
//! use gamewire_riptide::shared::payload::Payload;
//! use gamewire_riptide::v21::message::MessageWriter;
//! use gamewire_riptide::v21::{V21, wire};
//!
//! let mut buffer = [0; 1231];
//! let mut message = MessageWriter::new(&mut buffer);
//! wire::packet::encode(&Packet::from(Unreliable { id: 11, payload: Payload::EMPTY }), &mut message)?;
//! message.i32(0x1122_3344)?;
//! message.bool(true)?;
//! message.string("Hi")?;
//! assert_eq!(message.written(), [0xb0, 0x40, 0x34, 0x23, 0x12, 0x51, 0x00, 0x29, 0x0d]);
//!
//! let packet = wire::packet::decode(message.written(), Side::Client, &mut ())?;
//! let Packet::Unreliable(unreliable) = packet else { panic!("an unreliable message") };
//! let mut values = unreliable.payload.reader::<V21>();
//! assert_eq!((unreliable.id, values.i32()?, values.bool()?), (11, 0x1122_3344, true));
//! assert_eq!(values.string()?, "Hi");
//! # Ok::<(), gamewire_wire::CodecError>(())
//! ```

#![forbid(unsafe_code)]

mod catalogue;
pub mod client;
#[doc(hidden)]
pub mod derive;
mod endpoint;
mod events;
pub mod extension;
pub mod follow;
mod format;
mod id;
pub mod layout;
pub mod link;
pub mod message;
mod peer;
mod reason;
mod recognise;
pub mod server;
pub mod shared;
pub mod v20;
pub mod v21;

pub use catalogue::definitions;
pub use endpoint::Endpoint;
pub use extension::ExtensionConfig;
pub use follow::Follower;
pub use format::Format;
pub use gamewire_derive::{Message, Value};
pub use id::{ClientId, ConnectionId};
pub use message::{Message, MessageSendMode, MessageType, Sendable};
pub use peer::{PacketError, SendError};
pub use reason::{DisconnectReason, RejectReason};
pub use recognise::{Confidence, Guess, detect};
pub use shared::message::Value;
