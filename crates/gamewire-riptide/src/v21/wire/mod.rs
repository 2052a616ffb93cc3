//! Header numbers, the acknowledgement, reasons, packets and frames: one file each.

pub(crate) mod ack;
pub mod frame;
pub mod header;
pub mod packet;
pub(crate) mod quick;
pub mod reason;
