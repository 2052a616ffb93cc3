//! Messages: values in a row, whose types and order sender and receiver agree on beforehand.

mod arrays;
mod number;
mod raw;
mod reader;
mod text;
mod value;
mod values;
mod writer;

pub use arrays::{Bools, Numbers, Strings};
pub use number::Number;
pub use reader::Reader;
pub use text::{Text, TextError};
pub use value::Value;
pub use values::{VarLong, VarULong};
pub use writer::Writer;
