//! Fields that are neither plain numbers nor strings.

mod bytes;
mod list;

pub(crate) use bytes::trace_rest;
pub use bytes::{BigEndian16, Byte, Decimal, Rest, Sha256, SizedData, SizedInput, Token, Uuid};
pub use list::{List, Names, Numbers, Texts};
