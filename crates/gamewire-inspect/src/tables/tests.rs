use std::fs::{self, File};

use gamewire_machine::{Record, Role};
use gamewire_wire::{Layer, Span, Trace, Value};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

use super::TableWriter;
use crate::conversation::PacketInfo;
use crate::protocol::{Catalog, FieldName, FieldValues, GroupName};
use crate::render::tests::packet_info;

/// Returns a catalog with a message that has all kinds of fields.
fn catalog() -> Catalog {
    let group = |layer, name: &'static str, fields: &[(&'static str, FieldValues)]| GroupName {
        protocol: "toy",
        layer,
        name: name.into(),
        doc: String::new(),
        fields: fields
            .iter()
            .map(|(name, values)| FieldName {
                name: (*name).into(),
                kind: String::new(),
                values: *values,
                is_list: *name == "ids",
                doc: String::new(),
                words: Vec::new(),
            })
            .collect(),
    };
    let fields = [
        ("frame", FieldValues::Uint(16)),
        ("text", FieldValues::Text),
        ("position", FieldValues::Other),
        ("ids", FieldValues::Int(64)),
        ("weapon", FieldValues::Other),
        ("raw", FieldValues::Bytes),
        ("is_late", FieldValues::Bool),
        ("unsent", FieldValues::Int(64)),
    ];
    let mut catalog = Catalog::new();
    catalog.add(group(Layer::Message, "shot", &fields));
    catalog.add(group(Layer::Group, "position", &[("x", FieldValues::Float), ("y", FieldValues::Float)]));
    catalog
}

/// Returns a record of one shot with this text, and with a field that is not in the catalog.
fn shot(text: &[u8]) -> Record {
    let mut record = Record::new();
    record.enter(Layer::Packet, "packet", Span::bytes(0, 1));
    record.field("repeated", Span::default(), Value::Bool(true));
    record.enter(Layer::Message, "shot", Span::bytes(0, 9));
    record.field("frame", Span::default(), Value::Int(65_535));
    record.field("text", Span::default(), Value::Text(text));
    record.enter(Layer::Group, "position", Span::default());
    record.field("x", Span::default(), Value::Float(1.5));
    record.field("y", Span::default(), Value::Float(-2.0));
    record.exit();
    record.enter(Layer::List, "ids", Span::default());
    record.field("", Span::default(), Value::Int(7));
    record.field("", Span::default(), Value::Int(9));
    record.exit();
    record.field("weapon", Span::default(), Value::Named { value: 1, name: "pistol" });
    record.field("raw", Span::default(), Value::Bytes(&[1, 0xff]));
    record.field("is_late", Span::default(), Value::Text(b"no boolean"));
    record.field("unknown", Span::default(), Value::Int(3));
    record.exit();
    record.exit();
    record
}

fn info() -> PacketInfo {
    PacketInfo { timestamp: 1_700_000_000_000_001_999, sender: Role::Client, ..packet_info() }
}

