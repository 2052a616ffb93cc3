//! Messages of an application: encoding, decoding, handlers, and attacks by peers.

mod allocations;
mod attacks;
mod derived;
mod golden;
mod handlers;
mod hygiene;
mod limits;
mod relay;
mod round_trip;
mod vectors;
