//! Values of Rust as values of Python.

use numpy::{IntoPyArray as _, PyArrayMethods as _};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::value_error;

/// Returns a description as dicts, lists, numbers and texts.
pub(crate) fn to_python<'py>(py: Python<'py>, view: &impl serde::Serialize) -> PyResult<Bound<'py, PyAny>> {
    pythonize::pythonize(py, view).map_err(value_error)
}

/// Returns named columns as a dict of arrays of one dimension. The arrays take the memory of the columns.
pub(crate) fn columns<'py>(
    py: Python<'py>,
    columns: Vec<(&'static str, Vec<i32>)>,
) -> PyResult<Bound<'py, PyDict>> {
    let arrays = PyDict::new(py);
    for (name, column) in columns {
        arrays.set_item(name, column.into_pyarray(py))?;
    }
    Ok(arrays)
}

/// Adds layers to a dict as arrays of the shape (rows, columns). The arrays take the memory of the layers.
pub(crate) fn add_layers<'py, T: numpy::Element>(
    arrays: &Bound<'py, PyDict>,
    layers: impl IntoIterator<Item = (impl IntoPyObject<'py>, Vec<T>)>,
    shape: [usize; 2],
) -> PyResult<()> {
    for (name, layer) in layers {
        arrays.set_item(name, layer.into_pyarray(arrays.py()).reshape(shape)?)?;
    }
    Ok(())
}
