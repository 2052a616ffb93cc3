use gamewire_wire::Layer;

use crate::shared::definition::{Definition, FieldDefinition};
use crate::shared::header::{self, Header};
use crate::shared::packet::ack_fields;
use crate::shared::reason::{DisconnectReason, RejectReason};
use crate::shared::version::Version;

/// The bit format of 2.1.0 to 2.2.1, of all later versions so far, and of the Python port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct V21;

impl Version for V21 {
    const NAME: &'static str = "riptide-2.1";
    const HEADER_BITS: usize = 4;
    const MAX_HEADER_SIZE: usize = 6;
    const FRAME_PREFIX: usize = 4;
    const HEADERS: &'static [Header] = &header::numbered([
        Header::Unreliable,
        Header::Ack,
        Header::Connect,
        Header::Reject,
        Header::Heartbeat,
        Header::Disconnect,
        Header::Notify,
    ]);
    const REJECT_REASONS: &'static [RejectReason] = &[
        RejectReason::NoConnection,
        RejectReason::AlreadyConnected,
        RejectReason::ServerFull,
        RejectReason::Rejected,
        RejectReason::Custom,
    ];
    const DISCONNECT_REASONS: &'static [DisconnectReason] = DisconnectReason::NUMBERED;
    const ACK_HAS_FLAG: bool = true;
    const ACK: &'static Definition = &Definition {
        layer: Layer::Message,
        name: "ack",
        doc: &["Which of the peer's reliable messages have arrived."],
        fields: &[
            ack_fields::LAST_RECEIVED,
            ack_fields::RECEIVED,
            FieldDefinition::new("has_for_seq_id", "Bool", &["Whether it acknowledges one more message."]),
            FieldDefinition::new("for_seq_id", "Ushort", &["The message that this acknowledges."]),
            FieldDefinition::new(
                "trailing",
                "Payload",
                &["Bits without a meaning; in 2.1.0 to 2.1.2 the 16 bits of an id that the flag denies."],
            ),
        ],
    };

    fn frame_length(prefix: [u8; 4]) -> i64 {
        i32::from_le_bytes(prefix).into()
    }

    fn frame_prefix(length: usize) -> Option<[u8; 4]> {
        Some(i32::try_from(length).ok()?.to_le_bytes())
    }
}
