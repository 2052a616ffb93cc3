//! Captures of real programs on a page.

use gamewire_inspect::capture::Reader;
use gamewire_inspect::conversation::{ConversationLimits, Inspector};
use gamewire_inspect::protocol::{Protocol, ProtocolConfig};
use gamewire_machine::Record;
use gamewire_machine::record::{NodeRef, RecordPacker};
use gamewire_page::Source;
use gamewire_page::traffic::{FileError, Progress, Selection, SourceKind, read_capture};

use crate::support::{FREECIV, RIPTIDE, TEEWORLDS_07, TEEWORLDS_TKEN, source, vectors};

#[test]
fn conversations_have_the_state_that_their_messages_show() {
    let all = |name| source(name, 1 << 30).conversations();
    let teeworlds = all(TEEWORLDS_07);
    assert_eq!(teeworlds.len(), 2);
    assert!(
        teeworlds.iter().all(|known| known.progress == Progress::Playing && known.dialect == Some("tw-0.7"))
    );
    let names: Vec<_> = teeworlds.iter().filter_map(|known| known.name.as_deref()).collect();
    assert_eq!(names, ["nameless tee", "second"]);
    let riptide: Vec<_> = all(RIPTIDE).iter().map(|known| known.progress.to_string()).collect();
    assert_eq!(riptide, ["playing", "closed: the client left", "closed: Kicked"]);
    let [freeciv] = all(FREECIV).try_into().unwrap();
    assert!(matches!(freeciv.progress, Progress::Turn(3)), "{}", freeciv.progress);
    assert_eq!(freeciv.name.as_deref(), Some("alice"));
    let map = freeciv_map(&source(FREECIV, 1 << 30));
    assert_eq!((map.size, map.terrain.len()), ((28, 56), 28 * 56));
    assert!(map.terrain.iter().all(|terrain| *terrain != u8::MAX), "this game shows the whole map");
    assert_eq!(map.cities.len(), 2);
}

fn freeciv_map(source: &Source) -> gamewire_page::traffic::MapView {
    source.conversations().remove(0).map().cloned().unwrap()
}

#[test]
fn the_round_trip_is_that_of_acknowledged_messages() {
    for known in source(TEEWORLDS_TKEN, 1 << 30).conversations() {
        let millis = known.round_trip.unwrap() / 1_000_000;
        assert!((0..2_000).contains(&millis), "{millis}");
    }
}

#[test]
fn a_file_that_does_not_fit_shows_its_first_packets_and_says_so() {
    let whole = source(TEEWORLDS_07, 1 << 30);
    let part = source(TEEWORLDS_07, 1 << 20);
    assert!(part.held_bytes() <= 1 << 20 && whole.held_bytes() > 1 << 20);
    assert!(part.packet(1).is_some() && part.packet(4_000).is_none() && whole.packet(4_000).is_some());
}

#[test]
fn other_files_are_refused_with_a_reason() {
    let read = |bytes: &'static [u8]| {
        let source = Source::new(1, "file", SourceKind::File, 1 << 20);
        read_capture(&source, bytes, ProtocolConfig::default(), &Selection::default(), 1 << 20)
    };
    for bytes in [&b""[..], b"no capture", &[0x1f, 0x8b, 0, 0, 0], &[0x1f]] {
        assert!(matches!(read(bytes), Err(FileError::Capture(_))), "{bytes:?}");
    }
    let empty = [0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0, 0];
    assert!(matches!(read(Box::leak(Box::new(empty))), Err(FileError::Nothing)));
}

#[test]
fn a_packed_packet_is_the_one_that_was_decoded() {
    for name in [TEEWORLDS_07, TEEWORLDS_TKEN, FREECIV, RIPTIDE] {
        let file = std::fs::File::open(vectors().join(name)).unwrap();
        let mut reader = Reader::new(file).unwrap();
        let mut inspector =
            Inspector::<Protocol>::with_config(ConversationLimits::default(), ProtocolConfig::default());
        let (mut record, mut packer) = (Record::new(), RecordPacker::default());
        let (mut held, mut packed_bytes) = (0, 0);
        while let Some(frame) = reader.next() {
            record.clear();
            inspector.frame(&frame.unwrap(), &mut record);
            let packed = packer.pack(&record);
            let unpacked = packed.unpack();
            let of = |record: &Record| {
                let node = |node: NodeRef<'_>| {
                    let place = (node.depth(), node.source(), node.span(), node.children().count());
                    format!("{:?} {} {place:?} {:?}", node.kind(), node.name(), node.value())
                };
                record.nodes().map(node).collect::<Vec<_>>()
            };
            assert_eq!(of(&unpacked), of(&record), "{name}");
            assert_eq!(packed.source(), record.source(0).unwrap_or_default());
            held += record.held_bytes();
            packed_bytes += packed.held_bytes();
        }
        assert!(packed_bytes * 4 < held, "{name}: {packed_bytes} of {held}");
    }
}
