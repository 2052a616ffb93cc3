//! A protocol as a reference to read.

mod contents;
mod fields;
mod legend;
mod packet;
mod reference;
mod types;

pub use reference::Markdown;
