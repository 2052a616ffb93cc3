//! The fields of a packet of Freeciv as JSON, by name.

use gamewire::freeciv::raw::codec::Fields;
use gamewire::freeciv::raw::delta::Value;
use serde_json::{Map, json};

pub(crate) fn fields(fields: &dyn Fields) -> serde_json::Value {
    let names = fields.names().iter().enumerate();
    let named: Map<_, _> =
        names.map(|(index, name)| ((*name).to_owned(), value(&fields.value(index)))).collect();
    named.into()
}

fn value(value: &Value) -> serde_json::Value {
    match value {
        Value::Absent => serde_json::Value::Null,
        Value::Bool(truth) => json!(truth),
        Value::Int(number) | Value::Scaled(number) => json!(number),
        Value::Text(text) => json!(String::from_utf8_lossy(text)),
        Value::Bytes(bytes) => json!(bytes),
        Value::Parts(parts) => json!(parts),
        Value::List(list) => list.iter().map(self::value).collect(),
    }
}
