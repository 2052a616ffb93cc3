//! Shared parts of the verbs for Riptide: messages on the command line and descriptions of received data.

mod driver;
#[cfg_attr(not(feature = "records"), path = "encryption/absent.rs")]
mod encryption;
mod message_fields;
mod payload;
mod peer_limits;

pub(crate) use driver::{new_client, open_client};
pub(crate) use encryption::{EncryptionKey, refusal};
pub(crate) use message_fields::{MessageFields, user_data};
pub(crate) use payload::{PayloadFormatter, reason_name};
pub(crate) use peer_limits::{PeerLimits, with_exceeded};
