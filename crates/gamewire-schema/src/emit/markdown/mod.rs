//! A protocol as a reference in Markdown.

mod legend;
mod packet;
mod reference;
mod table;

pub use reference::Markdown;
