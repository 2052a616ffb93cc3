//! Exact instruction counts by valgrind's callgrind, checked against limits:
//! `cargo bench -p gamewire --bench instructions`. Exits with 1 if a limit is exceeded.
//!
//! The program runs itself under valgrind once for each measurement. Only instructions inside [`measured`] are counted.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a bench may fail"
)]

#[path = "shared/callgrind.rs"]
mod callgrind;
#[path = "../tests/support/mod.rs"]
mod support;
mod work;

use std::process::ExitCode;

use callgrind::{count, is_there, measured};
use work::link::{Conversation, Payloads};
use work::{Packets, all_datagrams};

/// The measurements: the name, and the unit.
const MEASURES: &[(&str, &str)] = &[
    ("decompress", "raw byte of the compressed snapshot packets"),
    ("compress", "raw byte of the compressed snapshot packets"),
    ("typed", "raw byte of the compressed snapshot packets, down to typed messages"),
    ("decompress-small", "raw byte of small packets made of the same messages"),
    ("typed-small", "raw byte of those, down to typed messages"),
    ("follow", "datagram of all captures, followed with every snapshot"),
    ("link", "vital message of 64 bytes, ten to a flush, sent, received and acknowledged"),
    ("huffman", "the same messages, their packets compressed and decompressed and nothing else"),
];

fn main() -> ExitCode {
    if let Some(measure) = callgrind::wanted() {
        run(&measure);
        return ExitCode::SUCCESS;
    }
    if !is_there() {
        eprintln!("valgrind is needed to count instructions: install it with your package manager");
        return ExitCode::FAILURE;
    }
    let raw_bytes = Packets::snapshots().raw_bytes();
    let small_bytes = Packets::small().raw_bytes();
    let datagrams: usize = all_datagrams().iter().map(Vec::len).sum();
    let messages = Conversation::new().len();
    let mut counts = Vec::new();
    for (name, unit) in MEASURES {
        let instructions = count(name);
        let units = match *name {
            "follow" => datagrams,
            "link" | "huffman" => messages,
            "decompress-small" | "typed-small" => small_bytes,
            _ => raw_bytes,
        };
        let each = instructions as f64 / units as f64;
        println!("{name:<16} {instructions:>12} instructions  {each:>9.2} a {unit} ({units})");
        counts.push(each);
    }
    let on_top = counts[2] - counts[0];
    let held = [
        ("decompress, instructions a raw byte", counts[0], 17.0),
        ("decompress, instructions a raw byte of small packets", counts[3], 18.0),
        ("small packets to typed messages, instructions a raw byte", counts[4], 31.0),
        ("compress, instructions a raw byte", counts[1], 20.0),
        ("a packet to typed messages, instructions a raw byte", counts[2], 22.5),
        ("typed messages on top of decompression, instructions a raw byte", on_top, 5.68),
        ("the connection layer, times the Huffman work in it", (counts[6] - counts[7]) / counts[7], 0.5),
    ];
    let mut code = ExitCode::SUCCESS;
    for (what, value, limit) in held {
        let verdict = if value <= limit { "held" } else { "EXCEEDED" };
        println!("limit {limit:>5}: {value:>7.3}  {what}: {verdict}");
        if value > limit {
            code = ExitCode::FAILURE;
        }
    }
    code
}

fn run(measure: &str) {
    match measure {
        "decompress" => {
            let mut packets = Packets::snapshots();
            measured(|| packets.decompress());
        }
        "compress" => {
            let mut packets = Packets::snapshots();
            measured(|| packets.compress());
        }
        "typed" => {
            let mut packets = Packets::snapshots();
            measured(|| packets.typed());
        }
        "decompress-small" => {
            let mut packets = Packets::small();
            measured(|| packets.decompress());
        }
        "typed-small" => {
            let mut packets = Packets::small();
            measured(|| packets.typed());
        }
        "follow" => {
            let captures = all_datagrams();
            let mut followers = captures.iter().map(|_| Default::default()).collect::<Vec<_>>();
            measured(|| work::follow(&captures, &mut followers));
        }
        "link" => {
            let mut conversation = Conversation::new();
            let expected = conversation.len();
            measured(|| conversation.talk(&mut |_, _| ()));
            assert_eq!(conversation.talk(&mut |_, _| ()), expected, "all of it arrives");
        }
        "huffman" => {
            let payloads = Payloads::new();
            measured(|| payloads.huffman());
        }
        other => panic!("no measure is called {other}"),
    }
}
