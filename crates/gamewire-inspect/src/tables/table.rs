use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use gamewire_wire::Value;
use parquet::basic::Compression;
use parquet::errors::Result;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::column::Column;

/// A Parquet file, and its rows that are not written yet.
pub(super) struct Table {
    columns: Vec<Column>,
    /// Number of finished rows that are not written.
    rows: usize,
    /// Number of rows that are written.
    written: u64,
    /// Memory of the rows that are not written, in bytes.
    held: usize,
    /// The column after the last one that was set. Fields are in the order of the columns.
    next: usize,
    file: SerializedFileWriter<Appended>,
}

impl Table {
    /// Creates the file.
    pub(super) fn create(path: PathBuf, columns: Vec<Column>) -> Result<Self> {
        let declarations: String = columns
            .iter()
            .map(|column| format!("OPTIONAL {};\n", column.column_type().declaration(&column.name)))
            .collect();
        let schema = parse_message_type(&format!("message schema {{\n{declarations}}}"))?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_offset_index_disabled(true)
            .set_created_by("gamewire".to_owned())
            .build();
        File::create(&path)?;
        let file = Appended { path, file: None };
        let file = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties))?;
        Ok(Self { columns, rows: 0, written: 0, held: 0, next: 0, file })
    }

    /// Sets the value of a column in the current row. Returns false if there is no such column, if the row has a
    /// value there, or if the value is of another type.
    pub(super) fn set(&mut self, name: &str, value: Value<'_>) -> bool {
        let is_next = self.columns.get(self.next).is_some_and(|column| column.name == name);
        let index = if is_next {
            Some(self.next)
        } else {
            self.columns.iter().position(|column| column.name == name)
        };
        let column = index.and_then(|index| self.columns.get_mut(index));
        let is_set = column.is_some_and(|column| column.set(self.rows, value));
        if let Some(index) = index {
            self.next = index.saturating_add(1);
        }
        is_set
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column.name == name)
    }

    /// Ends the current row. Returns the memory of all rows, in bytes.
    pub(super) fn end_row(&mut self) -> usize {
        self.rows = self.rows.saturating_add(1);
        self.next = 0;
        self.held = self.columns.iter().map(Column::held_bytes).sum();
        self.held
    }

    pub(super) const fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the memory of the rows that are not written, in bytes.
    pub(super) const fn held_bytes(&self) -> usize {
        self.held
    }

    /// Writes the rows as a row group.
    pub(super) fn flush(&mut self) -> Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.file.next_row_group()?;
        let mut columns = self.columns.iter_mut();
        while let (Some(mut to), Some(column)) = (group.next_column()?, columns.next()) {
            column.flush(self.rows, &mut to)?;
            to.close()?;
        }
        group.close()?;
        self.file.flush()?;
        self.file.inner_mut().file = None;
        self.written = self.written.saturating_add(u64::try_from(self.rows).unwrap_or(u64::MAX));
        (self.rows, self.held) = (0, 0);
        Ok(())
    }

    /// Writes the remaining rows and closes the file. Returns its number of rows.
    pub(super) fn finish(mut self) -> Result<u64> {
        self.flush()?;
        self.file.close()?;
        Ok(self.written)
    }
}

/// A file that is open only during writes, because there may be more files than a process can open.
struct Appended {
    path: PathBuf,
    file: Option<File>,
}

impl Write for Appended {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            Some(file) => file.write(bytes),
            none => none.insert(OpenOptions::new().append(true).open(&self.path)?).write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
