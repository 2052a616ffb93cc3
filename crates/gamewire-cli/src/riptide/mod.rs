//! Shared parts of the verbs for Riptide: messages on the command line and descriptions of received data.

mod content;
mod driver;
mod reason;
mod said;
mod user_data;

pub(crate) use content::PayloadFormatter;
pub(crate) use driver::open_client;
pub(crate) use reason::{disconnect_reason, reject_reason};
pub(crate) use said::MessageArg;
pub(crate) use user_data::UserData;
