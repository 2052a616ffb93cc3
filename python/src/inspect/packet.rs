use gamewire::inspect::conversation::PacketInfo;
use gamewire::inspect::render::{self, PacketObject, Palette};
use gamewire::machine::Record;
use pyo3::prelude::*;

use crate::convert::to_python;
use crate::error::Error;

/// A decoded datagram, or consecutive bytes of a TCP connection.
#[pyclass(module = "gamewire._native", frozen)]
pub(crate) struct Packet {
    info: PacketInfo,
    record: Record,
}

impl Packet {
    pub(super) const fn new(info: PacketInfo, record: Record) -> Self {
        Self { info, record }
    }
}

#[pymethods]
impl Packet {
    /// Number of the frame in the capture, from 1.
    #[getter]
    const fn frame(&self) -> u64 {
        self.info.frame
    }

    /// Seconds since the first frame of the capture.
    #[getter]
    #[expect(clippy::cast_precision_loss, reason = "seconds are a float in Python")]
    fn time(&self) -> f64 {
        self.info.time as f64 / 1e9
    }

    /// Nanoseconds since 1970-01-01 00:00 UTC.
    #[getter]
    const fn timestamp(&self) -> i64 {
        self.info.timestamp
    }

    /// Number of the conversation, from 1.
    #[getter]
    const fn conversation(&self) -> u64 {
        self.info.conversation
    }

    /// Name of the protocol: `teeworlds`, `riptide` or `freeciv`.
    #[getter]
    const fn protocol(&self) -> &'static str {
        self.info.protocol
    }

    /// Name of the dialect, such as `tw-0.7`; `None` if it is not known.
    #[getter]
    const fn dialect(&self) -> Option<&'static str> {
        self.info.dialect
    }

    /// The role of the sender: `client` or `server`.
    #[getter]
    const fn sender(&self) -> &'static str {
        self.info.sender.name()
    }

    /// Address and port of the sender.
    #[getter]
    fn source(&self) -> String {
        self.info.from.to_string()
    }

    /// Address and port of the receiver.
    #[getter]
    fn destination(&self) -> String {
        self.info.to.to_string()
    }

    /// Bytes on the wire, without the headers of UDP and below.
    #[getter]
    const fn length(&self) -> usize {
        self.info.length
    }

    /// Number of warnings.
    #[getter]
    const fn warnings(&self) -> u32 {
        self.record.warnings()
    }

    /// Number of errors.
    #[getter]
    const fn errors(&self) -> u32 {
        self.record.errors()
    }

    /// Returns the packet as a dict, in the form of `gamewire inspect --json`. With `spans`, every field is a dict with
    /// its `value`, its `source` (an index in `sources`) and its `bits` [first, end).
    #[pyo3(signature = (spans=false))]
    fn fields<'py>(&self, py: Python<'py>, spans: bool) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &PacketObject::new(&self.info, &self.record, spans))
    }

    /// Returns a summary in one line.
    fn line(&self) -> PyResult<String> {
        self.text(|out, info, record, palette| render::line(out, info, record, palette))
    }

    /// Returns all fields as a tree of text.
    fn tree(&self) -> PyResult<String> {
        self.text(|out, info, record, palette| render::tree(out, info, record, palette))
    }

    /// Returns the bytes in hexadecimal digits, with a letter under each that identifies its field.
    fn hex(&self) -> PyResult<String> {
        self.text(|out, info, record, palette| render::hex(out, info, record, palette))
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<Packet {}>", self.line()?))
    }
}

/// A function that writes a packet as text.
type Render = fn(&mut dyn std::io::Write, &PacketInfo, &Record, &Palette) -> std::io::Result<()>;

impl Packet {
    fn text(&self, render: Render) -> PyResult<String> {
        let mut text = Vec::new();
        render(&mut text, &self.info, &self.record, &Palette::plain())
            .map_err(|error| Error::new_err(error.to_string()))?;
        Ok(String::from_utf8_lossy(&text).trim_end().to_owned())
    }
}
