//! Checks that bridges fulfill the contract, and that they hold a bounded number of bytes for a caller that does not
//! poll them. On the other side of a bridge is a real client or server.

mod bridged;
mod freeciv;
mod memory;
mod riptide;
mod teeworlds;
