//! Passive observation of conversations, with a small definition.

mod attacks;
mod conversation;
mod fields;
mod losses;
mod recognition;
mod support;
