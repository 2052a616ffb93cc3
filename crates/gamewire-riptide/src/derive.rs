//! What code that the derives write stands on. No part of the API.

pub use gamewire_wire::{CodecError, Found};

pub use crate::message::{MessageSendMode, MessageType};
pub use crate::shared::message::{Reader, Value, Writer};
pub use crate::shared::version::Version;
