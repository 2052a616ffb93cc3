//! Checks that protocol crates use no socket, clock, thread or random source, and that shared crates name no protocol.

use super::finding::Finding;
use super::source::{Source, has_word, is_word};

/// Crates that receive the time and all bytes from their caller.
const PURE: &[&str] = &[
    "crates/gamewire-wire/",
    "crates/gamewire-machine/",
    "crates/gamewire-sim/",
    "crates/gamewire-tee/",
    "crates/gamewire-teeworlds/",
    "crates/gamewire-riptide/",
    "crates/gamewire-freeciv/",
];
/// The only pure crate that draws random numbers. They come from a seed.
const SEEDED: &str = "crates/gamewire-sim/";
/// Names that pure crates must not use.
const IMPURE: &[&str] = &[
    "UdpSocket",
    "TcpStream",
    "TcpListener",
    "UnixStream",
    "UnixDatagram",
    "SystemTime",
    "std::thread",
    "thread::spawn",
    "rand",
    "getrandom",
    "fastrand",
    "Rng::new",
];

/// Crates that all protocols share.
const SHARED: &[&str] =
    &["crates/gamewire-wire/", "crates/gamewire-machine/", "crates/gamewire-sim/", "crates/gamewire-net/"];
/// Words that belong to a protocol.
const PROTOCOLS: &[&str] = &["teeworlds", "ddnet", "riptide", "freeciv"];

/// Checks a file of a pure or a shared crate.
pub(super) fn check(source: &Source) -> Vec<Finding> {
    let is_in = |folders: &[&str]| folders.iter().any(|folder| source.path.starts_with(folder));
    let mut found = Vec::new();
    if source.is_rust() && is_in(PURE) {
        found.extend(impure(source));
    }
    if is_in(SHARED) {
        found.extend(protocol_words(source));
    }
    found
}

fn impure(source: &Source) -> Vec<Finding> {
    let advice = "let the caller bring it: protocol crates do no I/O and read no clock";
    let code = source.code();
    let lines = (1..).zip(code.lines());
    let mut found = Vec::new();
    for (number, line) in lines {
        let may = |word: &str| word == "fastrand" && source.path.starts_with(SEEDED);
        let mut words: Vec<&str> =
            IMPURE.iter().copied().filter(|word| has_word(line, word) && !may(word)).collect();
        if reads_clock(line) {
            words.push("std::time");
        }
        found.extend(
            words.iter().map(|word| {
                Finding::new(&source.path, number, format!("`{word}` in a protocol crate"), advice)
            }),
        );
    }
    found
}

/// Returns whether a line uses an item of `std::time` other than `Duration`.
fn reads_clock(line: &str) -> bool {
    let squeezed: String = line.split_whitespace().collect();
    squeezed.match_indices("time::").any(|(at, module)| {
        let (before, taken) = squeezed.split_at(at);
        let taken = taken.strip_prefix(module).unwrap_or_default();
        !before.ends_with(is_word) && !taken.starts_with("Duration")
    })
}

fn protocol_words(source: &Source) -> Vec<Finding> {
    let mut found = Vec::new();
    for (number, line) in source.lines() {
        let line = line.to_lowercase();
        for word in PROTOCOLS.iter().filter(|word| line.contains(**word)) {
            let what = format!("`{word}` is the word of one protocol");
            let advice = "say it without, or move it into that protocol's crate";
            found.push(Finding::new(&source.path, number, what, advice));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        check(&Source::new(path.into(), text.into())).len()
    }

    const PURE_FILE: &str = "crates/gamewire-teeworlds/src/a.rs";

    #[test]
    fn sockets_clocks_threads_and_randomness_are_found_in_protocol_crates() {
        for line in [
            "use std::net::UdpSocket;",
            "let stream = TcpStream::connect(to);",
            "use std::time::Instant;",
            "use std::time::{Duration, Instant};",
            "let now = std::time::SystemTime::now();",
            "std::thread::spawn(work);",
            "use rand::Rng;",
        ] {
            assert_ne!(found(PURE_FILE, line), 0, "{line}");
            assert_eq!(found("crates/gamewire-inspect/src/a.rs", line), 0, "{line}");
        }
    }

    #[test]
    fn addresses_durations_and_times_of_our_own_are_fine() {
        for line in [
            "use std::net::SocketAddr;",
            "use std::time::Duration;",
            "use crate::Instant;",
            "use crate::downtime::Schedule;",
            "// no std::time::Instant here",
            "let operand = 1;",
        ] {
            assert_eq!(found(PURE_FILE, line), 0, "{line}");
        }
    }

    #[test]
    fn the_simulated_network_uses_seeded_randomness_only() {
        const SIM_FILE: &str = "crates/gamewire-sim/src/a.rs";
        assert_eq!(found(SIM_FILE, "let lots = fastrand::Rng::with_seed(1);"), 0);
        assert_ne!(found(SIM_FILE, "let lots = fastrand::Rng::new();"), 0);
        assert_ne!(found(SIM_FILE, "use std::time::Instant;"), 0);
        assert_ne!(found(PURE_FILE, "let lots = fastrand::Rng::with_seed(1);"), 0);
    }

    #[test]
    fn a_protocol_word_is_found_where_all_protocols_share() {
        assert_eq!(found("crates/gamewire-wire/src/a.rs", "/// As Teeworlds does."), 1);
        assert_eq!(found("crates/gamewire-machine/Cargo.toml", "description = \"for ddnet\""), 1);
        assert_eq!(found(PURE_FILE, "/// As Teeworlds does."), 0);
    }
}
