//! What sessions read and write packets with: one codec, whatever the definition.
//!
//! A [`Definition`] says which packets there are. A [`Decoder`] lends a [`PacketRef`] packet with
//! its fields by name; an [`Encoder`] writes them. Nothing is copied on the way: a packet is lent
//! from what the decoder remembers anyway, until the next one.

mod decoder;
mod definition;
mod encoder;
mod kind;
mod received;
mod view;

pub use decoder::Decoder;
pub use definition::{Definition, DefinitionError};
pub use encoder::Encoder;
pub use received::{PacketBuf, PacketRef};

pub(in crate::session) use kind::SessionPacket;
