//! Frames of captures that were taken on the sending machine, where segmentation offload merges datagrams.

use gamewire_inspect::protocol::{Detect, Detection, Detectors, Protocol, ProtocolConfig};
use gamewire_machine::record::NodeKind;
use gamewire_machine::{ConversationSide, Follow, Instant, Record, Transport};

/// Follows a conversation of Teeworlds. Returns the names of the warnings and the number of errors of the last
/// datagram.
fn findings(datagrams: &[(ConversationSide, &[u8])]) -> (Vec<String>, u32) {
    let (from, first) = datagrams.first().unwrap();
    let (config, mut detectors) = (ProtocolConfig::default(), Detectors::default());
    let Detection::Match(mut protocol) =
        Protocol::detect(&config, &mut detectors, Transport::Udp, *from, first)
    else {
        panic!("not detected");
    };
    let mut record = Record::new();
    for (from, datagram) in datagrams {
        record.clear();
        protocol.follow(Instant::from_micros(0), *from, datagram, &mut record);
    }
    let is_warning = |kind| matches!(kind, NodeKind::Warning(_));
    let warnings = record.nodes().filter(|node| is_warning(node.kind())).map(|node| node.name().to_owned());
    (warnings.collect(), record.errors())
}

#[test]
fn a_frame_longer_than_every_datagram_is_called_merged_and_is_no_error() {
    let client = ConversationSide::First;
    let server = ConversationSide::Second;
    let connected: [(_, &[u8]); 3] =
        [(client, &[0x10, 0, 0, 1]), (server, &[0x10, 0, 0, 2]), (client, &[0x10, 0, 0, 3])];
    // CON_READY, then zeros. In one datagram, they are bytes after the chunk.
    let frame = |length: usize| {
        let mut bytes = vec![0, 0, 1, 0x40, 1, 1, 9];
        bytes.resize(length, 0);
        bytes
    };
    for (length, expected) in
        [(1400, "bytes_after_chunks"), (1401, "merged_datagrams"), (3028, "merged_datagrams")]
    {
        let frame = frame(length);
        let mut datagrams = connected.to_vec();
        datagrams.push((server, &frame));
        assert_eq!(findings(&datagrams), (vec![expected.to_owned()], 0), "{length}");
        datagrams.push((server, &[0, 0, 1, 0x40, 1, 1, 9]));
        assert_eq!(findings(&datagrams).1, 0, "the conversation goes on");
    }
}
