use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::PathBuf;

use gamewire_machine::Record;
use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_wire::{Layer, Value};

use super::row::set_fields;
use super::schema::{message_columns, packet_columns};
use super::table::Table;
use crate::conversation::PacketInfo;
use crate::protocol::{Catalog, DeliveryTracker};

/// Maximum number of rows in a row group.
const MAX_ROWS: usize = 1 << 17;
/// Maximum memory of the rows of all tables that are not written, in bytes.
const MAX_BYTES: usize = 64 << 20;
/// Maximum number of conversations with remembered messages. The oldest is forgotten first.
const MAX_TRACKERS: usize = 1_024;

/// A writer of tables in a folder: the packets of a capture, their messages and their items.
///
/// Memory is bounded: when the tables hold 64 MiB, the largest is written to its file. Only that file is open then.
pub struct TableWriter {
    folder: PathBuf,
    catalog: Catalog,
    packets: Table,
    tables: Vec<Entry>,
    /// Indices in `tables` by name; protocols and layers share names.
    by_name: HashMap<Box<str>, Vec<usize>>,
    /// Memory of all tables except `packets`, in bytes.
    held: usize,
    /// The reliable messages of each conversation, by its number.
    trackers: BTreeMap<u64, DeliveryTracker>,
}

struct Entry {
    protocol: &'static str,
    layer: Layer,
    table: Table,
}

/// The tables that were written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableStats {
    /// Number of files.
    pub tables: u64,
    /// Number of rows in all files.
    pub rows: u64,
}

/// The packet of a row.
struct Origin<'a> {
    info: &'a PacketInfo,
    /// Microseconds since 1970.
    time: i64,
    source: String,
    destination: String,
}

