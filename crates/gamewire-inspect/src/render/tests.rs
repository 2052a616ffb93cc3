use gamewire_machine::Role;
use gamewire_machine::{ConversationSide, Follow, Instant, Record};

use crate::conversation::PacketInfo;
use crate::protocol::test_protocol::TestProtocol;

/// The circumstances that every rendering test shares.
pub(super) fn sighting() -> PacketInfo {
    PacketInfo {
        frame: 7,
        time: 1_250_000_000,
        conversation: 3,
        protocol: "toy",
        dialect: Some("toy-1"),
        sender: Role::Client,
        from: "127.0.0.1:5000".parse().unwrap(),
        to: "[::1]:80".parse().unwrap(),
        length: 10,
    }
}

/// What the toy protocol makes of `data`.
pub(super) fn record(data: &[u8]) -> Record {
    let mut record = Record::new();
    TestProtocol::default().follow(Instant::ZERO, ConversationSide::First, data, &mut record);
    record
}
