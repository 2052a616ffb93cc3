//! A protocol, or several versions of it, as a reference document in Markdown.

mod fields;
mod legend;
mod packet;
mod reference;
mod table;
mod versions;

pub use reference::Markdown;
