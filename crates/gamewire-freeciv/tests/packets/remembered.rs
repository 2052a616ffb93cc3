//! Remembered packets, and how their memory is counted.

use std::sync::Arc;

use gamewire_freeciv::delta::{DeltaEncoder, DeltaLimits, Direction, EncodeOptions, Variants};
use gamewire_freeciv::packets::{CityInfo, Decoder, Encoder, OwnedPacket, Packet, UnitInfo};

use super::definition::protocol;
use super::stream::Recorded;

fn encoder(active: &[&str]) -> Encoder {
    let mut encoder = Encoder::new(Direction::ToClient, DeltaLimits::DEFAULT);
    encoder.set_capabilities(active);
    encoder
}

fn decoder(active: &[&str]) -> Decoder {
    let mut decoder = Decoder::new(Direction::ToClient, DeltaLimits::DEFAULT);
    decoder.set_capabilities(active);
    decoder
}

#[test]
fn packets_that_are_said_again_are_counted_with_all_their_fields() {
    let protocol = protocol();
    let active: Vec<&str> = protocol.capabilities.iter().map(String::as_str).collect();
    let mut reader = decoder(&active);
    let packets: Vec<OwnedPacket> = Recorded::named("join")
        .packets()
        .0
        .iter()
        .map(|packet| reader.decode(packet.number, &packet.body).unwrap().into())
        .collect();
    let mut kept = None;
    let info = allocation_counter::measure(|| {
        let (mut encoder, mut out) = (encoder(&active), Vec::new());
        for packet in packets.iter().chain(&packets) {
            out.clear();
            encoder.encode(packet, EncodeOptions::default(), &mut out).unwrap();
        }
        kept = Some(encoder);
    });
    let counted = kept.unwrap().memory_usage().bytes;
    let held = usize::try_from(info.bytes_current).unwrap();
    assert!(held < 2 * counted && counted < 2 * held, "counted {counted}, held {held}");
}

#[test]
fn an_array_shorter_than_its_count_is_remembered_as_it_was_given() {
    let unit = UnitInfo { id: 7, orders_length: 3, ..UnitInfo::default() };
    let mut encoder = encoder(&[]);
    let mut out = Vec::new();
    for is_sent in [true, false] {
        out.clear();
        assert_eq!(encoder.encode(Packet::UnitInfo(&unit), EncodeOptions::default(), &mut out), Ok(is_sent));
    }
    let other = UnitInfo { movesleft: 1, ..unit };
    assert_eq!(encoder.encode(Packet::UnitInfo(&other), EncodeOptions::default(), &mut out), Ok(true));
}

#[test]
fn a_count_over_its_limit_is_refused_though_its_array_does_not_change() {
    let unit = UnitInfo {
        id: 7,
        ai: Some(false),
        orders_length: 2001,
        orders_kinds: Some(Vec::new()),
        orders_dirs: Some(Vec::new()),
        orders_activities: Some(Vec::new()),
        orders_sub_targets: Some(Vec::new()),
        orders_actions: Some(Vec::new()),
        ..UnitInfo::default()
    };
    let error =
        encoder(&[]).encode(Packet::UnitInfo(&unit), EncodeOptions::default(), &mut Vec::new()).unwrap_err();
    assert_eq!(error.field.as_ref().unwrap().name, "orders_kinds");
    let variants = Arc::new(Variants::new(protocol(), &[]).unwrap());
    let mut interpreter = DeltaEncoder::new(variants, Direction::ToClient, DeltaLimits::DEFAULT);
    let view = Packet::UnitInfo(&unit);
    let number = view.number();
    let fields = &protocol().packet(number).unwrap().fields.clone();
    let values: Vec<_> = fields.iter().map(|field| view.fields().value_of(&field.name).unwrap()).collect();
    assert_eq!(interpreter.encode(number, &values, EncodeOptions::default(), &mut Vec::new()), Err(error));
}

#[test]
fn a_field_has_one_value_in_all_its_forms() {
    let mut reader = decoder(&[]);
    for (id, active, bytes) in [(1, &["cityculture32"][..], 4), (2, &[], 2)] {
        let city = CityInfo { id, culture: 9, ..CityInfo::default() };
        let mut body = Vec::new();
        encoder(active).encode(Packet::CityInfo(&city), EncodeOptions::default(), &mut body).unwrap();
        reader.set_capabilities(active);
        let Packet::CityInfo(read) = reader.decode(31, &body).unwrap() else { panic!("another packet") };
        assert_eq!(read.culture, 9);
        assert_eq!(body.len(), 7 + 2 + bytes);
    }
    let city = CityInfo { id: 1, culture: 70_000, ..CityInfo::default() };
    let error = encoder(&[]).encode(Packet::CityInfo(&city), EncodeOptions::default(), &mut Vec::new());
    let error = error.unwrap_err().to_string();
    assert!(error.contains("culture") && error.contains("70000"), "{error}");
}
