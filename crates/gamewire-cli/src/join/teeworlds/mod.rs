//! A headless player on a Teeworlds server.

mod describe;
mod game;
mod maps;
mod run;
mod summary;
