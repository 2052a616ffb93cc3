//! Shared helpers of the tests.
#![allow(dead_code, unreachable_pub, reason = "each program that includes this uses a part of it")]

pub mod connecting;
pub mod echo;
pub mod layout;
pub mod messages;
pub mod recorded;
pub mod sequence;
pub mod serving;
pub mod targets;
pub mod values;
pub mod vectors;
