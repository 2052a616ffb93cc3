//! Fields that are neither plain numbers nor strings.

mod decimal;
mod input;
mod list;
mod optional;
mod raw;

pub use decimal::Decimal;
pub use input::SizedInput;
pub use list::{List, Names, Numbers, Texts};
pub(crate) use raw::trace_rest;
pub use raw::{BigEndian16, Byte, Rest, Sha256, SizedData, Token, Uuid};
