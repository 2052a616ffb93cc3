//! Processor time of other programs, as the system counts it.

use std::time::Duration;

/// Units of a second in `/proc`, on every processor that Rust has a Linux for.
const TICKS_PER_SECOND: f64 = 100.0;

/// Returns the processor time of all programs that this one ran, and that have ended; of those that they ran, too. `None`
/// on a system without `/proc`.
pub(crate) fn time_of_children() -> Option<Duration> {
    children_in(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// Reads the fields `cutime` and `cstime` of proc(5). The name of the program, which may have spaces, is in parentheses.
fn children_in(stat: &str) -> Option<Duration> {
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut fields = fields.split(' ').skip(13).map(|field| field.parse::<u32>().ok());
    let (user, system) = (fields.next()??, fields.next()??);
    Some(Duration::from_secs_f64(f64::from(user.saturating_add(system)) / TICKS_PER_SECOND))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_and_system_time_of_children_are_added() {
        let stat = "12 (a (b) c) S 1 12 12 0 -1 4194304 90 80 0 0 7 3 250 50 20 0 1 0 100 1 1";
        assert_eq!(children_in(stat), Some(Duration::from_secs(3)));
        assert_eq!(children_in("12 (a) S 1"), None);
    }
}
