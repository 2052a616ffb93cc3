//! Speed and memory of the totals of a large capture, as `inspect -z` computes them:
//! `cargo bench -p gamewire --bench throughput`. Exits with 1 below 100 MB per second or if memory grows with the
//! capture.
//!
//! The capture is never in memory: a reader repeats the records of the test captures.
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

#[path = "../tests/support/mod.rs"]
mod support;

use std::io::{self, Read};
use std::process::ExitCode;
use std::time::Instant;

use gamewire::inspect::capture::Reader;
use gamewire::inspect::conversation::{ConversationLimits, Inspector};
use gamewire::inspect::protocol::Protocol;
use gamewire::inspect::stats::CountingTrace;

const MEGABYTE: usize = 1_000_000;
const FILE_HEADER: usize = 24;

/// A capture file of about `left` bytes: one file header, then repeated records.
struct Repeated {
    records: Vec<u8>,
    at: usize,
    left: usize,
}

impl Repeated {
    fn new(bytes: usize) -> Self {
        let files = support::BENCH_CAPTURES.map(|capture| std::fs::read(support::path(capture)).unwrap());
        let mut records = files[0][..FILE_HEADER].to_vec();
        for file in &files {
            assert_eq!(file[..4], files[0][..4], "the captures are of one format");
            records.extend_from_slice(&file[FILE_HEADER..]);
        }
        let left = bytes.next_multiple_of(records.len() - FILE_HEADER) + FILE_HEADER;
        Self { records, at: 0, left }
    }
}

impl Read for Repeated {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = buffer.len().min(self.records.len() - self.at).min(self.left);
        buffer[..count].copy_from_slice(&self.records[self.at..self.at + count]);
        self.left -= count;
        self.at += count;
        if self.at == self.records.len() {
            self.at = FILE_HEADER;
        }
        Ok(count)
    }
}

/// Counts a capture of `bytes` bytes. Returns the number of datagrams in the totals, and the seconds that it took.
fn count(bytes: usize) -> (u64, f64) {
    let mut reader = Reader::new(Repeated::new(bytes)).unwrap();
    let mut inspector = Inspector::<Protocol>::new(ConversationLimits::default());
    let mut counting = CountingTrace::new();
    let start = Instant::now();
    let mut datagrams = 0;
    while let Some(frame) = reader.next() {
        let sight = inspector.frame(&frame.unwrap(), &mut counting);
        counting.count_frame(&sight);
        datagrams += 1;
    }
    let seconds = start.elapsed().as_secs_f64();
    assert!(!counting.totals().has_errors(), "the captures hold no errors");
    (datagrams, seconds)
}

/// Returns the peak memory of this process in kilobytes, if the system reports it.
fn peak_kilobytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find(|line| line.starts_with("VmHWM"))?.split_whitespace().nth(1)?.parse().ok()
}

fn main() -> ExitCode {
    let mut best = 0.0_f64;
    for _ in 0..3 {
        let (datagrams, seconds) = count(100 * MEGABYTE);
        let rate = 100.0 / seconds;
        best = best.max(rate);
        println!("100 MB, {datagrams} datagrams: {seconds:.3} s, {rate:.0} MB/s");
    }
    let before = peak_kilobytes();
    count(400 * MEGABYTE);
    let after = peak_kilobytes();
    let grown = after.zip(before).map(|(after, before)| after - before);
    println!("peak memory after 100 MB: {before:?} kB; after 400 MB: {after:?} kB");
    let is_flat = grown.is_none_or(|kilobytes| kilobytes < 1024);
    if best >= 100.0 && is_flat { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
