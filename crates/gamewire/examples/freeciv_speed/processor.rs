//! The processor time of processes, from `/proc`.

use std::fs;
use std::time::Duration;

/// Ticks of `/proc/PID/stat` in a second, on all systems that Linux runs on today.
const TICKS: f64 = 100.0;

/// Returns the processor time of a process and of its threads.
pub(crate) fn time_of(process: u32) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name of the program, in parentheses, may contain spaces.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: f64 = fields.skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum();
    Duration::from_secs_f64(ticks / TICKS)
}

/// Returns the processes of a server by the port in their arguments: the server, and the shell that supervises it.
pub(crate) fn listening_on(port: u16) -> Vec<u32> {
    let wanted = ["-p".to_owned(), port.to_string()];
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    processes
        .filter(|process| {
            let line = fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default();
            line.split('\0').collect::<Vec<_>>().windows(2).any(|pair| pair == wanted)
        })
        .collect()
}

/// Returns the sum of the processor time of processes.
pub(crate) fn time_of_all(processes: &[u32]) -> Duration {
    processes.iter().map(|process| time_of(*process)).sum()
}
