use gamewire::riptide::Metrics;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Returns the counters of a connection by name.
pub(super) fn metrics<'py>(py: Python<'py>, metrics: &Metrics) -> PyResult<Bound<'py, PyDict>> {
    let counters = [
        ("unreliable_bytes_in", metrics.unreliable_bytes_in),
        ("unreliable_bytes_out", metrics.unreliable_bytes_out),
        ("unreliable_in", metrics.unreliable_in),
        ("unreliable_out", metrics.unreliable_out),
        ("notify_bytes_in", metrics.notify_bytes_in),
        ("notify_bytes_out", metrics.notify_bytes_out),
        ("notify_in", metrics.notify_in),
        ("notify_out", metrics.notify_out),
        ("notify_discarded", metrics.notify_discarded),
        ("notify_lost", metrics.notify_lost),
        ("notify_delivered", metrics.notify_delivered),
        ("reliable_bytes_in", metrics.reliable_bytes_in),
        ("reliable_bytes_out", metrics.reliable_bytes_out),
        ("reliable_in", metrics.reliable_in),
        ("reliable_out", metrics.reliable_out),
        ("reliable_discarded", metrics.reliable_discarded),
        ("reliable_uniques", metrics.reliable_uniques),
    ];
    let dict = PyDict::new(py);
    for (name, count) in counters {
        dict.set_item(name, count)?;
    }
    Ok(dict)
}
