//! Which side a message comes from.

use crate::shared::message::{MessageId, Side};

/// Who sends messages of this kind: nobody else may. Pings and DDNet's UUID messages say nothing.
#[must_use]
pub const fn sender(system: bool, id: MessageId) -> Option<Side> {
    match (system, id) {
        (true, MessageId::Number(2..=15 | 29 | 30)) | (false, MessageId::Number(1..=23 | 33 | 35..=38)) => {
            Some(Side::Server)
        }
        (true, MessageId::Number(1 | 18..=23)) | (false, MessageId::Number(24..=32 | 34 | 39)) => {
            Some(Side::Client)
        }
        _ => None,
    }
}
