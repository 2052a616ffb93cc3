//! Decoding and encoding time of recorded streams.

use std::sync::Arc;

use gamewire_freeciv::delta::Variants;
use gamewire_freeciv::frame::{FrameLimits, FrameSplitter};
use gamewire_freeciv::packets;
use gamewire_schema::ir::Protocol;

use crate::spread::Spread;
use crate::stream::{Inflate, bodies, split, stream};
use crate::turns::{Work, seconds, undisturbed_seconds};
use crate::{generated, interpreter};

/// Maximum time to read a compressed stream, in multiples of the time to inflate it.
const TIMES_INFLATE: f64 = 1.6;
/// Minimum megabytes per second of the uncompressed stream: ten times the reference implementation.
const MEGABYTES: f64 = 860.0;
/// Maximum time to encode packets, in multiples of the time to decode them.
const TIMES_DECODE: f64 = 1.25;
/// Bytes that a client reads at a time.
const READ: usize = 65_536;

pub(crate) fn hold() -> bool {
    warm_heap();
    let join = compressed();
    let plain = uncompressed();
    let both = encoding();
    join && plain && both
}

/// Grows the heap in advance, so that page faults are not timed.
fn warm_heap() {
    drop(vec![1_u8; 16 << 20]);
    let mut blocks: Vec<Vec<u8>> = (0..640).map(|_| vec![1; 100_000]).collect();
    // The allocator cannot return memory below the last allocation to the system.
    std::mem::forget(blocks.pop());
    drop(blocks);
}

fn compressed() -> bool {
    println!("join.bin, read in pieces of {READ} bytes");
    let (protocol, stream) = (packets::protocol(), stream("join"));
    let variants = interpreter::variants(&protocol);
    let mut inflate = Inflate::new(&stream);
    let mut works = [
        Work::new("inflate and nothing else", || (), |()| inflate.run()),
        frames(&stream, READ),
        generated(&protocol, &stream, READ),
        interpreter(&variants, &stream, READ),
    ];
    let times = undisturbed_seconds(&mut works);
    let mut is_held = true;
    for (work, row) in works.iter().zip(&times) {
        let spread = Spread::of(row.iter().map(|time| time * 1e3));
        let ratio = Spread::of_ratios(row, &times[0]);
        print!(
            "  {:<30} {}; times inflating {}",
            work.name,
            format_spread(spread, "ms"),
            format_spread(ratio, "")
        );
        is_held &= verdict(limit(work.name, TIMES_INFLATE), ratio.median, f64::le);
    }
    is_held
}

fn uncompressed() -> bool {
    let (protocol, stream) = (packets::protocol(), stream("join-level0"));
    let variants = interpreter::variants(&protocol);
    let mut is_held = true;
    for read in [1, 4096, READ, stream.len()] {
        println!("join-level0.bin, read in pieces of {read} bytes");
        let mut works = [
            frames(&stream, read),
            generated(&protocol, &stream, read),
            interpreter(&variants, &stream, read),
        ];
        let times = seconds(&mut works);
        for (work, row) in works.iter().zip(&times) {
            let rate = Spread::of(row.iter().map(|time| stream.len() as f64 / 1e6 / time));
            print!("  {:<30} {}", work.name, format_spread(rate, "MB/s"));
            let limit = limit(work.name, MEGABYTES).filter(|_| read > 1);
            is_held &= verdict(limit, rate.median, f64::ge);
        }
    }
    is_held
}

fn encoding() -> bool {
    println!("the packets of join-level0.bin without frames");
    let (protocol, bodies) = (packets::protocol(), bodies(&stream("join-level0")));
    let variants = interpreter::variants(&protocol);
    // Both start with empty baselines and with their input in memory.
    let (ours, theirs) =
        (generated::decode_all(&protocol, &bodies), interpreter::decode_all(&variants, &bodies));
    let (mut out, mut other) = (Vec::new(), Vec::new());
    let mut works = [
        Work::new(
            "generated, decode",
            || generated::decoder(&protocol),
            |decoder| generated::decode(decoder, &bodies),
        ),
        Work::new(
            "generated, encode",
            || generated::encoder(&protocol),
            |encoder| generated::encode(encoder, &ours, &mut out),
        ),
        Work::new(
            "interpreter, decode",
            || interpreter::decoder(&variants),
            |decoder| interpreter::decode(decoder, &bodies),
        ),
        Work::new(
            "interpreter, encode",
            || interpreter::encoder(&variants),
            |encoder| interpreter::encode(encoder, &theirs, &mut other),
        ),
    ];
    let times = seconds(&mut works);
    let mut is_held = true;
    for (index, (work, row)) in works.iter().zip(&times).enumerate() {
        let spread = Spread::of(row.iter().map(|time| time * 1e3));
        let ratio = Spread::of_ratios(row, &times[index / 2 * 2]);
        print!(
            "  {:<30} {}; times decoding {}",
            work.name,
            format_spread(spread, "ms"),
            format_spread(ratio, "")
        );
        let limit = limit(work.name, TIMES_DECODE).filter(|_| index % 2 == 1);
        is_held &= verdict(limit, ratio.median, f64::le);
    }
    is_held
}

fn frames(stream: &[u8], read: usize) -> Work<'_> {
    let make = || FrameSplitter::new(FrameLimits::DEFAULT);
    Work::new("frames", make, move |splitter| split(splitter, stream, read))
}

fn generated<'a>(protocol: &'a Protocol, stream: &'a [u8], read: usize) -> Work<'a> {
    let make = || generated::Client::new(protocol);
    Work::new("generated", make, move |client| client.read(stream, read))
}

fn interpreter<'a>(variants: &'a Arc<Variants>, stream: &'a [u8], read: usize) -> Work<'a> {
    let make = || interpreter::Client::new(variants);
    Work::new("interpreter", make, move |client| client.read(stream, read))
}

/// Returns the limit of a contender. Only the generated codec has a limit.
fn limit(name: &str, limit: f64) -> Option<f64> {
    name.starts_with("generated").then_some(limit)
}

fn format_spread(spread: Spread, unit: &str) -> String {
    let Spread { median, low, high } = spread;
    format!("{median:>8.2} {unit} ({low:.2} to {high:.2})")
}

/// Prints the verdict at the end of the line, and returns whether the figure is within its limit.
fn verdict(limit: Option<f64>, figure: f64, holds: impl Fn(&f64, &f64) -> bool) -> bool {
    let Some(limit) = limit else {
        println!();
        return true;
    };
    let is_held = holds(&figure, &limit);
    println!("; limit {limit}: {}", if is_held { "held" } else { "MISSED" });
    is_held
}
