//! The codec of sessions. Its interface is the same for every definition.
//!
//! A [`Definition`] lists the packets. A [`Decoder`] returns each packet as a [`PacketRef`], which borrows it until the
//! next packet. An [`Encoder`] writes packets. Both use generated code for Freeciv 3.0, 3.1 and 3.2, and the
//! interpreter for other definitions.

mod decoder;
mod definition;
mod encoder;
mod packet;
mod session_packet;

pub use decoder::{Decoder, PacketRef};
pub use definition::{Definition, DefinitionError};
pub use encoder::Encoder;
pub use packet::PacketBuf;

pub(in crate::session) use session_packet::SessionPacket;
