use std::fs::File;
use std::io::{BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use gamewire::inspect::capture::{CaptureError, Damage, Reader};
use gamewire::inspect::conversation::{ConversationLimits, FrameOutcome, Inspector, PacketInfo};
use gamewire::inspect::filter::Filter;
use gamewire::inspect::messages;
use gamewire::inspect::protocol::{Catalog, Protocol, ProtocolConfig};
use gamewire::machine::Record;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use super::packet::Packet;
use crate::error::{Error, file_error, value_error};

/// Number of frames between two checks for a signal such as Ctrl-C.
const CHECK_INTERVAL: u64 = 4096;

/// The packets of a capture. An iterator.
#[pyclass(module = "gamewire._native", frozen)]
pub(crate) struct Capture {
    /// `None` after the capture was closed.
    reading: Mutex<Option<Reading>>,
}

/// A capture that is being read.
pub(super) struct Reading {
    reader: Reader<Box<dyn Read + Send>>,
    inspector: Inspector<Protocol>,
    pub(super) filter: Option<Filter>,
    pub(super) catalog: Catalog,
    /// Receives the content of the current packet.
    pub(super) record: Record,
    damage: Vec<String>,
    frames: u64,
    /// True if the last frame may have completed further packets.
    has_more: bool,
    is_finished: bool,
}

/// The next part of a capture.
pub(super) enum Step {
    /// A packet, whose content is in the record.
    Packet(PacketInfo),
    /// Some frames without a packet were read.
    Nothing,
    /// The capture has ended.
    End,
}

#[pymethods]
impl Capture {
    #[new]
    #[pyo3(signature = (source, filter=None, messages=None))]
    fn new(
        py: Python<'_>,
        source: Source,
        filter: Option<&str>,
        messages: Option<PathBuf>,
    ) -> PyResult<Self> {
        let reading = py.detach(|| Reading::open(source, filter, messages.as_deref()))?;
        Ok(Self { reading: Mutex::new(Some(reading)) })
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Packet>> {
        loop {
            let step = py.detach(|| {
                let mut reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
                let Some(reading) = reading.as_mut() else { return Ok(None) };
                Ok::<_, PyErr>(match reading.next_match()? {
                    Step::Packet(info) => Some(Ok(Packet::new(info, std::mem::take(&mut reading.record)))),
                    Step::Nothing => Some(Err(())),
                    Step::End => None,
                })
            })?;
            match step {
                Some(Ok(packet)) => return Ok(Some(packet)),
                Some(Err(())) => py.check_signals()?,
                None => return Ok(None),
            }
        }
    }

    /// Closes the file. There are no more packets.
    fn close(&self, py: Python<'_>) {
        py.detach(|| self.reading.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// Returns a description of each damage of the file that was found so far.
    fn damage(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| {
            let reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
            reading.as_ref().map(|reading| reading.damage.clone()).unwrap_or_default()
        })
    }
}

/// A file, or its content.
#[derive(FromPyObject)]
pub(crate) enum Source {
    Bytes(Vec<u8>),
    Path(PathBuf),
}

impl Reading {
    pub(super) fn open(source: Source, filter: Option<&str>, messages: Option<&Path>) -> PyResult<Self> {
        let (name, input): (String, Box<dyn Read + Send>) = match source {
            Source::Bytes(bytes) => ("the capture".into(), Box::new(Cursor::new(bytes))),
            Source::Path(path) => {
                let file = File::open(&path).map_err(|error| file_error(&path, &error))?;
                (path.display().to_string(), Box::new(BufReader::new(file)))
            }
        };
        let config = config(messages)?;
        let mut catalog = Catalog::with_all_protocols();
        catalog.add_riptide_messages(&config.riptide_messages);
        catalog.add_freeciv_packets(&config.freeciv);
        let filter = filter.map(|text| Filter::parse(text, &catalog)).transpose();
        let filter = filter.map_err(|error| value_error(format!("invalid filter: {error}")))?;
        let reader = Reader::new(input).map_err(|error| match error.damage {
            Damage::Io(cause) => PyOSError::new_err(format!("cannot read {name}: {cause}")),
            damage => Error::new_err(format!("{name} is not a capture: {damage}")),
        })?;
        Ok(Self {
            reader,
            inspector: Inspector::with_config(ConversationLimits::default(), config),
            filter,
            catalog,
            record: Record::new(),
            damage: Vec::new(),
            frames: 0,
            has_more: false,
            is_finished: false,
        })
    }

    /// Reads up to the next packet that matches the filter.
    fn next_match(&mut self) -> PyResult<Step> {
        loop {
            match self.next()? {
                Step::Packet(info) if !self.matches(&info) => {}
                step => return Ok(step),
            }
        }
    }

    /// Returns whether the current packet matches the filter.
    pub(super) fn matches(&self, info: &PacketInfo) -> bool {
        self.filter.as_ref().is_none_or(|filter| filter.holds(info, &self.record))
    }

    /// Reads up to the next packet.
    ///
    /// # Errors
    /// `OSError` if the file cannot be read.
    pub(super) fn next(&mut self) -> PyResult<Step> {
        loop {
            self.record.clear();
            if self.has_more {
                match self.inspector.next_outcome(&mut self.record) {
                    Some(outcome) => match outcome.packet() {
                        Some(info) => return Ok(Step::Packet(*info)),
                        None => continue,
                    },
                    None => self.has_more = false,
                }
            }
            if self.is_finished {
                return Ok(Step::End);
            }
            let frame = match self.reader.next() {
                Some(Ok(frame)) => frame,
                Some(Err(error)) => {
                    self.on_damage(error)?;
                    continue;
                }
                None => {
                    self.inspector.finish();
                    (self.is_finished, self.has_more) = (true, true);
                    continue;
                }
            };
            let number = frame.number;
            let outcome = self.inspector.frame(&frame, &mut self.record);
            self.has_more = true;
            if let FrameOutcome::Damaged(error) = &outcome {
                self.damage.push(format!("frame {number}: {error}"));
            }
            if let Some(info) = outcome.packet() {
                return Ok(Step::Packet(*info));
            }
            self.frames = self.frames.wrapping_add(1);
            if self.frames.is_multiple_of(CHECK_INTERVAL) {
                return Ok(Step::Nothing);
            }
        }
    }

    /// Returns the descriptions of all damage.
    pub(super) fn take_damage(self) -> Vec<String> {
        self.damage
    }

    /// Keeps a description of damage. The frames after it are read.
    fn on_damage(&mut self, error: CaptureError) -> PyResult<()> {
        if let CaptureError { offset, damage: Damage::Io(cause) } = error {
            return Err(PyOSError::new_err(format!("cannot read the capture at byte {offset}: {cause}")));
        }
        self.damage.push(error.to_string());
        Ok(())
    }
}

/// Returns the settings of the protocols, with the application's own Riptide messages from a file.
pub(super) fn config(messages: Option<&Path>) -> PyResult<ProtocolConfig> {
    let Some(path) = messages else { return Ok(ProtocolConfig::default()) };
    let text = std::fs::read_to_string(path).map_err(|error| file_error(path, &error))?;
    let layouts = messages::parse(&text)
        .map_err(|error| value_error(format!("cannot use the messages in {}: {error}", path.display())))?;
    Ok(ProtocolConfig { riptide_messages: Arc::new(layouts), ..ProtocolConfig::default() })
}
