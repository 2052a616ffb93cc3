//! Checks of golden vectors. A vector contains the bytes of a real program or of another implementation (each file
//! names its origin), and the decoded fields. The fields must encode to the same bytes. The macros that define messages
//! and objects generate the tests.

use std::path::Path;

use gamewire_machine::Record;
use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_wire::{Layer, Reader, Trace, Value, Writer};
use serde_json::{Map, Value as Json};

use crate::shared::data::Uuid;
use crate::shared::definition::MessageSet;
use crate::shared::extended::{ExtendedGame, ExtendedObject, ExtendedSystem};
use crate::shared::field::Field;
use crate::shared::object::{ItemInts, ObjectSet};
use crate::shared::pack::{FifthByte, Unpacker};
use crate::{v06, v07};

/// The encoding of a message set's ids in a vector.
pub(crate) trait VectorId: Sized {
    fn read(from: &mut Unpacker<'static>) -> Self;
}

impl VectorId for i32 {
    fn read(from: &mut Unpacker<'static>) -> Self {
        from.int("an id", &mut ()).unwrap() >> 1
    }
}

impl VectorId for u128 {
    fn read(from: &mut Unpacker<'static>) -> Self {
        assert!(matches!(from.int("an id", &mut ()), Ok(0 | 1)));
        Uuid::read(from, &(), "uuid", &mut ()).unwrap().number()
    }
}

impl VectorId for u8 {
    fn read(from: &mut Unpacker<'static>) -> Self {
        from.reader.u8("an id").unwrap()
    }
}

impl VectorId for &'static [u8; 4] {
    fn read(from: &mut Unpacker<'static>) -> Self {
        assert_eq!(from.reader.take(4, "a prefix").unwrap(), [0xff; 4]);
        from.reader.take(4, "four letters").unwrap().try_into().unwrap()
    }
}

/// Checks a message. `name` is empty if the caller does not know it.
pub(crate) fn message<M: MessageSet<'static>>(name: &str, json: &str)
where
    M::Id: VectorId,
{
    let vector: Json = serde_json::from_str(json).unwrap();
    let bytes: &'static [u8] = Box::leak(unhex(vector["bytes"].as_str().unwrap()).into_boxed_slice());
    let mut from = Unpacker::new(Reader::new(bytes), FifthByte::Teeworlds);
    let id = M::Id::read(&mut from);
    let start = from.reader.offset();
    let mut record = Record::new();
    record.enter_source("vector", bytes);
    let decoded = M::decode(id, &mut from, &mut record).unwrap().expect("the set knows the id");
    record.exit();
    assert_eq!(record.warnings(), 0, "nothing about a golden vector is odd: {}", shown(&record));
    assert!(from.reader.is_empty(), "nothing is left over");
    if !name.is_empty() {
        assert_eq!(M::definition_of(decoded.id()).unwrap().name, name);
    }
    compare(&record, &vector);

    let mut buffer = [0; 2048];
    let mut to = Writer::new(&mut buffer);
    decoded.encode(&mut to).unwrap();
    assert_eq!(hex(to.written()), hex(&bytes[start..]), "encodes to the same bytes");
}

/// Checks an object.
pub(crate) fn object<O: ObjectSet>(id: O::Id, name: &str, json: &str)
where
    O::Id: Copy,
{
    let vector: Json = serde_json::from_str(json).unwrap();
    let ints: Vec<i32> = serde_json::from_value(vector["ints"].clone()).unwrap();
    let mut record = Record::new();
    let read = O::decode(id, &mut ItemInts::padded(&ints, &[]), &mut record).expect("the set knows the id");
    let decoded = read.unwrap();
    assert_eq!(O::name_of(id), Some(name));
    assert_eq!(record.warnings(), 0, "nothing about a golden vector is odd: {}", shown(&record));
    compare(&record, &vector);

    let mut buffer = [0; 64];
    let mut free = buffer.as_mut_slice();
    decoded.encode(&mut free).unwrap();
    let size = 64 - free.len();
    assert_eq!(Some(size), O::size_of(id));
    let left_out: Vec<i32> =
        serde_json::from_value(vector.get("defaults").cloned().unwrap_or_else(|| Json::Array(Vec::new())))
            .unwrap();
    assert_eq!(buffer[..size], [ints, left_out].concat(), "encodes to the same integers, then the defaults");
}