impl TableWriter {
    /// Creates a folder for the tables. The columns are the fields of `catalog`.
    ///
    /// # Errors
    /// [`io::Error`] if the folder cannot be created, or if it contains tables.
    pub fn create(folder: impl Into<PathBuf>, catalog: Catalog) -> io::Result<Self> {
        let folder = folder.into();
        fs::create_dir_all(&folder)?;
        for entry in fs::read_dir(&folder)? {
            if entry?.path().extension().is_some_and(|extension| extension == "parquet") {
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, "the folder contains tables"));
            }
        }
        let packets = Table::create(folder.join("packets.parquet"), packet_columns())?;
        Ok(Self {
            folder,
            catalog,
            packets,
            tables: Vec::new(),
            by_name: HashMap::new(),
            held: 0,
            trackers: BTreeMap::new(),
        })
    }

    /// Remembers a datagram or run of bytes without adding rows, so that a later copy of its messages is known.
    pub fn skip(&mut self, info: &PacketInfo, record: &Record) {
        self.track(info, record);
    }

    /// Returns the number of messages that were sent again.
    fn track(&mut self, info: &PacketInfo, record: &Record) -> u64 {
        let tracker = self.trackers.entry(info.conversation).or_default();
        let resent = tracker.packet(info.tracked(info.frame), record).resent_messages();
        if self.trackers.len() > MAX_TRACKERS {
            self.trackers.pop_first();
        }
        resent
    }

    /// Adds the rows of a datagram or run of bytes.
    ///
    /// # Errors
    /// [`io::Error`] if a file cannot be written.
    pub fn datagram(&mut self, info: &PacketInfo, record: &Record) -> io::Result<()> {
        let origin = Origin {
            info,
            time: info.timestamp.div_euclid(1000),
            source: info.from.to_string(),
            destination: info.to.to_string(),
        };
        let mut messages = 0_i64;
        let mut repeated = 0_i64;
        for node in record.nodes() {
            match node.kind() {
                NodeKind::Group(layer @ (Layer::Message | Layer::Item)) => {
                    messages = messages.saturating_add(i64::from(layer == Layer::Message));
                    self.message(&origin, layer, node)?;
                }
                NodeKind::Field if node.name() == "repeated" && node.value() == Some(Value::Bool(true)) => {
                    repeated = repeated.saturating_add(1);
                }
                _ => {}
            }
        }
        let resent = self.track(info, record);
        let table = &mut self.packets;
        origin.set(table);
        table.set("protocol", Value::Text(info.protocol.as_bytes()));
        if let Some(dialect) = info.dialect {
            table.set("dialect", Value::Text(dialect.as_bytes()));
        }
        table.set("length", Value::Int(i64::try_from(info.length).unwrap_or(i64::MAX)));
        table.set("messages", Value::Int(messages));
        table.set("repeated", Value::Int(repeated));
        table.set("resent", Value::Int(i64::try_from(resent).unwrap_or(i64::MAX)));
        table.set("warnings", Value::Int(record.warnings().into()));
        table.set("errors", Value::Int(record.errors().into()));
        if record.warnings() > 0 || record.errors() > 0 {
            table.set("problems", Value::Text(problems(record).as_bytes()));
        }
        table.end_row();
        if table.rows() >= MAX_ROWS {
            table.flush()?;
        }
        Ok(())
    }

    /// Adds a row of a message or item.
    fn message(&mut self, origin: &Origin<'_>, layer: Layer, node: NodeRef<'_>) -> io::Result<()> {
        let Some(index) = self.table(origin.info.protocol, layer, node.name())? else { return Ok(()) };
        let Some(Entry { table, .. }) = self.tables.get_mut(index) else { return Ok(()) };
        let held = table.held_bytes();
        origin.set(table);
        let span = node.span();
        let bits = span.end_bit().saturating_sub(span.start_bit());
        table.set("bytes", Value::Int(bits.div_ceil(8).into()));
        set_fields(table, node);
        let now = table.end_row();
        self.held = self.held.saturating_sub(held).saturating_add(now);
        if table.rows() >= MAX_ROWS {
            self.held = self.held.saturating_sub(now);
            table.flush()?;
        }
        while self.held > MAX_BYTES
            && let Some(largest) = self.tables.iter_mut().max_by_key(|entry| entry.table.held_bytes())
        {
            self.held = self.held.saturating_sub(largest.table.held_bytes());
            largest.table.flush()?;
        }
        Ok(())
    }

    /// Returns the index of a table, which is created if there is none.
    fn table(&mut self, protocol: &'static str, layer: Layer, name: &str) -> io::Result<Option<usize>> {
        let known = self.by_name.get(name).into_iter().flatten().copied();
        let is_same = |index: &usize| {
            self.tables.get(*index).is_some_and(|entry| entry.protocol == protocol && entry.layer == layer)
        };
        if let Some(index) = known.into_iter().find(is_same) {
            return Ok(Some(index));
        }
        let file = match layer {
            Layer::Item => format!("{protocol}.item.{name}.parquet"),
            _ => format!("{protocol}.{name}.parquet"),
        };
        let columns = message_columns(&self.catalog, protocol, layer, name);
        let table = Table::create(self.folder.join(file), columns)?;
        let index = self.tables.len();
        self.tables.push(Entry { protocol, layer, table });
        self.by_name.entry(name.into()).or_default().push(index);
        Ok(Some(index))
    }

    /// Writes the remaining rows and closes all files.
    ///
    /// # Errors
    /// [`io::Error`] if a file cannot be written.
    pub fn finish(self) -> io::Result<TableStats> {
        let mut stats = TableStats::default();
        for table in self.tables.into_iter().map(|entry| entry.table).chain([self.packets]) {
            stats.rows = stats.rows.saturating_add(table.finish()?);
            stats.tables = stats.tables.saturating_add(1);
        }
        Ok(stats)
    }
}

impl Origin<'_> {
    fn set(&self, table: &mut Table) {
        let number = |of: u64| Value::Int(i64::try_from(of).unwrap_or(i64::MAX));
        table.set("frame", number(self.info.frame));
        table.set("time", Value::Int(self.time));
        table.set("conversation", number(self.info.conversation));
        table.set("sender", Value::Text(self.info.sender.name().as_bytes()));
        table.set("source", Value::Text(self.source.as_bytes()));
        table.set("destination", Value::Text(self.destination.as_bytes()));
    }
}

/// Returns the names of the warnings and the messages of the errors, as a JSON array.
fn problems(record: &Record) -> String {
    let problems = record.nodes().filter_map(|node| match (node.kind(), node.value()) {
        (NodeKind::Warning(_), _) => Some(node.name().into()),
        (NodeKind::Error, Some(Value::Text(sentence))) => Some(String::from_utf8_lossy(sentence)),
        _ => None,
    });
    serde_json::to_string(&problems.collect::<Vec<_>>()).unwrap_or_default()
}
