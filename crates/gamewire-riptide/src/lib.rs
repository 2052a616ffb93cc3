//! Riptide Networking on the wire: 2.0 with its byte format, 2.1 and all that came after it
//! (and the Python port) with its bit format.
//!
//! * [`v20`] and [`v21`] hold one format each, in files of the same names: header numbers, the
//!   acknowledgement, reasons and TCP frames in `wire`, how values of messages stand in `message`.
//! * [`shared`] holds what is the same: the headers and their fields, the cursors over messages,
//!   runs of bits, the splitter of TCP frames.
//! * [`recognise`] says which format a first datagram speaks, [`definitions`] lists every header
//!   as data.
//! * [`layout`] describes an application's own messages.
//! * [`client`] and [`server`] are the two roles; [`message`] is what applications say.
//! * [`link`] holds the state of one connection, for both; [`follow`] watches a conversation of
//!   either from outside.
//!
//! Nothing here has a socket or a clock, and nothing that a peer sends makes it panic or reserve
//! memory.
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
pub use peer::{Reject, SendError};
pub use reason::{DisconnectReason, RejectReason};
pub use recognise::{Evidence, Strength, recognise};
pub use shared::message::Value;
