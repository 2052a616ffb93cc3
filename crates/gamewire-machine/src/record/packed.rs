//! Compact records, for histories of many packets.

use std::collections::HashSet;
use std::sync::Arc;

use gamewire_wire::{Span, Value};

use super::arena::{ArenaRange, saturating_u32};
use super::{Node, NodeKind, Record, StoredValue};

/// Maximum number of label tables that a packer remembers.
const MAX_TABLES: usize = 1_024;
/// Maximum bytes of these tables together.
const MAX_TABLE_BYTES: usize = 2 << 20;
/// Number of latest labels that are searched for the label of a node.
const MAX_SEARCHED: usize = 256;

/// A compact [`Record`]: a node takes a few bytes. Names, kinds and depths are in a label table, which records of the
/// same kind share. A text or byte string that is in its source is not stored again.
#[derive(Clone, Debug)]
pub struct PackedRecord {
    labels: Arc<Labels>,
    bytes: Box<[u8]>,
    /// Range of source 0 in `bytes`.
    source: ArenaRange,
    warnings: u32,
    errors: u32,
    /// Bytes of the label table if this record is the first one with it, otherwise 0.
    table_bytes: u32,
}

/// A packer of records that share label tables. Its memory is bounded.
#[derive(Debug, Default)]
pub struct RecordPacker {
    tables: HashSet<Arc<Labels>>,
    /// Bytes of the tables.
    held: usize,
    labels: Labels,
    /// For each label, the index of the label that followed it last.
    next: Vec<usize>,
    bytes: Vec<u8>,
}

/// The label table of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Labels {
    list: Vec<Label>,
    names: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Label {
    kind: NodeKind,
    depth: u16,
    source: u16,
    form: Form,
    /// Range in the names of the table.
    name: ArenaRange,
    /// Range of the name of a named value, in the names of the table.
    value_name: ArenaRange,
}

