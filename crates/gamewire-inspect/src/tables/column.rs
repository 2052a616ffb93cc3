use std::fmt::Write as _;
use std::mem;

use bytes::Bytes;
use gamewire_wire::Value;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
use parquet::errors::Result;
use parquet::file::writer::SerializedColumnWriter;

use crate::render::DisplayValue;

/// Number of texts in one call of the Parquet writer.
const TEXTS: usize = 1024;

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnType {
    Bool,
    /// An integer of this many bits.
    Int(u8),
    /// An unsigned integer of this many bits.
    Uint(u8),
    Double,
    /// UTF-8.
    Text,
    /// UTF-8 with a JSON value.
    Json,
    Bytes,
    /// Microseconds since 1970 in UTC.
    Time,
}

impl ColumnType {
    /// Returns the Parquet type of a column with this name.
    pub(super) fn declaration(self, name: &str) -> String {
        match self {
            Self::Bool => format!("BOOLEAN {name}"),
            Self::Int(bits @ 64) => format!("INT64 {name} (INTEGER({bits},true))"),
            Self::Uint(bits @ 64) => format!("INT64 {name} (INTEGER({bits},false))"),
            Self::Int(bits) => format!("INT32 {name} (INTEGER({bits},true))"),
            Self::Uint(bits) => format!("INT32 {name} (INTEGER({bits},false))"),
            Self::Double => format!("DOUBLE {name}"),
            Self::Text => format!("BYTE_ARRAY {name} (STRING)"),
            Self::Json => format!("BYTE_ARRAY {name} (JSON)"),
            Self::Bytes => format!("BYTE_ARRAY {name}"),
            Self::Time => format!("INT64 {name} (TIMESTAMP(MICROS,false))"),
        }
    }
}

/// A column and its values that are not written yet.
pub(super) struct Column {
    pub(super) name: String,
    column_type: ColumnType,
    values: Values,
    /// 1 for a row with a value, 0 for a row without one. Rows without a value at the end may be missing.
    levels: Vec<i16>,
}

enum Values {
    Bool(Vec<bool>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Double(Vec<f64>),
    /// All values one after another, and the end of each.
    Bytes(Vec<u8>, Vec<usize>),
}

impl Column {
    pub(super) const fn new(name: String, column_type: ColumnType) -> Self {
        let values = match column_type {
            ColumnType::Bool => Values::Bool(Vec::new()),
            ColumnType::Int(64) | ColumnType::Uint(64) | ColumnType::Time => Values::Int64(Vec::new()),
            ColumnType::Int(_) | ColumnType::Uint(_) => Values::Int32(Vec::new()),
            ColumnType::Double => Values::Double(Vec::new()),
            ColumnType::Text | ColumnType::Json | ColumnType::Bytes => Values::Bytes(Vec::new(), Vec::new()),
        };
        Self { name, column_type, values, levels: Vec::new() }
    }

    pub(super) const fn column_type(&self) -> ColumnType {
        self.column_type
    }

