//! The target `filter` of the fuzzer: the text of a filter, and the packets that it is tested against.
#![allow(unreachable_pub, reason = "a fuzz target includes this")]
#![allow(clippy::unwrap_used, reason = "a broken promise is a panic")]

use std::sync::LazyLock;

use gamewire_inspect::capture::Reader;
use gamewire_inspect::conversation::{Inspector, PacketInfo};
use gamewire_inspect::filter::{Field, Filter};
use gamewire_inspect::protocol::{Catalog, Protocol, ProtocolConfig};
use gamewire_machine::Record;

/// Maximum bytes of a text. Longer texts are slower, and reach nothing else.
const MAX_BYTES: usize = 256;
/// Number of packets of each capture.
const MAX_PACKETS: usize = 4;

const CAPTURES: [&[u8]; 3] = [
    include_bytes!("../../../../vectors/teeworlds/captures/tw-0.6-ddnet-20.pcap"),
    include_bytes!("../../../../vectors/riptide/captures/pytide-2.1.0a0-udp.pcapng"),
    include_bytes!("../../../../vectors/freeciv/captures/game.pcap"),
];

static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
    let mut catalog = Catalog::with_all_protocols();
    catalog.add_freeciv_packets(&ProtocolConfig::default().freeciv);
    catalog
});
static PACKETS: LazyLock<Vec<(PacketInfo, Record)>> =
    LazyLock::new(|| CAPTURES.into_iter().flat_map(packets).collect());

/// Parses a filter and a field of it, and tests packets. Returns whether the filter is valid.
///
/// An error is at a place in the text. The negation of a filter holds for the other packets.
pub fn filter(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes.get(..MAX_BYTES).unwrap_or(bytes));
    if let Ok(field) = Field::parse(&text, &CATALOG) {
        PACKETS.iter().for_each(|(info, record)| field.texts(info, record, |_| ()));
    }
    let filter = match Filter::parse(&text, &CATALOG) {
        Ok(filter) => filter,
        Err(error) => {
            assert!(error.filter.get(error.at.clone()).is_some(), "{:?} of {text:?}", error.at);
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    // The negation may be nested too deeply.
    if let Ok(negated) = Filter::parse(&format!("not ({text})"), &CATALOG) {
        for (info, record) in &*PACKETS {
            assert_ne!(filter.holds(info, record), negated.holds(info, record), "{text:?}");
        }
    }
    true
}

/// Returns packets of a capture, spread over it.
fn packets(capture: &[u8]) -> Vec<(PacketInfo, Record)> {
    let (mut reader, mut inspector) = (Reader::new(capture).unwrap(), Inspector::<Protocol>::default());
    let mut found = Vec::new();
    while let Some(frame) = reader.next() {
        let mut record = Record::new();
        let outcome = inspector.frame(&frame.unwrap(), &mut record);
        found.extend(outcome.packet().map(|info| (*info, record)));
    }
    let step = found.len().div_ceil(MAX_PACKETS);
    found.into_iter().step_by(step).collect()
}
