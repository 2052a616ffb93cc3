//! Processor time as the system counts it.

use std::time::Duration;

/// Ticks per second in `/proc`. Linux uses this value on all processors that Rust supports.
const TICKS_PER_SECOND: f64 = 100.0;

/// Returns the processor time of this program and of all its child processes that have ended, including their own
/// children. Returns `None` on a system without `/proc`.
pub(crate) fn time() -> Option<Duration> {
    time_in(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// Adds the fields `utime`, `stime`, `cutime` and `cstime` of proc(5). The name of the program is in parentheses,
/// because it can contain spaces.
fn time_in(stat: &str) -> Option<Duration> {
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut fields = fields.split(' ').skip(11).map(|field| field.parse::<u32>().ok());
    let mut ticks = 0_u32;
    for _ in 0..4 {
        ticks = ticks.saturating_add(fields.next()??);
    }
    Some(Duration::from_secs_f64(f64::from(ticks) / TICKS_PER_SECOND))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_the_program_and_its_children_are_added() {
        let stat = "12 (a (b) c) S 1 12 12 0 -1 4194304 90 80 0 0 7 3 250 50 20 0 1 0 100 1 1";
        assert_eq!(time_in(stat), Some(Duration::from_millis(3100)));
        assert_eq!(time_in("12 (a) S 1"), None);
    }
}