/// Writes a table of shots to a new folder, and returns the rows of a file by column.
fn written(name: &str, shots: &[&[u8]], file: &str) -> Vec<Vec<(String, Field)>> {
    let folder = std::env::temp_dir().join(format!("gamewire-tables-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    let mut writer = TableWriter::create(&folder, catalog()).unwrap();
    for text in shots {
        writer.datagram(&info(), &shot(text)).unwrap();
    }
    let stats = writer.finish().unwrap();
    assert_eq!((stats.tables, stats.rows), (2, u64::try_from(shots.len().saturating_mul(2)).unwrap()));
    let reader = SerializedFileReader::new(File::open(folder.join(file)).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap().map(Result::unwrap).map(|row| row.into_columns());
    let rows = rows.collect();
    assert!(TableWriter::create(&folder, catalog()).is_err(), "the folder contains tables");
    fs::remove_dir_all(folder).unwrap();
    rows
}

fn value(row: &[(String, Field)], name: &str) -> Field {
    row.iter().find(|(column, _)| column == name).unwrap().1.clone()
}

#[test]
fn fields_have_typed_columns() {
    let rows = written("typed", &[b"hi", b"\xff"], "toy.shot.parquet");
    let row = &rows[0];
    assert_eq!(value(row, "frame"), Field::Long(7));
    assert_eq!(value(row, "time"), Field::TimestampMicros(1_700_000_000_000_001));
    assert_eq!(value(row, "sender"), Field::Str("client".into()));
    assert_eq!(value(row, "source"), Field::Str("127.0.0.1:5000".into()));
    assert_eq!(value(row, "bytes"), Field::Long(9));
    assert_eq!(value(row, "frame_"), Field::UShort(65_535), "the packet's frame keeps its name");
    assert_eq!(value(row, "text"), Field::Str("hi".into()));
    assert_eq!(value(row, "position_x"), Field::Double(1.5));
    assert_eq!(value(row, "position_y"), Field::Double(-2.0));
    assert_eq!(value(row, "ids"), Field::Str("[7,9]".into()));
    assert_eq!(value(row, "weapon"), Field::Str("pistol".into()));
    assert_eq!(value(row, "raw"), Field::Bytes(vec![1, 0xff].into()));
    assert_eq!((value(row, "is_late"), value(row, "unsent")), (Field::Null, Field::Null));
    assert_eq!(value(row, "other_fields"), Field::Str(r#"{"is_late":"no boolean","unknown":3}"#.into()));
    assert_eq!(value(&rows[1], "text"), Field::Str("\u{fffd}".into()));
}

/// Returns a record of a vital chunk of Teeworlds, with its mark of one that is sent again.
fn chunk(sequence: i64, is_marked: bool, is_repeated: bool) -> Record {
    let mut record = Record::new();
    record.enter(Layer::Packet, "packet", Span::bytes(0, 1));
    record.enter(Layer::Group, "chunk", Span::bytes(0, 1));
    record.field("chunk_resend", Span::default(), Value::Bool(is_marked));
    record.field("sequence", Span::default(), Value::Int(sequence));
    if is_repeated {
        record.field("repeated", Span::default(), Value::Bool(true));
    }
    record.exit();
    record.exit();
    record
}

#[test]
fn a_copy_by_the_network_is_repeated_and_not_resent() {
    let folder = std::env::temp_dir().join(format!("gamewire-tables-{}-resent", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    let mut writer = TableWriter::create(&folder, catalog()).unwrap();
    let at = |millis: i64| PacketInfo {
        protocol: "teeworlds",
        frame: u64::try_from(millis).unwrap(),
        timestamp: millis * 1_000_000,
        ..info()
    };
    // The first one does not match the filter.
    writer.skip(&at(1), &chunk(7, false, false));
    writer.datagram(&at(5), &chunk(7, false, true)).unwrap();
    writer.datagram(&at(500), &chunk(7, true, true)).unwrap();
    writer.datagram(&at(503), &chunk(7, true, true)).unwrap();
    writer.finish().unwrap();
    let reader = SerializedFileReader::new(File::open(folder.join("packets.parquet")).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap().map(|row| row.unwrap().into_columns());
    let counts: Vec<_> = rows.map(|row| (value(&row, "repeated"), value(&row, "resent"))).collect();
    let count = |repeated, resent| (Field::Int(repeated), Field::Int(resent));
    assert_eq!(counts, [count(1, 0), count(1, 1), count(1, 0)]);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn packets_have_counts() {
    let rows = written("packets", &[b"hi"], "packets.parquet");
    assert_eq!(value(&rows[0], "protocol"), Field::Str("toy".into()));
    assert_eq!((value(&rows[0], "messages"), value(&rows[0], "repeated")), (Field::Int(1), Field::Int(1)));
    assert_eq!(value(&rows[0], "resent"), Field::Int(0));
    assert_eq!((value(&rows[0], "errors"), value(&rows[0], "problems")), (Field::Int(0), Field::Null));
}
