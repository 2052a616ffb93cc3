//! What is remembered of a connection.

use crate::interpreter;
use crate::stream::stream;

/// Bytes that the packets remembered after a join may take.
const INTERPRETER: usize = 1_500_000;

pub(crate) fn hold() -> bool {
    println!("remembered after join.bin");
    let (packets, decoder) = interpreter::read(&interpreter::variants(), &stream("join"), 4096);
    assert_eq!(packets, 3022);
    let (baselines, bytes) = decoder.remembered();
    told("interpreter", baselines, bytes, INTERPRETER)
}

fn told(name: &str, baselines: usize, bytes: usize, limit: usize) -> bool {
    let is_held = bytes <= limit;
    let verdict = if is_held { "held" } else { "MISSED" };
    println!("  {name:<28} {baselines} packets, {bytes} bytes; limit {limit}: {verdict}");
    is_held
}
