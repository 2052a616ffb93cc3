//! `inspect --parquet`: tables of packets and messages.

use std::path::PathBuf;

use gamewire_inspect::conversation::PacketInfo;
use gamewire_inspect::protocol::Catalog;
#[cfg(feature = "parquet")]
use gamewire_inspect::tables::TableWriter;
use gamewire_machine::Record;

use crate::exit_status::Failure;
#[cfg(feature = "parquet")]
use crate::exit_status::io_message;

/// Tables that are written to a folder.
#[cfg(feature = "parquet")]
pub(super) struct Tables {
    name: String,
    writer: TableWriter,
}

#[cfg(feature = "parquet")]
impl Tables {
    pub(super) fn create(folder: PathBuf, catalog: Catalog) -> Result<Self, Failure> {
        let name = folder.display().to_string();
        match TableWriter::create(folder, catalog) {
            Ok(writer) => Ok(Self { name, writer }),
            Err(error) => {
                let cause = io_message(&error);
                Err(Failure::Failed(format!("cannot write tables to {name}: {cause}; use a new folder")))
            }
        }
    }

    /// Adds the rows of a datagram.
    pub(super) fn datagram(&mut self, info: &PacketInfo, record: &Record) -> Result<(), Failure> {
        self.writer.datagram(info, record).map_err(|error| failed(&self.name, &error))
    }

    /// Remembers a datagram that does not match.
    pub(super) fn skip(&mut self, info: &PacketInfo, record: &Record) {
        self.writer.skip(info, record);
    }

    /// Writes the remaining rows. Returns a summary.
    pub(super) fn finish(self) -> Result<String, Failure> {
        let stats = self.writer.finish().map_err(|error| failed(&self.name, &error))?;
        Ok(format!("{} rows in {} tables in {}", stats.rows, stats.tables, self.name))
    }
}

#[cfg(feature = "parquet")]
fn failed(name: &str, error: &std::io::Error) -> Failure {
    Failure::Failed(format!("cannot write tables to {name}: {}", io_message(error)))
}

/// Stub for builds without the feature `parquet`.
#[cfg(not(feature = "parquet"))]
pub(super) enum Tables {}

#[cfg(not(feature = "parquet"))]
impl Tables {
    pub(super) fn create(_: PathBuf, _: Catalog) -> Result<Self, Failure> {
        Err(Failure::missing_feature("--parquet", "parquet"))
    }

    pub(super) fn datagram(&mut self, _: &PacketInfo, _: &Record) -> Result<(), Failure> {
        match *self {}
    }

    pub(super) fn skip(&mut self, _: &PacketInfo, _: &Record) {
        match *self {}
    }

    pub(super) fn finish(self) -> Result<String, Failure> {
        match self {}
    }
}
