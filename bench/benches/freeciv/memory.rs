//! Memory used by the packets that a connection stores for deltas.

use gamewire_freeciv::delta::MemoryUsage;
use gamewire_freeciv::packets;

use crate::stream::stream;
use crate::{generated, interpreter};

/// Maximum bytes of the stored packets after a join.
const MAX_GENERATED: usize = 700_000;
const MAX_INTERPRETER: usize = 1_500_000;

pub(crate) fn hold() -> bool {
    println!("remembered after join.bin");
    let (protocol, stream) = (packets::protocol(), stream("join"));
    let mut generated = generated::Client::new(&protocol);
    let mut interpreter = interpreter::Client::new(&interpreter::variants(&protocol));
    assert_eq!((generated.read(&stream, 4096), interpreter.read(&stream, 4096)), (3022, 3022));
    let generated = report("generated", generated.decoder.memory_usage(), MAX_GENERATED);
    let interpreter = report("interpreter", interpreter.decoder.memory_usage(), MAX_INTERPRETER);
    generated && interpreter
}

fn report(name: &str, usage: MemoryUsage, limit: usize) -> bool {
    let MemoryUsage { packets, bytes } = usage;
    let is_held = bytes <= limit;
    let verdict = if is_held { "held" } else { "MISSED" };
    println!("  {name:<30} {packets} packets, {bytes} bytes; limit {limit}: {verdict}");
    is_held
}
