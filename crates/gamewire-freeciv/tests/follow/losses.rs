//! Conversations that cannot be followed, or not completely.

use gamewire_freeciv::delta::Direction;
use gamewire_freeciv::follow::{Definitions, FollowLimits, Follower, StreamFollower};
use gamewire_machine::record::NodeKind;
use gamewire_machine::{ConversationSide, Follow, Record};
use gamewire_wire::Value as Told;

use super::support::{
    CAPABILITIES, CITY_INFO, Writer, city, client, counted, definitions, errors, follow, follower, inside,
    messages, server, warnings,
};

#[test]
fn one_that_was_not_caught_from_its_first_byte_is_named_so_once_and_counted() {
    let mut follower = Follower::late(&definitions(), ConversationSide::First, FollowLimits::DEFAULT);
    let mut records = follow(&mut follower, ConversationSide::Second, &[7; 100], 10);
    records.extend(follow(&mut follower, ConversationSide::First, &[7; 50], 10));
    assert_eq!(warnings(&records), ["late_start"]);
    assert_eq!((errors(&records), messages(&records).len()), (0, 0));
    assert_eq!(counted(&follower, "server_bytes_not_decoded"), 100);
    assert_eq!(counted(&follower, "client_bytes_not_decoded"), 50);
}

#[test]
fn a_hole_ends_its_direction_and_no_other() {
    let (request, turns) = client(CAPABILITIES);
    let stream = server(&["year32"]);
    let mut follower = follower();
    follow(&mut follower, ConversationSide::First, &request, 999);
    follow(&mut follower, ConversationSide::Second, &stream, 9999);
    follower.skip(ConversationSide::Second, 1000);
    let mut records = follow(&mut follower, ConversationSide::Second, &[1; 30], 10);
    assert_eq!(warnings(&records), ["missing_bytes"]);
    records = follow(&mut follower, ConversationSide::First, &turns, 10);
    assert_eq!((errors(&records), messages(&records).len()), (0, 2));
    assert_eq!(counted(&follower, "server_bytes_not_decoded"), 1030);
}

/// Returns a stream in which a city packet ends one byte too early. Two valid packets follow it.
fn desync() -> Vec<u8> {
    let mut stream = server(&["year32"]);
    let mut tail = Writer::new(Direction::ToClient);
    tail.join(&["year32"]);
    tail.frames.use_wide_types();
    // The bits announce the name and the size, but the size is missing.
    tail.raw(CITY_INFO, &[0b11, 0, 101, b'A', 0]);
    tail.send(CITY_INFO, &city(103, 1));
    tail.send(CITY_INFO, &city(104, 1));
    stream.extend(tail.out);
    stream
}

fn desync_of(records: &[Record]) -> (String, Vec<u8>) {
    let nodes = records.iter().flat_map(Record::nodes);
    let group = nodes.into_iter().find(|node| node.name() == "desync").unwrap();
    let replay = group.children().find(|node| node.name() == "replay").unwrap();
    let Some(Told::Bytes(replay)) = replay.value() else { panic!("no bytes") };
    let shown = inside(group);
    (shown.split(" replay=").next().unwrap().to_owned(), replay.to_vec())
}

#[test]
fn an_error_is_reported_once_with_its_context_and_later_ones_are_counted() {
    let (request, turns) = client(CAPABILITIES);
    for size in [1, 7, 9999] {
        let mut follower = follower();
        follow(&mut follower, ConversationSide::First, &request, 999);
        let records = follow(&mut follower, ConversationSide::Second, &desync(), size);
        assert_eq!(errors(&records), 1, "runs of {size}");
        let nodes = records.iter().flat_map(Record::nodes);
        let error = nodes.into_iter().find(|node| node.kind() == NodeKind::Error).unwrap();
        let Some(Told::Text(sentence)) = error.value() else { panic!("no text") };
        let sentence = String::from_utf8_lossy(sentence);
        assert_eq!(
            sentence,
            "PACKET_CITY_INFO.size (bit 1): expected a uint8 at byte 5, found the end of the data; \
             after name at byte 3; previous packet: PACKET_CITY_INFO"
        );
        let (desync, _) = desync_of(&records);
        assert!(desync.contains(" field=size bit=1 field_before=name field_before_offset=3 "), "{desync}");
        assert!(desync.contains(" offset=5 packet_before=PACKET_CITY_INFO"), "{desync}");
        assert_eq!(counted(&follower, "server_packets_not_decoded"), 2);
        let records = follow(&mut follower, ConversationSide::First, &turns, size);
        assert_eq!((errors(&records), counted(&follower, "client_packets")), (0, 3), "the other direction");
    }
}

#[test]
fn the_dump_of_an_error_is_a_stream_that_shows_it_again() {
    let (request, _) = client(CAPABILITIES);
    let mut follower = follower();
    follow(&mut follower, ConversationSide::First, &request, 999);
    let records = follow(&mut follower, ConversationSide::Second, &desync(), 9999);
    let (first, replay) = desync_of(&records);
    let mut again = StreamFollower::new(&definitions(), Direction::ToClient, None, FollowLimits::DEFAULT);
    let mut rest = replay.as_slice();
    let mut records = Vec::new();
    loop {
        let mut record = Record::new();
        if again.next(&mut rest, &mut record).is_none() {
            break;
        }
        records.push(record);
    }
    assert_eq!(messages(&records).len(), 3, "the reply, what was remembered, the packet");
    assert!(
        messages(&records)[1].contains("size=2 did_buy=true trade(=1 =2 =3)"),
        "{:?}",
        messages(&records)
    );
    let (second, _) = desync_of(&records);
    let without_place = |text: &str| {
        let words = text.split(' ').filter(|word| !word.starts_with("place="));
        words.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(without_place(&first), without_place(&second));
}

#[test]
fn a_version_without_definition_is_named_and_its_frames_are_reported() {
    let definitions = std::sync::Arc::new(Definitions::shipped());
    let (request, turns) = client("+Freeciv-9.9-network");
    let mut follower = Follower::new(&definitions, ConversationSide::First, FollowLimits::DEFAULT);
    let mut records = follow(&mut follower, ConversationSide::First, &request, 999);
    assert_eq!(warnings(&records), ["unknown_version"]);
    records.extend(follow(&mut follower, ConversationSide::Second, &server(&[]), 50));
    records.extend(follow(&mut follower, ConversationSide::First, &turns, 999));
    assert_eq!((errors(&records), warnings(&records).len()), (0, 1));
    let reported = messages(&records);
    assert_eq!(reported.len(), 11);
    assert_eq!(reported.iter().filter(|line| line.starts_with("unknown_packet")).count(), 7);
    assert_eq!(follower.dialect(), Some("freeciv"));
}
