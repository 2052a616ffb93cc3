//! Which side a message comes from.

use gamewire_machine::Role;

use crate::shared::message::MessageId;

/// Who sends messages of this kind: nobody else may. Pings and DDNet's UUID messages say nothing.
#[must_use]
pub const fn sender(system: bool, id: MessageId) -> Option<Role> {
    match (system, id) {
        (true, MessageId::Number(2..=11 | 25 | 26)) | (false, MessageId::Number(1..=16 | 27 | 28 | 30)) => {
            Some(Role::Server)
        }
        (true, MessageId::Number(1 | 14..=19)) | (false, MessageId::Number(17..=26 | 31)) => {
            Some(Role::Client)
        }
        _ => None,
    }
}
