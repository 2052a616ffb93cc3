//! Messages: values in a row, whose types and order sender and receiver agree on beforehand.

mod arrays;
mod number;
mod reader;
mod serializable;
mod text;
mod writer;

pub use arrays::{Bools, Numbers, Strings};
pub use number::Number;
pub use reader::Reader;
pub use serializable::Serializable;
pub use text::{Text, TextError};
pub use writer::Writer;
