//! Times: date and time in UTC, and seconds.

use std::fmt;

/// Seconds per day.
const DAY: i64 = 86_400;
const NANOS: i64 = 1_000_000_000;

/// Nanoseconds since 1970-01-01 00:00 UTC, displayed as RFC 3339 in UTC: `2023-11-14T22:13:20.250000000Z`.
///
/// A precision sets the number of digits of the fraction: `{:.6}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timestamp(pub i64);

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, nanos) = (self.0.div_euclid(NANOS), self.0.rem_euclid(NANOS));
        let Date { year, month, day } = civil(seconds.div_euclid(DAY));
        let second = seconds.rem_euclid(DAY);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        let mut text = *b"0000-00-00T00:00:00.000000000";
        let numbers = [
            (0..4, year),
            (5..7, month),
            (8..10, day),
            (11..13, hour),
            (14..16, minute),
            (17..19, second),
            (20..29, nanos),
        ];
        for (place, number) in numbers {
            write_digits(text.get_mut(place).unwrap_or_default(), number);
        }
        let end = match f.precision().unwrap_or(9).min(9) {
            0 => 19,
            digits => digits.saturating_add(20),
        };
        f.write_str(text.get(..end).and_then(|text| str::from_utf8(text).ok()).unwrap_or_default())?;
        f.write_str("Z")
    }
}

/// Fills `text` with the last decimal digits of a number. The number must not be negative.
fn write_digits(text: &mut [u8], mut number: i64) {
    for digit in text.iter_mut().rev() {
        *digit = u8::try_from(number % 10).unwrap_or_default().saturating_add(b'0');
        number /= 10;
    }
}

impl Timestamp {
    /// Parses `2023-11-14`, `2023-11-14 22:13` or `2023-11-14T22:13:20.25Z`, all in UTC.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_suffix('Z').unwrap_or(text);
        let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, "00:00"));
        let [year, month, day] = numbers(date, '-')?;
        let (time, fraction) = time.split_once('.').unwrap_or((time, ""));
        let with_seconds =
            if time.matches(':').count() == 1 { format!("{time}:00") } else { time.to_owned() };
        let [hour, minute, second] = numbers(&with_seconds, ':')?;
        let is_valid = (1..=9999).contains(&year)
            && (1..=12).contains(&month)
            && (1..=31).contains(&day)
            && hour < 24
            && minute < 60
            && second < 60;
        let date = Date { year, month, day };
        let days = days(date);
        if !is_valid || civil(days) != date || fraction.len() > 9 {
            return None;
        }
        let nanos = if fraction.is_empty() { 0 } else { number(&format!("{fraction:0<9}"))? };
        let time = hour.checked_mul(3600)?.checked_add(minute.checked_mul(60)?)?.checked_add(second)?;
        let seconds = days.checked_mul(DAY)?.checked_add(time)?;
        seconds.checked_mul(NANOS)?.checked_add(nanos).map(Self)
    }
}

/// Parses three numbers.
fn numbers(text: &str, separator: char) -> Option<[i64; 3]> {
    let mut parts = text.split(separator);
    let found = [number(parts.next()?)?, number(parts.next()?)?, number(parts.next()?)?];
    parts.next().is_none().then_some(found)
}

fn number(digits: &str) -> Option<i64> {
    let is_number = digits.len() <= 9 && digits.bytes().all(|digit| digit.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Date {
    year: i64,
    month: i64,
    day: i64,
}

/// Returns the date of a number of days since 1970. Eras of 400 years and years that begin in March
/// make leap days regular.
#[expect(clippy::arithmetic_side_effects, reason = "an i64 of nanoseconds is less than 107,000 days")]
const fn civil(days: i64) -> Date {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + if month <= 2 { 1 } else { 0 };
    Date { year, month, day }
}

/// Returns the number of days since 1970, the inverse of [`civil`].
#[expect(clippy::arithmetic_side_effects, reason = "the year has at most nine digits")]
const fn days(Date { year, month, day }: Date) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// The displayed time of a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisplayTime {
    /// Nanoseconds, displayed as seconds.
    Seconds(i64),
    /// Nanoseconds since 1970, displayed as date and time.
    Date(i64),
}

impl fmt::Display for DisplayTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Seconds(nanos) => fmt::Display::fmt(&seconds(nanos), f),
            Self::Date(nanos) => write!(f, "{:.6}", Timestamp(nanos)),
        }
    }
}

/// Converts nanoseconds to seconds.
#[expect(clippy::cast_precision_loss, reason = "shown with six decimal places")]
pub(crate) fn seconds(nanos: i64) -> f64 {
    nanos as f64 / 1e9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_displayed_in_utc_and_parsed_back() {
        for (nanos, text) in [
            (0, "1970-01-01T00:00:00.000000000Z"),
            (1_700_000_000_250_000_000, "2023-11-14T22:13:20.250000000Z"),
            (951_782_399_999_999_999, "2000-02-28T23:59:59.999999999Z"),
            (951_782_400_000_000_000, "2000-02-29T00:00:00.000000000Z"),
            (-1, "1969-12-31T23:59:59.999999999Z"),
            (i64::MAX, "2262-04-11T23:47:16.854775807Z"),
        ] {
            assert_eq!(Timestamp(nanos).to_string(), text);
            assert_eq!(Timestamp::parse(text), Some(Timestamp(nanos)));
        }
        assert!(Timestamp(i64::MIN).to_string().starts_with("1677-09-21T00:12:43."));
        assert_eq!(format!("{:.0}", Timestamp(0)), "1970-01-01T00:00:00Z");
    }

    #[test]
    fn shorter_times_are_parsed() {
        for text in ["2023-11-14 22:13:20", "2023-11-14T22:13:20Z", "2023-11-14 22:13:20.000"] {
            assert_eq!(Timestamp::parse(text), Some(Timestamp(1_700_000_000_000_000_000)), "{text}");
        }
        assert_eq!(Timestamp::parse("2023-11-14 22:13"), Some(Timestamp(1_699_999_980_000_000_000)));
        assert_eq!(Timestamp::parse("1970-01-02"), Some(Timestamp(DAY * NANOS)));
    }

    #[test]
    fn invalid_times_are_not_parsed() {
        for text in [
            "",
            "2023",
            "2023-13-01",
            "2023-02-29",
            "2023-11-14 24:00",
            "2023-11-14 1:2:3:4",
            "2023-11-14 10",
            "2023-11-14 22:13:20.1234567890",
            "2023-11-14 22:13:20.x",
            "+023-11-14",
            "9999-12-31",
        ] {
            assert_eq!(Timestamp::parse(text), None, "{text}");
        }
    }
}
