//! Which side a message comes from.

use gamewire_machine::Role;

use crate::shared::message::MessageId;

/// Who sends messages of this kind: nobody else may. Pings and DDNet's UUID messages say nothing.
#[must_use]
pub const fn sender(system: bool, id: MessageId) -> Option<Role> {
    match (system, id) {
        (true, MessageId::Number(2..=15 | 29 | 30)) | (false, MessageId::Number(1..=23 | 33 | 35..=38)) => {
            Some(Role::Server)
        }
        (true, MessageId::Number(1 | 18..=23)) | (false, MessageId::Number(24..=32 | 34 | 39)) => {
            Some(Role::Client)
        }
        _ => None,
    }
}
