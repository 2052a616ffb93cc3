//! The parts that the byte format and the bit format have in common.

pub(crate) mod bits;
pub(crate) mod frame;
pub(crate) mod header;
pub(crate) mod message;
pub(crate) mod packet;
pub(crate) mod payload;
pub(crate) mod reason;
pub(crate) mod version;
pub(crate) mod warning;
