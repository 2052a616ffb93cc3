//! The reported parts of a packet: bits, fields, unsent fields.

use gamewire_freeciv::delta::{Direction, Value};
use gamewire_freeciv::follow::{FollowLimits, StreamFollower, sender};
use gamewire_freeciv::frame::JOIN_REPLY;
use gamewire_machine::Record;
use gamewire_machine::record::NodeRef;
use gamewire_wire::Span;

use super::support::{
    CAPABILITIES, CITY_INFO, NEW_YEAR, Writer, city, client, definitions, inside, messages, server, text,
};

/// Returns the report of a packet in the stream. Packets count from 1.
fn reported(number: usize) -> Record {
    let stream = server(&["year32"]);
    let mut follower = StreamFollower::new(&definitions(), Direction::ToClient, None, FollowLimits::DEFAULT);
    let mut rest = stream.as_slice();
    let mut record = Record::new();
    for _ in 0..number {
        record.clear();
        follower.next(&mut rest, &mut record).unwrap();
    }
    record
}

fn node<'r>(record: &'r Record, name: &str) -> NodeRef<'r> {
    record.nodes().find(|node| node.name() == name).unwrap()
}

#[test]
fn the_first_packet_of_a_key_has_no_values_from_before() {
    let record = reported(5);
    let message = node(&record, "city_info");
    assert_eq!(
        inside(message),
        "id=101 name=Rome size=1 did_buy=true trade(=1 =2 =3) wonders(7=1) \
         needs(kind=1 value=-2 range=3 survives=true present=false quiet=true) \
         worklist((kind=4 id=5) (kind=6 id=7)) cost=150/100"
    );
    assert_eq!(inside(node(&record, "set")), "=0 =1 =2 =3 =4 =5 =6 =7");
}

#[test]
fn a_later_packet_reports_sent_fields_and_unchanged_ones() {
    let record = reported(7);
    let message = node(&record, "city_info");
    assert_eq!(
        inside(message),
        "id=101 size=2 did_buy=true wonders(7=2) as_before(name=Rome trade(=1 =2 =3) \
         needs(kind=1 value=-2 range=3 survives=true present=false quiet=true) \
         worklist((kind=4 id=5) (kind=6 id=7)) cost=150/100)"
    );
    assert_eq!(inside(node(&record, "set")), "=1 =2 =4");
}

#[test]
fn every_field_has_its_bytes_and_a_truth_value_its_bit() {
    let record = reported(7);
    let span = |name| node(&record, name).span();
    // A length, a two-byte type, a byte of bits, the key, and the fields.
    assert_eq!(span("length"), Span::bytes(0, 2));
    assert_eq!(span("number"), Span::bytes(2, 4));
    assert_eq!(span("bits"), Span::bytes(4, 5));
    assert_eq!(span("did_buy"), Span::bits(4, 2, 1));
    assert_eq!(span("id"), Span::bytes(5, 7));
    assert_eq!(span("size"), Span::bytes(7, 8));
    assert_eq!(span("7"), Span::bytes(8, 10), "the index and the element");
    assert_eq!(span("city_info"), Span::bytes(4, 11), "with the end mark of the changes");
    assert_eq!(span("frame"), Span::bytes(0, 11));
}

#[test]
fn parts_of_structures_have_their_own_bytes() {
    let record = reported(5);
    let needs = node(&record, "needs");
    let parts: Vec<Span> = needs.children().map(|part| part.span()).collect();
    let start = parts[0].byte_range().start;
    let ends: Vec<usize> = parts.iter().map(|part| part.byte_range().end - start).collect();
    assert_eq!(ends, [1, 5, 6, 7, 8, 9]);
}

#[test]
fn the_first_bytes_identify_the_sender() {
    assert_eq!(sender(&server(&[])), Some(Direction::ToClient));
    assert_eq!(sender(&[0, 3, 0]), Some(Direction::ToClient));
    assert_eq!(sender(&[0, 90, 4]), Some(Direction::ToServer));
    assert_eq!(sender(&[0, 90]), None);
}

#[test]
fn without_the_join_a_follower_reports_what_one_that_saw_the_join_does() {
    let mut writer = Writer::new(Direction::ToClient);
    let reply = [Value::Bool(true), text("Welcome"), text(CAPABILITIES), text("x"), Value::Int(7)];
    writer.send(JOIN_REPLY, &reply);
    let join = std::mem::take(&mut writer.out);
    writer.join(&["year32"]);
    writer.frames.use_wide_types();
    writer.send(NEW_YEAR, &[Value::Absent, Value::Int(-4000)]);
    writer.send(CITY_INFO, &city(101, 1));
    writer.send(CITY_INFO, &city(101, 2));
    let (request, turns) = client(CAPABILITIES);

    let definitions = definitions();
    let definition = definitions.iter().next().unwrap();
    let limits = FollowLimits::DEFAULT;
    let all = |follower: &mut StreamFollower, mut bytes: &[u8]| {
        let mut record = Record::new();
        while follower.next(&mut bytes, &mut record).is_some() {}
        record
    };
    for (direction, join, later) in
        [(Direction::ToClient, &join, &writer.out), (Direction::ToServer, &request, &turns)]
    {
        let mut whole = StreamFollower::new(&definitions, direction, None, limits);
        assert_eq!(all(&mut whole, join).errors(), 0);
        let expected = messages(&[all(&mut whole, later)]);
        let mut joined = StreamFollower::joined(&definitions, definition, direction, limits);
        let record = all(&mut joined, later);
        assert_eq!((messages(&[record]), joined.dialect()), (expected.clone(), whole.dialect()));
        assert_eq!(expected.len(), if direction == Direction::ToClient { 3 } else { 2 }, "{expected:?}");
    }
}
