//! Durations on the command line: `3s`, `500ms`, `2m`, or plain seconds.

use std::time::{Duration, Instant};

/// Parses a duration: a number followed by `ms`, `s`, `m` or `h`, or seconds.
pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    let advice = || "expected a time above zero, such as 3s, 500ms or 2m".to_owned();
    let digits = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let seconds = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(advice()),
    };
    let number: f64 = number.parse().map_err(|_| advice())?;
    let time = Duration::try_from_secs_f64(number * seconds).map_err(|_| advice())?;
    if time < Duration::from_millis(1) { Err(advice()) } else { Ok(time) }
}

/// Returns the instant that is `time` from now; `None` if it is beyond the range of the clock.
pub(crate) fn from_now(time: Duration) -> Option<Instant> {
    Instant::now().checked_add(time)
}

/// Returns the timeout for each of a server's addresses, if all of them together have `timeout`.
pub(crate) fn share_of(timeout: Duration, addresses: usize) -> Duration {
    let share = u32::try_from(addresses).ok().and_then(|count| timeout.checked_div(count));
    share.unwrap_or(timeout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units_or_are_seconds() {
        for (text, milliseconds) in
            [("3", 3000), ("3s", 3000), ("0.5", 500), ("250ms", 250), ("2m", 120_000), ("1h", 3_600_000)]
        {
            assert_eq!(parse(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
    }

    #[test]
    fn invalid_durations_are_errors() {
        for text in ["", "s", "-1", "0", "0ms", "1e999", "nan", "inf", "3 s", "3d", "1e30h", "3sx"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
