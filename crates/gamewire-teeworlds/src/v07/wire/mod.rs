//! Headers, control messages and browsing messages, in one file each.

pub mod connless;
pub mod control;
pub mod packet;
