//! Packets of a handmade definition: each rule of the delta protocol, and attacks by a peer.

mod allocations;
mod arrays;
mod attacks;
mod encoding;
mod errors;
mod fields;
mod memory;
mod mutations;
mod roles;
mod support;
mod types;
mod variants;