/// Checks the additional vectors of a message, `Type.form.json`. Every file in the folder must belong to a test.
#[test]
fn further_forms() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/teeworlds");
    let mut count = 0;
    for (folder, check) in FOLDERS {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let stem = path.file_stem().unwrap().to_str().unwrap();
            if let Some((name, _)) = stem.split_once('.') {
                assert!(path.with_file_name(format!("{name}.json")).exists(), "{stem} belongs to nothing");
                println!("{folder}/{stem}");
                check(name, &std::fs::read_to_string(&path).unwrap());
                count += 1;
            }
        }
    }
    assert!(count > 50, "only {count} additional forms");
}

type Check = fn(&str, &str);
const FOLDERS: &[(&str, Check)] = &[
    ("v06/system", |_, json| message::<v06::System<'static>>("", json)),
    ("v06/game", |_, json| message::<v06::Game<'static>>("", json)),
    ("v06/control", |_, json| message::<v06::control::ControlMessage<'static>>("", json)),
    ("v06/connless", |_, json| message::<v06::connless::Connless<'static>>("", json)),
    ("v07/system", |_, json| message::<v07::System<'static>>("", json)),
    ("v07/game", |_, json| message::<v07::Game<'static>>("", json)),
    ("v07/control", |_, json| message::<v07::control::ControlMessage<'static>>("", json)),
    ("v07/connless", |_, json| message::<v07::connless::Connless<'static>>("", json)),
    ("ddnet/system", |_, json| message::<ExtendedSystem<'static>>("", json)),
    ("ddnet/game", |_, json| message::<ExtendedGame<'static>>("", json)),
    ("ddnet/object", |name, json| {
        let snake = snake(name);
        let id = ExtendedObject::DEFINITIONS.iter().find(|(_, known)| known.name == snake).unwrap().0;
        object::<ExtendedObject>(id, &snake, json);
    }),
];

fn snake(camel: &str) -> String {
    let mut snake = String::new();
    for c in camel.chars() {
        if c.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
}

/// Compares the fields of the trace with the fields of the vector, in order. The trace may have additional padding.
fn compare(record: &Record, vector: &Json) {
    let mut traced = Map::new();
    for root in record.roots() {
        if root.kind() == NodeKind::Source {
            fields(root.children(), &mut traced);
        } else {
            fields(std::iter::once(root), &mut traced);
        }
    }
    traced.remove("padding");
    let traced: Vec<_> = traced.into_iter().collect();
    let expected: Vec<_> = vector["fields"].as_object().unwrap().clone().into_iter().collect();
    assert_eq!(traced, expected);
}

fn fields<'a>(nodes: impl Iterator<Item = NodeRef<'a>>, into: &mut Map<String, Json>) {
    for node in nodes {
        match node.kind() {
            NodeKind::Field => {
                into.insert(node.name().to_owned(), json(node.value().unwrap()));
            }
            NodeKind::Group(Layer::List) => {
                into.insert(node.name().to_owned(), Json::Array(node.children().map(member).collect()));
            }
            _ => {}
        }
    }
}

fn member(node: NodeRef<'_>) -> Json {
    match node.kind() {
        NodeKind::Field => json(node.value().unwrap()),
        NodeKind::Group(Layer::List) => Json::Array(node.children().map(member).collect()),
        _ => {
            let mut members = Map::new();
            fields(node.children(), &mut members);
            Json::Object(members)
        }
    }
}

fn json(value: Value<'_>) -> Json {
    match value {
        Value::Bool(value) => value.into(),
        Value::Text(text) => String::from_utf8(text.to_vec()).unwrap().into(),
        Value::Bytes(bytes) => hex(bytes).into(),
        Value::Uuid(uuid) => hex(&uuid).into(),
        // Flags are reported as bits, but vectors contain the signed number on the wire.
        Value::Flags { bits, .. } => (bits as u32 as i32).into(),
        number => number.number().unwrap().into(),
    }
}

fn shown(record: &Record) -> String {
    record.nodes().map(|node| format!("\n{} {:?}", node.name(), node.value())).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}
