use gamewire_wire::{Layer, Trace as _};

use super::*;

fn described(record: &Record) -> Vec<String> {
    let nodes = record.nodes();
    nodes
        .map(|node| {
            let children = node.children().count();
            format!(
                "{:?} {} {} {} {:?} {:?} {children}",
                node.kind(),
                node.name(),
                node.depth(),
                node.source(),
                node.span(),
                node.value()
            )
        })
        .collect()
}

fn every_value() -> Record {
    let mut record = Record::new();
    record.enter_source("datagram", b"abcdef");
    for value in [
        Value::Bool(true),
        Value::Int(i64::MIN),
        Value::Int(-1),
        Value::Uint(u64::MAX),
        Value::Float(1.5),
        Value::Double(-2.5),
        Value::Hex { value: 255, digits: 4 },
        Value::Decimal { raw: -7, scale: 100 },
        Value::Named { value: 3, name: "three" },
        Value::Named { value: 4, name: "four" },
        Value::Flags { bits: 5, names: &["a", "b", "c"] },
        Value::Text(b"bc"),
        Value::Text(b"elsewhere"),
        Value::Bytes(b""),
        Value::Uuid([9; 16]),
    ] {
        record.enter(Layer::Group, "group", Span::bits(1, 3, 2));
        record.field("value", Span::bytes(1, 3), value);
        record.exit();
    }
    record.exit();
    record
}

#[test]
fn a_record_is_the_same_when_it_is_unpacked() {
    let mut packer = RecordPacker::default();
    for record in [Record::new(), super::super::tests::sample(), every_value()] {
        let packed = packer.pack(&record);
        let unpacked = packed.unpack();
        assert_eq!(described(&unpacked), described(&record));
        assert_eq!(unpacked.source(1), record.source(1));
        assert_eq!(packed.source(), record.source(0).unwrap_or_default());
        assert_eq!((unpacked.warnings(), unpacked.errors()), (record.warnings(), record.errors()));
    }
}

#[test]
fn records_of_a_kind_share_their_names() {
    let mut packer = RecordPacker::default();
    let (first, second) = (packer.pack(&every_value()), packer.pack(&every_value()));
    assert!(Arc::ptr_eq(&first.labels, &second.labels));
    assert!(second.held_bytes() * 10 < every_value().held_bytes(), "{}", second.held_bytes());
    assert!(first.held_bytes() > second.held_bytes());
}

#[test]
fn tables_of_names_are_bounded() {
    let mut packer = RecordPacker::default();
    for number in 0..3 * MAX_TABLES {
        let mut record = Record::new();
        record.field(&number.to_string(), Span::default(), Value::Bool(false));
        assert_eq!(described(&packer.pack(&record).unpack()), described(&record));
    }
    assert!(packer.tables.len() <= MAX_TABLES);
}
