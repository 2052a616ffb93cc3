//! Implements, decodes and records the network protocols of real multiplayer games, byte for byte like the games.
//!
//! One dependency with a feature for each protocol: `teeworlds`, `riptide` and `freeciv`. Their modules have clients
//! and servers for a frame loop or tokio, the machines without I/O below them, and a module `raw` for authors of tools.
//! [`net`] drives any machine with sockets and a clock, [`seed`] gives it randomness, and [`maps`] stores the maps that
//! a Teeworlds client downloads. [`inspect`] decodes captures of all protocols, and
//! [`watch`] decodes and records live traffic.
//!
//! ```
//! use gamewire::teeworlds::raw::v07::{Game, Message};
//! use gamewire::wire::Reader;
//!
//! let chunk = b"\x06\x01\x40\x40hello from a capture\0";
//! let message = Message::decode(Reader::new(chunk), Default::default(), &mut ())?;
//! let Message::Game(Game::SvChat(chat)) = message else { panic!("a line of chat") };
//! assert_eq!(chat.text.to_string(), "hello from a capture");
//! # Ok::<(), gamewire::wire::CodecError>(())
//! ```

#[cfg(feature = "freeciv")]
pub mod freeciv;
#[cfg(feature = "inspect")]
pub mod inspect;
#[cfg(all(feature = "net", feature = "teeworlds"))]
pub mod maps;
#[cfg(feature = "riptide")]
pub mod riptide;
#[cfg(feature = "net")]
mod system;
#[cfg(feature = "teeworlds")]
pub mod teeworlds;

#[cfg(feature = "net")]
pub use system::seed;

#[doc(inline)]
pub use gamewire_machine as machine;
#[cfg(feature = "net")]
#[doc(inline)]
pub use gamewire_net as net;
#[cfg(feature = "inspect")]
#[doc(inline)]
pub use gamewire_watch as watch;
#[doc(inline)]
pub use gamewire_wire as wire;
