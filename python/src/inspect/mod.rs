//! Captures: their packets, tables of them, and bytes without a capture.

mod capture;
mod explained;
mod packet;
mod tables;

pub(crate) use capture::Capture;
pub(crate) use explained::explain;
pub(crate) use packet::Packet;
pub(crate) use tables::write_tables;
