//! Riptide Networking, with sockets and a clock.
//!
//! * [`Server`] and [`Client`] are used as in C#: `update()` once a frame, handlers, events. `tokio` (feature `tokio`)
//!   has both for asynchronous programs.
//! * [`Message`](struct@Message) is a message with the methods of the C# library; [`macro@Message`] derives one from a
//!   type.
//! * [`Transport`] is the trait of custom transports.
//! * [`client`] and [`server`] have the roles without I/O, their configuration, commands and events; [`extension`] adds
//!   features that the C# library lacks.
//! * [`follow`] decodes captured conversations; [`layout`] describes an application's messages as data.
//! * [`raw`] is for authors of tools: packets, values and frames on the wire.
//!
//! [From C# to Rust] lists every member of the C# library next to ours.
//!
//! ```
//! use gamewire::riptide::{Client, ClientConfig, Format, Message, MessageSendMode, Server};
//! use gamewire::riptide::{client, server};
//! # use std::time::Duration;
//!
//! let mut server = Server::start(0, 10)?; // a free port
//! server.on_message(1_u16, |server, from, message| {
//!     let text = message.get_string().unwrap_or_default();
//!     let mut answer = Message::create(MessageSendMode::Reliable, 2_u16);
//!     answer.add_string(format!("{text} yourself"));
//!     server.send(&answer, from).map(drop)
//! })?;
//!
//! let mut client = Client::connect(("127.0.0.1", server.port()), ClientConfig::new(Format::V21))?;
//! let answer = loop {
//!     server.update()?;
//!     client.update()?;
//!     server.poll_failure().map_or(Ok(()), Err)?;
//!     match client.poll_event() {
//!         Some(client::Event::Connected { .. }) => {
//!             let mut hello = Message::create(MessageSendMode::Reliable, 1_u16);
//!             hello.add_string("hello");
//!             client.send(&hello)?;
//!         }
//!         Some(client::Event::MessageReceived { mut message }) => break message.get_string()?,
//!         _ => client.wait(Duration::from_millis(1))?,
//!     }
//! };
//! assert_eq!(answer, "hello yourself");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [From C# to Rust]: https://github.com/gamewire/gamewire/blob/main/docs/from-csharp-to-rust.md

#[cfg(feature = "net")]
mod driven;
#[cfg(feature = "net")]
mod frame_loop;
#[cfg(feature = "net")]
mod handlers;
#[cfg(feature = "net")]
mod logger;
#[cfg(feature = "net")]
mod options;
#[cfg(feature = "tokio")]
pub mod tokio;
// Doc tests compile the code of this page.
#[cfg_attr(doctest, doc = include_str!("../../../../docs/from-csharp-to-rust.md"))]
mod transport;
#[cfg(feature = "net")]
mod transport_driver;

pub use gamewire_derive::{FacadeMessage as Message, FacadeValue as Value, MessageId};
pub use gamewire_riptide::client::ClientConfig;
#[doc(hidden)]
pub use gamewire_riptide::derive;
pub use gamewire_riptide::message::{
    Message, MessageSendMode, MessageType, Quaternion, Sendable, Value, Vector2, Vector3,
};
pub use gamewire_riptide::server::{RelayFilter, ServerConfig};
pub use gamewire_riptide::{
    ClientId, ConnectionId, ConnectionSettings, ConnectionState, DeliveryOutcome, DisconnectReason, Endpoint,
    ExtensionConfig, Format, LinkConfig, Metrics, NotifyWindow, OnSendExhausted, PacketError, RejectReason,
    RollingSends, SendError, ServerPacketError, client, extension, follow, layout, message, raw, server,
    websocket,
};

#[cfg(feature = "records")]
pub use gamewire_riptide::{records, server::RecordPolicy};

#[cfg(feature = "net")]
pub use frame_loop::{Client, Server};
#[cfg(feature = "net")]
pub use handlers::{ClientHandler, FailureKind, HandlerFailure, ServerHandler};
#[cfg(feature = "net")]
pub use logger::Logger;
#[cfg(feature = "net")]
pub use options::{ConnectError, ConnectOptions, ListenOptions};
pub use transport::{Transport, TransportEvent};
