//! A protocol as a reference in Markdown.

mod legend;
mod reference;
mod table;

pub use reference::Markdown;
