//! Exceptions of the package, and errors as exceptions.

use std::io;

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

/// Returns the exception for an error of a driver.
pub(crate) fn io_error(error: &io::Error) -> PyErr {
    match error.kind() {
        io::ErrorKind::NotConnected => ClosedError::new_err("the connection is closed"),
        io::ErrorKind::TimedOut => PyTimeoutError::new_err(error.to_string()),
        _ => PyOSError::new_err(error.to_string()),
    }
}
