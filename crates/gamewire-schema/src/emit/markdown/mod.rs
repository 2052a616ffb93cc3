//! A protocol as a reference in Markdown.

mod contents;
mod fields;
mod legend;
mod links;
mod packet;
mod reference;
mod types;

pub use reference::Markdown;
