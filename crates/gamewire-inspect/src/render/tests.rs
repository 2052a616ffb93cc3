use gamewire_machine::Role;
use gamewire_machine::{ConversationSide, Follow, Instant, Record, Transport};

use crate::conversation::PacketInfo;
use crate::protocol::test_protocol::TestProtocol;

/// Returns the packet information of every rendering test.
pub(crate) fn packet_info() -> PacketInfo {
    PacketInfo {
        frame: 7,
        time: 1_250_000_000,
        timestamp: 1_700_000_001_250_000_000,
        frame_length: 52,
        transport: Transport::Udp,
        conversation: 3,
        recognized: 5,
        protocol: "toy",
        dialect: Some("toy-1"),
        sender: Role::Client,
        from: "127.0.0.1:5000".parse().unwrap(),
        to: "[::1]:80".parse().unwrap(),
        length: 10,
    }
}

/// Follows `data` with the test protocol.
pub(super) fn record(data: &[u8]) -> Record {
    let mut record = Record::new();
    TestProtocol::default().follow(Instant::ZERO, ConversationSide::First, data, &mut record);
    record
}
