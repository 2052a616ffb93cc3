//! Capabilities select the fields that are sent.

use std::sync::Arc;

use gamewire_freeciv::delta::{DeltaDecoder, DeltaLimits, Direction, Value, Variants, active_capabilities};
use gamewire_schema::ir::{Packet, Protocol};

use super::support::{Pair, int, packet, u8_field, variants};

fn two_capabilities() -> Packet {
    packet(1)
        .field(u8_field("old").remove_capability("wide"))
        .field(u8_field("new").add_capability("wide"))
        .field(u8_field("always"))
        .field(u8_field("both").add_capability("wide").add_capability("deep"))
}

#[test]
fn every_combination_has_its_own_bits() {
    for (active, body, values) in [
        (&[][..], &[0b11, 1, 2][..], [int(1), Value::Absent, int(2), Value::Absent]),
        (&["wide"], &[0b11, 1, 2], [Value::Absent, int(1), int(2), Value::Absent]),
        (&["deep"], &[0b11, 1, 2], [int(1), Value::Absent, int(2), Value::Absent]),
        (&["wide", "deep"], &[0b111, 1, 2, 3], [Value::Absent, int(1), int(2), int(3)]),
        (&["unknown"], &[0b11, 1, 2], [int(1), Value::Absent, int(2), Value::Absent]),
    ] {
        let mut pair = Pair::of(variants(vec![two_capabilities()], active));
        assert_eq!(pair.decode(1, body), values, "{active:?}");
    }
}

#[test]
fn before_the_join_packets_with_capabilities_are_rejected() {
    let protocol =
        Arc::new(Protocol::new("by hand", vec![two_capabilities(), packet(2).field(u8_field("n"))]));
    let before = Arc::new(Variants::before_join(Arc::clone(&protocol)).unwrap());
    let mut decoder = DeltaDecoder::new(before, Direction::ToClient, DeltaLimits::DEFAULT);
    assert!(decoder.decode(2, &[1, 5]).is_ok());
    let agreed = Arc::new(Variants::new(protocol, &["wide"]).unwrap());
    let mut early = DeltaDecoder::new(
        Arc::new(Variants::before_join(Arc::clone(agreed.protocol())).unwrap()),
        Direction::ToClient,
        DeltaLimits::DEFAULT,
    );
    let error = early.decode(1, &[0]).unwrap_err().to_string();
    assert!(error.contains("depends on capabilities that are not negotiated yet"), "{error}");
    decoder.set_variants(agreed);
    assert_eq!(decoder.decode(1, &[0b11, 1, 2]).unwrap().value("new"), Some(&int(1)));
    assert_eq!(decoder.decode(2, &[0]).unwrap().values(), [int(5)], "what was remembered stays");
}

#[test]
fn active_are_those_that_both_sides_have() {
    let functional = ["year32".to_owned(), "ids32".to_owned(), "deep".to_owned()];
    let active = |ours, theirs| active_capabilities(&functional, ours, theirs);
    assert_eq!(active("+Freeciv-3.0 year32, ids32", "ids32,+year32"), ["year32", "ids32"]);
    assert_eq!(active("year32", "ids32"), Vec::<&str>::new());
    assert_eq!(active("year", "year32"), Vec::<&str>::new());
}

#[test]
fn f9_capability_strings_of_any_size_are_harmless() {
    let functional = ["year32".to_owned()];
    let many = "x,+y ".repeat(10_000) + "year32";
    assert_eq!(active_capabilities(&functional, &many, &many), ["year32"]);
    assert!(active_capabilities(&functional, "+++++year32", ", ,\t+").is_empty());
}
