//! Tests of packets, fragments and TCP connections.

mod decoding;
mod fragments;
pub(crate) mod frames;
mod links;
mod tcp_floods;
mod tcp_order;
mod tcp_script;
