//! A protocol as a reference document in Markdown.

mod legend;
mod reference;
mod table;

pub use reference::Markdown;
