//! A client on a server of Riptide.

mod describe;
mod plan;
mod run;
mod summary;
mod visit;
