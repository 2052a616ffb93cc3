//! Which side a message comes from.

use crate::shared::message::{MessageId, Side};

/// Who sends messages of this kind: nobody else may. Pings and DDNet's UUID messages say nothing.
#[must_use]
pub const fn sender(system: bool, id: MessageId) -> Option<Side> {
    match (system, id) {
        (true, MessageId::Number(2..=11 | 25 | 26)) | (false, MessageId::Number(1..=16 | 27 | 28 | 30)) => {
            Some(Side::Server)
        }
        (true, MessageId::Number(1 | 14..=19)) | (false, MessageId::Number(17..=26 | 31)) => {
            Some(Side::Client)
        }
        _ => None,
    }
}
