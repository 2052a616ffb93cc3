//! Scenarios of a client with a scripted server.

mod closing;
#[cfg(feature = "commands")]
mod commands;
mod hostile;
mod login;
mod maps;
mod matrix;
mod play;
mod session;
mod table;
