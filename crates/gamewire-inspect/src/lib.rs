//! Captures of game traffic: files in, conversations followed, records filtered and counted.
//!
//! The way of one frame: [`capture::Reader`] reads it from a file, [`net::Decoder`] takes the headers
//! off, an [`Inspector`](conversation::Inspector) finds its conversation and lets the follower of that
//! conversation's protocol tell a trace what it says. The trace is a
//! [`Record`](gamewire_machine::Record) to be filtered ([`filter`]) and shown ([`render`]), or a
//! [`CountingTrace`](tally::CountingTrace) that only counts.

pub mod capture;
pub mod conversation;
pub mod filter;
pub mod messages;
pub mod net;
pub mod protocol;
pub mod recording;
pub mod render;
pub mod tally;
