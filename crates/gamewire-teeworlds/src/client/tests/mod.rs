//! Scenarios of a client and a server that says what it is told to.

mod closing;
mod hostile;
mod login;
mod maps;
mod matrix;
mod play;
mod table;