    /// Returns the memory of its values, in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        let values = match &self.values {
            Values::Bool(values) => values.len(),
            Values::Int32(values) => values.len().saturating_mul(4),
            Values::Int64(values) => values.len().saturating_mul(8),
            Values::Double(values) => values.len().saturating_mul(8),
            Values::Bytes(bytes, ends) => bytes.len().saturating_add(ends.len().saturating_mul(8)),
        };
        values.saturating_add(self.levels.len().saturating_mul(2))
    }

    /// Sets the value of row `row`. Returns false if it has one, or if the value is not of the column's type.
    pub(super) fn set(&mut self, row: usize, value: Value<'_>) -> bool {
        if self.levels.len() > row {
            return false;
        }
        let is_set = match &mut self.values {
            Values::Bool(values) => match value {
                Value::Bool(value) => push(values, Some(value)),
                value => push(values, value.number().map(|number| number != 0)),
            },
            Values::Int32(values) => push(values, self.column_type.narrow(value)),
            Values::Int64(values) => match (value, self.column_type) {
                #[expect(clippy::cast_possible_wrap, reason = "Parquet stores unsigned integers so")]
                (Value::Uint(value), ColumnType::Uint(_)) => push(values, Some(value as i64)),
                _ => push(values, value.number()),
            },
            Values::Double(values) => push(values, double(value)),
            Values::Bytes(bytes, ends) => {
                let is_set = match (value, self.column_type) {
                    (Value::Text(value) | Value::Bytes(value), ColumnType::Bytes) => {
                        bytes.extend_from_slice(value);
                        true
                    }
                    (_, ColumnType::Bytes) => false,
                    (value, _) => {
                        push_text(bytes, value);
                        true
                    }
                };
                if is_set {
                    ends.push(bytes.len());
                }
                is_set
            }
        };
        if is_set {
            self.levels.resize(row, 0);
            self.levels.push(1);
        }
        is_set
    }

    /// Writes the values of `rows` rows and clears them.
    pub(super) fn flush(&mut self, rows: usize, to: &mut SerializedColumnWriter<'_>) -> Result<()> {
        let mut levels = mem::take(&mut self.levels);
        levels.resize(rows, 0);
        let all = levels.as_slice();
        let levels = Some(all);
        match &mut self.values {
            Values::Bool(values) => {
                to.typed::<BoolType>().write_batch(&mem::take(values), levels, None)?;
            }
            Values::Int32(values) => {
                to.typed::<Int32Type>().write_batch(&mem::take(values), levels, None)?;
            }
            Values::Int64(values) => {
                to.typed::<Int64Type>().write_batch(&mem::take(values), levels, None)?;
            }
            Values::Double(values) => {
                to.typed::<DoubleType>().write_batch(&mem::take(values), levels, None)?;
            }
            Values::Bytes(bytes, ends) => {
                let (bytes, ends) = (Bytes::from(mem::take(bytes)), mem::take(ends));
                let starts = [0].into_iter().chain(ends.iter().copied());
                let mut values =
                    starts.zip(&ends).map(|(start, end)| ByteArray::from(bytes.slice(start..*end)));
                for levels in all.chunks(TEXTS) {
                    let count = levels.iter().filter(|level| **level == 1).count();
                    let batch: Vec<_> = values.by_ref().take(count).collect();
                    to.typed::<ByteArrayType>().write_batch(&batch, Some(levels), None)?;
                }
            }
        }
        Ok(())
    }
}

impl ColumnType {
    /// Returns an integer if it fits into the column's bits.
    fn narrow(self, value: Value<'_>) -> Option<i32> {
        let number = value.number()?;
        let fits = match self {
            Self::Int(8) => i8::try_from(number).is_ok(),
            Self::Int(16) => i16::try_from(number).is_ok(),
            Self::Uint(8) => u8::try_from(number).is_ok(),
            Self::Uint(16) => u16::try_from(number).is_ok(),
            _ => true,
        };
        i32::try_from(number).ok().filter(|_| fits)
    }
}

fn push<T>(values: &mut Vec<T>, value: Option<T>) -> bool {
    let is_some = value.is_some();
    values.extend(value);
    is_some
}

#[expect(clippy::cast_precision_loss, reason = "a column of numbers has the precision of f64")]
fn double(value: Value<'_>) -> Option<f64> {
    match value {
        Value::Float(value) => Some(value.into()),
        Value::Double(value) => Some(value),
        Value::Decimal { raw, scale } => Some(raw as f64 / f64::from(scale.max(1))),
        Value::Uint(value) => Some(value as f64),
        value => value.number().map(|number| number as f64),
    }
}

/// Appends text unchanged, except that replacement characters replace invalid UTF-8. Appends other values as in lines.
fn push_text(bytes: &mut Vec<u8>, value: Value<'_>) {
    match value {
        Value::Text(text) => bytes.extend_from_slice(String::from_utf8_lossy(text).as_bytes()),
        Value::Named { name, .. } if !name.is_empty() => bytes.extend_from_slice(name.as_bytes()),
        value => {
            let mut text = String::new();
            let _ = write!(text, "{}", DisplayValue(value));
            bytes.extend_from_slice(text.as_bytes());
        }
    }
}
