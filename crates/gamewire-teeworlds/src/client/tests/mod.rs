//! Scenarios of a client with a scripted server.

mod closing;
mod hostile;
mod login;
mod maps;
mod matrix;
mod play;
mod table;
