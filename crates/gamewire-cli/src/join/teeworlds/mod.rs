//! A headless player on a Teeworlds server.

mod command;
mod describe;
mod maps;
mod run;
mod session;
mod summary;
