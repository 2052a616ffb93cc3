//! What the verbs that speak Riptide have in common: messages that people write, and how what came
//! is told.

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
