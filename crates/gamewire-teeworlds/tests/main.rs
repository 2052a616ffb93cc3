//! The integration tests. They are one program, because each program links the whole crate.

mod attacks_live;
mod chats;
mod contract;
mod corpora;
mod logins;
mod memory;
mod mutations;
mod seeds;
mod server_allocations;
mod sessions;
mod support;
