//! Answers of a server to server info requests.

mod answer;
mod extended;
mod plain;
mod text;
mod v07;

pub use answer::reply;
