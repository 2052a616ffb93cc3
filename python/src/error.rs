//! Exceptions of the package, and errors as exceptions.

use std::io;
use std::path::Path;

use gamewire::net::OpenError;
use pyo3::exceptions::{PyConnectionError, PyOSError, PyTimeoutError, PyValueError};
use pyo3::{PyErr, create_exception};

create_exception!(gamewire, Error, pyo3::exceptions::PyException, "The base of the errors of gamewire.");
create_exception!(gamewire, ClosedError, Error, "The connection is closed.");

/// Returns a `ValueError`.
pub(crate) fn value_error(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns a `ConnectionError`.
pub(crate) fn connection_error(error: impl ToString) -> PyErr {
    PyConnectionError::new_err(error.to_string())
}

/// Returns a `ConnectionError` for a connection that was not opened.
pub(crate) fn connect_error(host: &str, port: u16, error: &OpenError) -> PyErr {
    match error {
        OpenError::Connect { source, .. } => connection_error(format!(
            "cannot connect to {host}:{port} over TCP: {source}; check the address, and that a server listens there"
        )),
        _ => connection_error(format!("cannot connect to {host}:{port}: {error}")),
    }
}

/// Returns the exception for a file that cannot be read: the subclass of `OSError` for the kind of the error.
pub(crate) fn file_error(path: &Path, error: &io::Error) -> PyErr {
    io::Error::new(error.kind(), format!("cannot read {}: {error}", path.display())).into()
}

/// Returns the exception for an error of a driver.
pub(crate) fn io_error(error: &io::Error) -> PyErr {
    match error.kind() {
        io::ErrorKind::NotConnected => ClosedError::new_err("the connection is closed"),
        io::ErrorKind::TimedOut => PyTimeoutError::new_err(error.to_string()),
        _ => PyOSError::new_err(error.to_string()),
    }
}
