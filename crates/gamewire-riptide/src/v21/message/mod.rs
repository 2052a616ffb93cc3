//! How values stand in messages.

pub(crate) mod format;
pub(crate) mod length;

pub use format::{MessageReader, MessageWriter};
