//! Answers of a server to those who ask what it is.

mod answer;
mod counts;
mod extended;
mod plain;
mod text;
mod v07;

pub use answer::reply;
