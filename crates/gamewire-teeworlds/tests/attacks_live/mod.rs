//! Attacks on live machines: on whole servers and clients instead of their parts. The name of each test begins with the
//! id of its attack.

mod clocks;
mod floods;
mod maps;
mod questions;
mod spoofs;
mod storms;
mod tokens;
mod world;
