//! Riptide Networking: everything of [`gamewire_riptide`], with sockets and a clock.
//!
//! * [`Server`] and [`Client`] are used as in C#: `update()` once a frame, handlers, events.
//! * `tokio` (feature `tokio`) has both for asynchronous programs.
//! * [`Transport`] is for transports of your own.
//!
//! The machines without I/O are [`server::Server`] and [`client::Client`]; the types here have all of their commands.
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
mod options;
#[cfg(feature = "tokio")]
pub mod tokio;
// Tests of documentation compile the code of that page.
#[cfg_attr(doctest, doc = include_str!("../../../../docs/from-csharp-to-rust.md"))]
mod transport;
#[cfg(feature = "net")]
mod transport_driver;

pub use gamewire_derive::{FacadeMessage as Message, FacadeValue as Value};
pub use gamewire_riptide::client::ClientConfig;
pub use gamewire_riptide::message::{Quaternion, Vector2, Vector3};
pub use gamewire_riptide::server::{RelayFilter, ServerConfig};
pub use gamewire_riptide::*;

#[cfg(feature = "net")]
pub use frame_loop::{Client, Server};
#[cfg(feature = "net")]
pub use handlers::{ClientHandler, FailureKind, HandlerFailure, ServerHandler};
#[cfg(feature = "net")]
pub use options::{ConnectError, ConnectOptions, ListenOptions};
pub use transport::{Transport, TransportEvent};
