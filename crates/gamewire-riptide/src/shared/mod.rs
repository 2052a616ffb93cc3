//! What the byte format and the bit format have in common.

pub(crate) mod bits;
pub mod definition;
pub mod frame;
pub mod header;
pub mod message;
pub mod packet;
pub mod payload;
pub mod version;
pub mod warning;
