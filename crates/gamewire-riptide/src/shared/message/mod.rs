//! Values of messages. Sender and receiver know their types and order.

mod arrays;
mod bit_values;
mod number;
mod reader;
mod text;
mod value;
mod values;
mod writer;

pub use arrays::Numbers;
pub(crate) use bit_values::BYTE_FORMAT_TYPE;
pub use number::Number;
pub use reader::Reader;
pub use text::{Text, TextError};
pub use value::Value;
pub use values::{VarLong, VarULong};
pub(crate) use writer::ROOM;
pub use writer::Writer;
