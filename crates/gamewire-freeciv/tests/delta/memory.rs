//! Baselines: how they are stored, compared and removed.

use gamewire_freeciv::delta::{EncodeOptions, Value};
use gamewire_schema::ir::{Field, Info, WireType};

use super::support::{Pair, bool_field, int, packet, u8_field, variants};

#[test]
fn an_unchanged_info_packet_is_not_sent() {
    for info in [Info::Info, Info::GameInfo] {
        let reported =
            packet(1).info(info).field(u8_field("id").key()).field(u8_field("n")).field(bool_field("b"));
        let mut pair = Pair::new(vec![reported]);
        let values = |id, n, b| [int(id), int(n), Value::Bool(b)];
        assert_eq!(pair.encode(1, &values(4, 0, false)).unwrap(), [0, 4], "the first is always sent");
        assert_eq!(pair.encode(1, &values(4, 0, false)), None);
        assert_eq!(pair.encode(1, &values(4, 0, true)).unwrap(), [0b10, 4], "a folded value is news");
        assert_eq!(pair.encode(1, &values(4, 0, true)), None);
        assert_eq!(pair.encode(1, &values(5, 0, true)).unwrap(), [0b10, 5], "another key");
        let forced = EncodeOptions { force: true, ..EncodeOptions::default() };
        assert_eq!(pair.send(1, &values(4, 0, true), forced).unwrap(), [0b10, 4]);
    }
}

#[test]
fn other_packets_are_always_sent() {
    let mut pair = Pair::new(vec![packet(1).field(u8_field("n"))]);
    assert_eq!(pair.encode(1, &[int(3)]).unwrap(), [1, 3]);
    assert_eq!(pair.encode(1, &[int(3)]).unwrap(), [0]);
}

#[test]
fn bits_of_floats_are_kept_and_no_others() {
    let float = Field::new("f", WireType::Ufloat { factor: 100 });
    let reported = packet(1).info(Info::Info).field(u8_field("n")).field(float).field(u8_field("m"));
    let mut pair = Pair::new(vec![reported]);
    let first = pair.decode_only(1, &[0b111, 1, 0, 0, 0, 9, 2]);
    pair.encode(1, &first);
    let again = pair.decode_only(1, &[0b110, 0, 0, 0, 9, 2]);
    assert_eq!(first, again);
    assert_eq!(pair.encode(1, &again), None);
    let kept = EncodeOptions { bits: &[0b110], ..EncodeOptions::default() };
    assert_eq!(pair.send(1, &again, kept).unwrap(), [0b010, 0, 0, 0, 9]);
}

#[test]
fn a_packet_cancels_the_baseline_of_another_type_by_its_first_field() {
    let long = packet(1).cancel(2).field(u8_field("id").key()).field(u8_field("n"));
    let short = packet(2).cancel(1).field(u8_field("id").key()).field(u8_field("n"));
    // The first field of this packet is not a key.
    let gone = packet(3).cancel(1).cancel(2).cancel(9).field(u8_field("id"));
    let mut pair = Pair::new(vec![long, short, gone]);
    pair.decode(1, &[1, 4, 50]);
    pair.decode(1, &[1, 5, 60]);
    pair.decode(2, &[1, 4, 70]);
    assert_eq!(pair.decode(1, &[0, 4]), [int(4), int(0)], "cancelled by the short one");
    assert_eq!(pair.decode(1, &[0, 5]), [int(5), int(60)]);
    assert_eq!(pair.decode(2, &[0, 4]), [int(4), int(0)], "cancelled by the long one");
    pair.decode(3, &[1, 5]);
    assert_eq!(pair.decode(1, &[0, 5]), [int(5), int(0)]);
    pair.decode(1, &[1, 6, 9]);
    pair.decode(3, &[1, 6]);
    pair.decode(3, &[0]);
    assert_eq!(pair.decode(1, &[0, 6]), [int(6), int(0)]);
}

#[test]
fn cancelling_without_delta_and_without_keys_works_too() {
    let plain = packet(1).no_delta().cancel(2).field(u8_field("id"));
    let single = packet(2).field(u8_field("n"));
    let own = packet(3).cancel(3).field(u8_field("n"));
    let mut pair = Pair::new(vec![plain, single, own]);
    pair.decode(2, &[1, 8]);
    pair.decode(1, &[77]);
    assert_eq!(pair.decode(2, &[0]), [int(0)]);
    assert_eq!(pair.decode(3, &[1, 8]), [int(8)]);
    assert_eq!(pair.decode(3, &[0]), [int(0)], "it cancels itself");
    assert_eq!(pair.decoder.memory_usage().packets, 1);
}

#[test]
fn the_first_present_field_is_the_key_of_cancelled_baselines() {
    let kept = packet(1).field(u8_field("id").key()).field(u8_field("n"));
    let gone = packet(2)
        .cancel(1)
        .field(u8_field("old").remove_capability("wide"))
        .field(u8_field("new").add_capability("wide"))
        .field(u8_field("more"));
    for (active, values) in
        [(&[][..], [int(4), Value::Absent, int(9)]), (&["wide"][..], [Value::Absent, int(4), int(9)])]
    {
        let mut pair = Pair::of(variants(vec![kept.clone(), gone.clone()], active));
        pair.decode(1, &[1, 4, 50]);
        pair.decode(1, &[1, 9, 60]);
        assert_eq!(pair.decode(2, &[0b11, 4, 9]), values);
        assert_eq!(pair.decode(1, &[0, 4]), [int(4), int(0)], "cancelled");
        assert_eq!(pair.decode(1, &[0, 9]), [int(9), int(60)]);
    }
}

#[test]
fn a_dropped_packet_cancels_nothing() {
    let reported = packet(1).info(Info::Info).cancel(2).field(u8_field("id").key()).field(u8_field("n"));
    let other = packet(2).field(u8_field("id").key()).field(u8_field("n"));
    let mut pair = Pair::new(vec![reported, other]);
    pair.encode(1, &[int(1), int(5)]);
    pair.encode(2, &[int(1), int(6)]);
    assert_eq!(pair.encode(1, &[int(1), int(5)]), None);
    assert_eq!(pair.encode(2, &[int(1), int(6)]).unwrap(), [0, 1]);
}

#[test]
fn a_reset_drops_only_baselines_that_describe_the_game() {
    let types = [Info::GameInfo, Info::Info, Info::Always];
    let packets = (1..)
        .zip(types)
        .map(|(number, info)| packet(number).info(info).field(u8_field("id").key()).field(u8_field("n")));
    let mut pair = Pair::new(packets.collect());
    for number in 1..=3 {
        pair.decode(number, &[1, 7, 9]);
        pair.decode(number, &[1, 8, 9]);
    }
    pair.decoder.forget_game_info();
    pair.encoder.forget_game_info();
    assert_eq!(pair.decoder.memory_usage().packets, 4);
    assert_eq!(pair.decode(1, &[0, 7]), [int(7), int(0)]);
    assert_eq!(pair.decode_only(2, &[0, 7]), [int(7), int(9)]);
    assert_eq!(pair.decode(3, &[0, 7]), [int(7), int(9)]);
}
