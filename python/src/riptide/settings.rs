use std::time::Duration;

use gamewire::riptide::{ConnectionSettings, Format};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::value_error;
use crate::waiting::duration;

/// Changes the settings of a connection that a dict names. Times are in seconds.
pub(super) fn apply(settings: &mut ConnectionSettings, changes: &Bound<'_, PyDict>) -> PyResult<()> {
    for (name, value) in changes {
        match name.extract::<String>()?.as_str() {
            "timeout" => settings.timeout_time = at_least_a_millisecond(value.extract()?)?,
            "can_timeout" => settings.can_timeout = value.extract()?,
            "can_quality_disconnect" => settings.can_quality_disconnect = value.extract()?,
            "max_avg_send_attempts" => settings.max_avg_send_attempts = value.extract()?,
            "avg_send_attempts_resilience" => settings.avg_send_attempts_resilience = value.extract()?,
            "max_send_attempts" => settings.max_send_attempts = value.extract()?,
            "max_notify_loss" => settings.max_notify_loss = value.extract()?,
            "notify_loss_resilience" => settings.notify_loss_resilience = value.extract()?,
            other => return Err(value_error(format!("unknown setting {other:?}"))),
        }
    }
    Ok(())
}

fn at_least_a_millisecond(seconds: f64) -> PyResult<Duration> {
    Ok(duration(seconds)?.max(Duration::from_millis(1)))
}

/// Returns the format of a version.
pub(super) fn format(version: &str) -> PyResult<Format> {
    Format::ALL
        .into_iter()
        .find(|format| format.to_string() == version)
        .ok_or_else(|| value_error(format!("unknown version {version:?}: use 2.1 or 2.0")))
}

/// Returns a round trip in milliseconds, or -1 without one, as the libraries for other languages do.
pub(super) fn milliseconds(round_trip: Option<Duration>) -> i64 {
    round_trip.map_or(-1, |time| i64::try_from(time.as_millis()).unwrap_or(i64::MAX))
}
