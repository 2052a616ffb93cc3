//! Counts captures in shares of their conversations. The sum equals the counts of one pass over the capture.

use std::fs;
use std::num::NonZeroU32;
use std::path::Path;

use gamewire_inspect::capture::Reader;
use gamewire_inspect::conversation::{ConversationLimits, Inspector, PacketInfo, Share};
use gamewire_inspect::protocol::Protocol;
use gamewire_inspect::stats::{CaptureStats, CountingTrace};

const CAPTURES: [&str; 7] = [
    "teeworlds/captures/tw-0.6-ddnet-tken.pcap",
    "teeworlds/captures/tw-0.6.5-tokens.pcap",
    "teeworlds/captures/tw-0.7-two-clients.pcap",
    "teeworlds/captures/tw-0.6-ddnet-20-tken.pcap",
    "riptide/captures/pytide-2.1.0a0-udp.pcapng",
    "riptide/captures/pytide-2.1.0a0-tcp.pcapng",
    "freeciv/captures/game.pcap",
];

type Excluded = fn(&PacketInfo) -> bool;

/// Counts the datagrams of a share, except those of the excluded conversations.
fn count(capture: &[u8], share: Share, is_excluded: Excluded) -> CountingTrace {
    let mut inspector = Inspector::<Protocol>::new(ConversationLimits::default()).with_share(share);
    let mut counting = CountingTrace::new();
    let mut reader = Reader::new(capture).unwrap();
    while let Some(frame) = reader.next() {
        let mut next = Some(inspector.frame(&frame.unwrap(), &mut counting));
        while let Some(outcome) = next {
            match outcome.packet() {
                Some(info) if is_excluded(info) => counting.filtered_out(&outcome),
                _ => counting.count_frame(&outcome),
            }
            next = inspector.next_outcome(&mut counting);
        }
    }
    counting.take_counters(&inspector.counters());
    counting
}

fn count_in_shares(capture: &[u8], shares: u32, is_excluded: Excluded) -> CaptureStats {
    let count = |index| count(capture, Share { index, count: NonZeroU32::new(shares).unwrap() }, is_excluded);
    let mut first = count(0);
    (1..shares).for_each(|index| first.merge(count(index)));
    first.totals()
}

#[test]
fn shares_of_a_capture_add_up_to_its_totals() {
    for name in CAPTURES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(name);
        let capture = fs::read(path).unwrap();
        let whole = count(&capture, Share::ALL, |_| false).totals();
        assert!(whole.frames.datagrams > 0, "{name}");
        for shares in [2, 3, 7] {
            assert_eq!(count_in_shares(&capture, shares, |_| false), whole, "{name} in {shares} shares");
        }
    }
}

#[test]
fn conversations_that_a_filter_excludes_keep_their_numbers() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(CAPTURES[2]);
    let capture = fs::read(path).unwrap();
    let is_first: Excluded = |info| info.recognized == 1;
    let whole = count(&capture, Share::ALL, is_first).totals();
    let numbers: Vec<_> = whole.conversations.iter().map(|conversation| conversation.number).collect();
    assert_eq!(numbers, [2]);
    assert_eq!(count_in_shares(&capture, 5, is_first), whole);
}
