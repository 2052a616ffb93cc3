//! A client on a Riptide server.

mod describe;
mod plan;
mod run;
mod summary;
mod visit;
