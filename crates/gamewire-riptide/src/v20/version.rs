use gamewire_wire::Layer;

use crate::shared::definition::{Definition, FieldDefinition};
use crate::shared::header::{self, Header};
use crate::shared::packet::ack_fields;
use crate::shared::reason::{DisconnectReason, RejectReason};
use crate::shared::version::Version;

/// The byte format of 2.0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct V20;

impl Version for V20 {
    const NAME: &'static str = "riptide-2.0";
    const HEADER_BITS: usize = 8;
    const MAX_HEADER_SIZE: usize = 5;
    const FRAME_PREFIX: usize = 2;
    const HEADERS: &'static [Header] = &header::numbered([
        Header::Unreliable,
        Header::Ack,
        Header::AckExtra,
        Header::Connect,
        Header::Reject,
        Header::Heartbeat,
        Header::Disconnect,
    ]);
    const REJECT_REASONS: &'static [RejectReason] = &[
        RejectReason::NoConnection,
        RejectReason::AlreadyConnected,
        RejectReason::Pending,
        RejectReason::ServerFull,
        RejectReason::Rejected,
        RejectReason::Custom,
    ];
    const DISCONNECT_REASONS: &'static [DisconnectReason] = DisconnectReason::NUMBERED.split_at(7).0;
    const ACK_HAS_FLAG: bool = false;
    const ACK: &'static Definition = &Definition {
        layer: Layer::Message,
        name: "ack",
        doc: &["Which of the peer's reliable messages have arrived: `Ack` or `AckExtra`."],
        fields: &[
            ack_fields::LAST_RECEIVED,
            ack_fields::RECEIVED,
            FieldDefinition::new(
                "for_seq_id",
                "Ushort",
                &["`AckExtra`: the message that this acknowledges."],
            ),
            FieldDefinition::new("trailing", "Payload", &["Bits without a meaning."]),
        ],
    };

    fn frame_length(prefix: [u8; 4]) -> i64 {
        let [low, high, ..] = prefix;
        u16::from_le_bytes([low, high]).into()
    }

    fn frame_prefix(length: usize) -> Option<[u8; 4]> {
        let [low, high] = u16::try_from(length).ok()?.to_le_bytes();
        Some([low, high, 0, 0])
    }
}
