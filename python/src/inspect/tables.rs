use std::path::PathBuf;

use gamewire::inspect::tables::TableWriter;
use pyo3::prelude::*;

use super::capture::{Reading, Source, Step};

/// Number of packets between two checks for a signal such as Ctrl-C.
const CHECK_INTERVAL: u32 = 1024;

/// Writes the packets of a capture, their messages and their items as Parquet files into a folder, which must not have
/// any. Returns the descriptions of the damage of the capture, and the number of rows.
#[pyfunction]
#[pyo3(signature = (source, folder, filter=None, messages=None))]
pub(crate) fn write_tables(
    py: Python<'_>,
    source: Source,
    folder: PathBuf,
    filter: Option<&str>,
    messages: Option<PathBuf>,
) -> PyResult<(Vec<String>, u64)> {
    let mut reading = Reading::open(source, filter, messages.as_deref())?;
    let mut writer = TableWriter::create(folder, reading.catalog.clone())?;
    while py.detach(|| add_packets(&mut reading, &mut writer))? {
        py.check_signals()?;
    }
    let rows = py.detach(|| writer.finish())?.rows;
    Ok((reading.take_damage(), rows))
}

/// Adds some packets. Returns whether there may be more.
fn add_packets(reading: &mut Reading, writer: &mut TableWriter) -> PyResult<bool> {
    for _ in 0..CHECK_INTERVAL {
        match reading.next()? {
            Step::Packet(info) if reading.matches(&info) => writer.datagram(&info, &reading.record)?,
            Step::Packet(info) => writer.skip(&info, &reading.record),
            Step::Nothing => {}
            Step::End => return Ok(false),
        }
    }
    Ok(true)
}