/// The type of a value, and the constants in its definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Form {
    None,
    Bool,
    Int,
    Uint,
    Float,
    Double,
    Hex { digits: u8 },
    Decimal { scale: u32 },
    Named,
    Flags { names: &'static [&'static str] },
    Uuid,
    Text,
    Bytes,
    StaticText(&'static [u8]),
    StaticBytes(&'static [u8]),
}

impl Form {
    const fn of(value: &StoredValue) -> Self {
        match value {
            StoredValue::None => Self::None,
            StoredValue::Named { .. } => Self::Named,
            StoredValue::Text(_) => Self::Text,
            StoredValue::Bytes(_) => Self::Bytes,
            StoredValue::Plain(value) => match *value {
                Value::Bool(_) => Self::Bool,
                Value::Int(_) => Self::Int,
                Value::Uint(_) => Self::Uint,
                Value::Float(_) => Self::Float,
                Value::Double(_) => Self::Double,
                Value::Hex { digits, .. } => Self::Hex { digits },
                Value::Decimal { scale, .. } => Self::Decimal { scale },
                Value::Named { .. } => Self::Named,
                Value::Flags { names, .. } => Self::Flags { names },
                Value::Uuid(_) => Self::Uuid,
                Value::Text(text) => Self::StaticText(text),
                Value::Bytes(bytes) => Self::StaticBytes(bytes),
            },
        }
    }
}

impl RecordPacker {
    /// Packs a record.
    pub fn pack(&mut self, record: &Record) -> PackedRecord {
        self.labels.list.clear();
        self.labels.names.clear();
        self.next.clear();
        self.bytes.clear();
        let (mut last, mut position) = (None, 0);
        let mut source = None;
        for (index, node) in (1_u32..).zip(&record.nodes) {
            let label = self.label(record, node, last);
            last = Some(label);
            self.unsigned(label as u64);
            if matches!(node.kind, NodeKind::Group(_) | NodeKind::Source) {
                self.unsigned(node.end.saturating_sub(index).into());
            }
            let (start, end) = (node.span.start_bit(), node.span.end_bit());
            self.signed(i64::from(start).wrapping_sub(i64::from(position)));
            self.unsigned(end.saturating_sub(start).into());
            position = start;
            self.value(record, node);
            if node.kind == NodeKind::Source
                && source.is_none()
                && let StoredValue::Bytes(range) = node.value
            {
                // `value` has just written the bytes of the source, so they are at the end.
                let end = saturating_u32(self.bytes.len());
                source = Some(ArenaRange { start: end.saturating_sub(range.len()), end });
            }
        }
        let (labels, table_bytes) = self.table();
        PackedRecord {
            labels,
            bytes: self.bytes.as_slice().into(),
            source: source.unwrap_or_default(),
            warnings: record.warnings,
            errors: record.errors,
            table_bytes,
        }
    }

    /// Returns the index of the label of a node. Adds the label if it is new.
    fn label(&mut self, record: &Record, node: &Node, last: Option<usize>) -> usize {
        let form = Form::of(&node.value);
        let name = record.name(node.name);
        let value_name = match node.value {
            StoredValue::Named { name, .. } => record.name(name),
            _ => "",
        };
        let Self { labels: Labels { list, names }, next, .. } = self;
        let is_it = |label: &Label| {
            (label.kind, label.depth, label.source) == (node.kind, node.depth, node.source)
                && label.form == form
                && label.name.name(names) == name
                && label.value_name.name(names) == value_name
        };
        let follower = last.and_then(|last| next.get(last)).copied();
        let mut found = follower.filter(|follower| list.get(*follower).is_some_and(is_it));
        if found.is_none() {
            let skipped = list.len().saturating_sub(MAX_SEARCHED);
            let mut searched = list.iter().enumerate().skip(skipped);
            found = searched.find(|(_, label)| is_it(label)).map(|(index, _)| index);
        }
        let index = found.unwrap_or_else(|| {
            let name = append(names, name);
            let value_name = append(names, value_name);
            let (kind, depth, source) = (node.kind, node.depth, node.source);
            list.push(Label { kind, depth, source, form, name, value_name });
            next.push(usize::MAX);
            list.len().saturating_sub(1)
        });
        if let Some(follower) = last.and_then(|last| next.get_mut(last)) {
            *follower = index;
        }
        index
    }

    /// Returns the shared table of the labels. The number is its bytes if it is new, otherwise 0.
    fn table(&mut self) -> (Arc<Labels>, u32) {
        if let Some(known) = self.tables.get(&self.labels) {
            return (Arc::clone(known), 0);
        }
        if self.tables.len() >= MAX_TABLES || self.held >= MAX_TABLE_BYTES {
            self.tables.clear();
            self.held = 0;
        }
        let mut labels = self.labels.clone();
        labels.list.shrink_to_fit();
        labels.names.shrink_to_fit();
        let bytes = labels.list.len().saturating_mul(size_of::<Label>()).saturating_add(labels.names.len());
        self.held = self.held.saturating_add(bytes);
        let labels = Arc::new(labels);
        self.tables.insert(Arc::clone(&labels));
        (labels, saturating_u32(bytes))
    }

    fn value(&mut self, record: &Record, node: &Node) {
        match node.value {
            StoredValue::None => {}
            StoredValue::Named { value, .. } => self.signed(value),
            StoredValue::Text(range) | StoredValue::Bytes(range) => {
                let bytes = record.piece(range);
                let is_in_source = node.kind != NodeKind::Source
                    && record
                        .source(node.source.into())
                        .and_then(|source| source.get(first_byte(node.span)..))
                        .is_some_and(|rest| rest.starts_with(bytes));
                self.unsigned(((bytes.len() as u64) << 1) | u64::from(is_in_source));
                if !is_in_source {
                    self.bytes.extend_from_slice(bytes);
                }
            }
            StoredValue::Plain(value) => match value {
                Value::Bool(value) => self.bytes.push(value.into()),
                Value::Int(value) | Value::Decimal { raw: value, .. } | Value::Named { value, .. } => {
                    self.signed(value);
                }
                Value::Uint(value) | Value::Hex { value, .. } | Value::Flags { bits: value, .. } => {
                    self.unsigned(value);
                }
                Value::Float(value) => self.bytes.extend(value.to_le_bytes()),
                Value::Double(value) => self.bytes.extend(value.to_le_bytes()),
                Value::Uuid(uuid) => self.bytes.extend(uuid),
                Value::Text(_) | Value::Bytes(_) => {}
            },
        }
    }

    /// Writes a number with seven bits per byte, lowest bits first.
    fn unsigned(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    fn signed(&mut self, value: i64) {
        self.unsigned(((value << 1) ^ (value >> 63)).cast_unsigned());
    }
}

impl PackedRecord {
    /// Returns the unpacked record.
    #[must_use]
    pub fn unpack(&self) -> Record {
        let mut record = Record {
            names: self.labels.names.clone(),
            warnings: self.warnings,
            errors: self.errors,
            ..Record::default()
        };
        let mut input = Input(&self.bytes);
        // `None` is the end of the packed bytes.
        while self.node(&mut input, &mut record).is_some() {}
        record
    }

    /// Returns the bytes of source 0: the datagram.
    pub fn source(&self) -> &[u8] {
        self.source.bytes(&self.bytes)
    }

    /// Returns the number of warnings.
    pub const fn warnings(&self) -> u32 {
        self.warnings
    }

    /// Returns the number of errors.
    pub const fn errors(&self) -> u32 {
        self.errors
    }

    /// Returns the approximate heap memory in bytes. A label table counts only for the first record with it.
    pub fn held_bytes(&self) -> usize {
        self.bytes.len().saturating_add(self.table_bytes as usize)
    }

    /// Reads the next node into `record`. Returns `None` at the end.
    fn node(&self, input: &mut Input<'_>, record: &mut Record) -> Option<()> {
        let label = *self.labels.list.get(usize::try_from(input.unsigned()?).ok()?)?;
        let mut end = saturating_u32(record.nodes.len()).saturating_add(1);
        if matches!(label.kind, NodeKind::Group(_) | NodeKind::Source) {
            end = end.saturating_add(u32::try_from(input.unsigned()?).ok()?);
        }
        let position = record.nodes.last().map_or(0, |node| node.span.start_bit());
        let start = u32::try_from(i64::from(position).checked_add(input.signed()?)?).ok()?;
        let span = Span::bits(0, start, u32::try_from(input.unsigned()?).ok()?);
        let value = read_value(&label, span, input, record)?;
        let Label { kind, depth, source, name, .. } = label;
        record.nodes.push(Node { kind, depth, source, span, name, end, value });
        Some(())
    }
}

fn read_value(label: &Label, span: Span, input: &mut Input<'_>, record: &mut Record) -> Option<StoredValue> {
    Some(StoredValue::Plain(match label.form {
        Form::None => return Some(StoredValue::None),
        Form::Named => {
            return Some(StoredValue::Named { value: input.signed()?, name: label.value_name });
        }
        Form::Text => return Some(StoredValue::Text(read_bytes(label, span, input, record)?)),
        Form::Bytes => return Some(StoredValue::Bytes(read_bytes(label, span, input, record)?)),
        Form::Bool => Value::Bool(input.take(1)? == [1]),
        Form::Int => Value::Int(input.signed()?),
        Form::Uint => Value::Uint(input.unsigned()?),
        Form::Float => Value::Float(f32::from_le_bytes(input.take(4)?.try_into().ok()?)),
        Form::Double => Value::Double(f64::from_le_bytes(input.take(8)?.try_into().ok()?)),
        Form::Hex { digits } => Value::Hex { value: input.unsigned()?, digits },
        Form::Decimal { scale } => Value::Decimal { raw: input.signed()?, scale },
        Form::Flags { names } => Value::Flags { bits: input.unsigned()?, names },
        Form::Uuid => Value::Uuid(input.take(16)?.try_into().ok()?),
        Form::StaticText(text) => Value::Text(text),
        Form::StaticBytes(bytes) => Value::Bytes(bytes),
    }))
}

/// Reads the bytes of a source or value. Returns their range in the record's arena.
fn read_bytes(label: &Label, span: Span, input: &mut Input<'_>, record: &mut Record) -> Option<ArenaRange> {
    let head = input.unsigned()?;
    let length = usize::try_from(head >> 1).ok()?;
    if head & 1 == 1 {
        let source = record.sources.get(usize::from(label.source))?;
        let start = source.start.checked_add(saturating_u32(first_byte(span)))?;
        return Some(ArenaRange { start, end: start.checked_add(saturating_u32(length))? });
    }
    let bytes = record.push_bytes(input.take(length)?);
    if label.kind == NodeKind::Source {
        record.sources.push(bytes);
    }
    Some(bytes)
}

const fn first_byte(span: Span) -> usize {
    (span.start_bit() / 8) as usize
}

fn append(names: &mut String, name: &str) -> ArenaRange {
    let start = saturating_u32(names.len());
    names.push_str(name);
    ArenaRange { start, end: saturating_u32(names.len()) }
}

/// Unread packed bytes.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn unsigned(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            value |= u64::from(byte & 0x7f).wrapping_shl(shift);
            if byte & 0x80 == 0 {
                break;
            }
        }
        Some(value)
    }

    fn signed(&mut self) -> Option<i64> {
        let value = self.unsigned()?;
        Some((value >> 1).cast_signed() ^ (value & 1).cast_signed().wrapping_neg())
    }
}

#[cfg(test)]
mod tests;
