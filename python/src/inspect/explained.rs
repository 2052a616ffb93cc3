use std::path::PathBuf;

use gamewire::inspect::explain::{self as api, Explained, Explanations, MAX_BYTES};
use gamewire::inspect::render::RecordObject;
use gamewire::machine::Role;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use super::capture::config;
use crate::convert::to_python;
use crate::error::value_error;

/// Decodes bytes as every protocol. Returns the results as dicts, the likeliest first, and whether the first one is
/// certainly right.
#[pyfunction]
#[pyo3(signature = (data, spans=false, messages=None))]
pub(crate) fn explain<'py>(
    py: Python<'py>,
    data: &[u8],
    spans: bool,
    messages: Option<PathBuf>,
) -> PyResult<(Bound<'py, PyList>, bool)> {
    if data.len() > MAX_BYTES {
        return Err(value_error(format!(
            "too many bytes: expected at most {MAX_BYTES}, found {}",
            data.len()
        )));
    }
    let config = config(messages.as_deref())?;
    let Explanations { found, is_certain } = py.detach(|| {
        let payload = api::payload_of_frame(data);
        api::explain(payload.as_deref().unwrap_or(data), &config)
    });
    let list = PyList::empty(py);
    for result in &found {
        list.append(to_dict(py, result, spans)?)?;
    }
    Ok((list, is_certain))
}

fn to_dict<'py>(py: Python<'py>, result: &Explained, spans: bool) -> PyResult<Bound<'py, PyDict>> {
    let Explained { candidate, record } = result;
    let dict = PyDict::new(py);
    dict.set_item("dialect", &candidate.dialect)?;
    dict.set_item("content", candidate.content.name())?;
    dict.set_item("direction", candidate.sender.map(Role::name))?;
    let fields = to_python(py, &RecordObject { record, spans })?;
    dict.update(fields.cast::<PyDict>()?.as_mapping())?;
    Ok(dict)
}
