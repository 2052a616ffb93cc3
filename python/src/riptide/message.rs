use std::sync::{Mutex, MutexGuard, PoisonError};

use gamewire::riptide::{Format, Message, MessageSendMode};
use gamewire::wire::CodecError;
use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::{PyEOFError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::error::value_error;

/// A message of Riptide: a sequence of values. Values are named as in the C# library, in lower case.
#[pyclass(module = "gamewire._native", frozen)]
pub(crate) struct RiptideMessage(Mutex<Message>);

/// Evaluates an expression with `T` as the type of a kind of value.
macro_rules! by_kind {
    ($kind:expr, $T:ident => $result:expr) => {
        by_kind!(@ $kind, $T => $result;
            "bool" bool, "byte" u8, "sbyte" i8, "short" i16, "ushort" u16, "int" i32, "uint" u32,
            "long" i64, "ulong" u64, "float" f32, "double" f64, "string" String)
    };
    (@ $kind:expr, $T:ident => $result:expr; $($name:literal $type:ty),+) => {
        match $kind {
            $($name => { type $T = $type; $result })+
            other => Err(value_error(format!("unknown kind of value {other:?}"))),
        }
    };
}

#[pymethods]
impl RiptideMessage {
    /// Creates an empty message. Notify messages, and those of the mode `data`, have no id: data are sent with a request,
    /// a rejection or a disconnect.
    #[new]
    #[pyo3(signature = (mode, id=None, max_payload_size=None))]
    fn new(mode: &str, id: Option<u16>, max_payload_size: Option<usize>) -> PyResult<Self> {
        let with_id = |mode| match id {
            Some(id) => Ok(Message::create(mode, id)),
            None => Err(value_error("the message needs an id")),
        };
        let message = match mode {
            "data" => Message::create_data(),
            "notify" => Message::create_notify(),
            "reliable" => with_id(MessageSendMode::Reliable)?,
            "unreliable" => with_id(MessageSendMode::Unreliable)?,
            _ => {
                return Err(value_error(format!(
                    "unknown mode {mode:?}: use unreliable, reliable, notify or data"
                )));
            }
        };
        Ok(Self::of(match max_payload_size {
            Some(size) => message.with_max_payload_size(size),
            None => message,
        }))
    }

    /// Returns `unreliable`, `reliable` or `notify`.
    #[getter]
    fn mode(&self) -> &'static str {
        match self.lock().mode() {
            MessageSendMode::Unreliable => "unreliable",
            MessageSendMode::Notify => "notify",
            MessageSendMode::Reliable => "reliable",
        }
    }

    #[getter]
    fn id(&self) -> Option<u16> {
        self.lock().id()
    }

    #[getter]
    fn read_bits(&self) -> usize {
        self.lock().read_bits()
    }

    #[getter]
    fn unread_bits(&self) -> usize {
        self.lock().unread_bits()
    }

    #[getter]
    fn written_bits(&self) -> usize {
        self.lock().written_bits()
    }

    #[getter]
    fn unwritten_bits(&self) -> usize {
        self.lock().unwritten_bits()
    }

    #[getter]
    fn bytes_in_use(&self) -> usize {
        self.lock().bytes_in_use()
    }

    /// Returns the bytes of all values.
    #[getter]
    fn payload(&self) -> PyResult<Vec<u8>> {
        let message = self.lock();
        let format = message.format().unwrap_or(Format::V21);
        message.payload(format).map(|payload| payload.to_vec()).map_err(written)
    }

    /// Appends a value.
    fn add(&self, kind: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        by_kind!(kind, T => {
            let value: T = value.extract()?;
            self.write(|message| message.add_serializable(&value))
        })
    }

    /// Appends an array.
    #[pyo3(signature = (kind, values, with_length=true))]
    fn add_array(&self, kind: &str, values: &Bound<'_, PyAny>, with_length: bool) -> PyResult<()> {
        by_kind!(kind, T => {
            let values: Vec<T> = values.extract()?;
            self.write(|message| match with_length {
                true => message.add_serializables(&values),
                false => message.add_serializables_without_length(&values),
            })
        })
    }

    /// Reads the next value.
    fn get<'py>(&self, py: Python<'py>, kind: &str) -> PyResult<Bound<'py, PyAny>> {
        by_kind!(kind, T => {
            let value: T = self.lock().get_serializable().map_err(read)?;
            value.into_bound_py_any(py)
        })
    }

    /// Reads the next array: as many values as its length says, or `count`.
    #[pyo3(signature = (kind, count=None))]
    fn get_array<'py>(
        &self,
        py: Python<'py>,
        kind: &str,
        count: Option<usize>,
    ) -> PyResult<Bound<'py, PyList>> {
        by_kind!(kind, T => {
            let mut message = self.lock();
            let values: Vec<T> = match count {
                None => message.get_serializables(),
                Some(count) => message.get_serializables_of(count),
            }.map_err(read)?;
            PyList::new(py, values)
        })
    }

    /// Appends up to 64 bits.
    fn add_bits(&self, bits: u64, count: usize) -> PyResult<()> {
        self.write(|message| message.add_bits(bits, count))
    }

    /// Replaces up to 64 bits.
    fn set_bits(&self, bits: u64, count: usize, at: usize) -> PyResult<()> {
        self.write(|message| message.set_bits(bits, count, at))
    }

    /// Reads up to 64 bits.
    fn get_bits(&self, count: usize) -> PyResult<u64> {
        self.lock().get_bits(count).map_err(read)
    }

    /// Returns up to 64 bits at a position.
    fn peek_bits(&self, count: usize, at: usize) -> PyResult<u64> {
        self.lock().peek_bits(count, at).map_err(read)
    }

    fn add_var_ulong(&self, value: u64) -> PyResult<()> {
        self.write(|message| message.add_var_ulong(value))
    }

    fn get_var_ulong(&self) -> PyResult<u64> {
        self.lock().get_var_ulong().map_err(read)
    }

    fn add_var_long(&self, value: i64) -> PyResult<()> {
        self.write(|message| message.add_var_long(value))
    }

    fn get_var_long(&self) -> PyResult<i64> {
        self.lock().get_var_long().map_err(read)
    }

    /// Appends the unread values of another message.
    fn add_message(&self, other: &Self) -> PyResult<()> {
        let other = other.lock().clone();
        self.write(|message| message.add_message(&other))
    }

    /// Returns a copy, with its own position.
    fn copy(&self) -> Self {
        Self::of(self.lock().clone())
    }
}

impl RiptideMessage {
    pub(super) const fn of(message: Message) -> Self {
        Self(Mutex::new(message))
    }

    /// Never locked while waiting for Python, so that it may be locked while attached.
    pub(super) fn lock(&self) -> MutexGuard<'_, Message> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, write: impl FnOnce(&mut Message) -> &mut Message) -> PyResult<()> {
        let mut message = self.lock();
        write(&mut message);
        message.error(Format::V21).map_or(Ok(()), |error| Err(written(error)))
    }
}

fn written(error: CodecError) -> PyErr {
    PyValueError::new_err(format!("cannot write the value: {error}"))
}

fn read(error: CodecError) -> PyErr {
    PyEOFError::new_err(format!("cannot read the value: {error}"))
}
