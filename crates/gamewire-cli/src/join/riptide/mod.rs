//! A client on a Riptide server.

mod describe;
mod run;
mod session;
mod summary;
