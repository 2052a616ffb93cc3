//! Counts instructions. A bench runs itself under valgrind, once for each of its measurements.

use std::hint::black_box;
use std::process::Command;

/// Environment variable that names the measurement of a child process.
const CHILD: &str = "GAMEWIRE_MEASURE";

/// Returns the measurement of this process, if it is a child.
pub(crate) fn wanted() -> Option<String> {
    std::env::var(CHILD).ok()
}

/// Returns whether valgrind is installed.
pub(crate) fn is_there() -> bool {
    Command::new("valgrind").arg("--version").output().is_ok()
}

/// Returns the instructions of one measurement.
pub(crate) fn count(measure: &str) -> u64 {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*measured*"])
        .arg(std::env::current_exe().unwrap())
        .env(CHILD, measure)
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{log}");
    let line = log.lines().find(|line| line.contains("Collected")).expect("valgrind says what it collected");
    line.rsplit(' ').next().unwrap().parse().expect("a number of instructions")
}

/// Runs `work`. Only instructions inside this function are counted.
#[inline(never)]
pub(crate) fn measured(work: impl FnOnce() -> usize) {
    black_box(work());
}
