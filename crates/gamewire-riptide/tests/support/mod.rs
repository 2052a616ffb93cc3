//! What the tests share.
#![allow(dead_code, unreachable_pub, reason = "each program that includes this uses a part of it")]

pub mod targets;
pub mod values;
pub mod vectors;
