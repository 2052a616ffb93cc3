//! Exact instruction counts from valgrind's callgrind, to detect slowdowns.
//!
//! The program runs itself under valgrind once for each measurement; only the code inside [`measured`] is counted.

use gamewire_freeciv::frame::{FrameLimits, FrameSplitter};
use gamewire_freeciv::packets;

use crate::callgrind::{count, is_there, measured};
use crate::stream::{Inflate, bodies, split, stream};
use crate::{generated, interpreter};

/// Packets of the recorded join.
const PACKETS: f64 = 3022.0;

/// The measurements, with the maximum instructions per packet if there is a limit.
const MEASURES: &[(&str, Option<f64>)] = &[
    ("inflate join.bin", None),
    ("frames of join.bin", Some(4_650.0)),
    ("frames of join-level0.bin", Some(155.0)),
    ("generated, decode", Some(2_000.0)),
    ("generated, encode", Some(2_190.0)),
    ("interpreter, decode", Some(6_100.0)),
    ("interpreter, encode", Some(7_000.0)),
];

pub(crate) fn hold() -> bool {
    println!("instructions a packet");
    if !is_there() {
        println!("  left out: valgrind is needed to count instructions; MISSED");
        return false;
    }
    let mut is_held = true;
    for (measure, limit) in MEASURES {
        let each = count(measure) as f64 / PACKETS;
        print!("  {measure:<30} {each:>8.0}");
        match limit {
            Some(limit) => {
                let verdict = if each <= *limit { "held" } else { "MISSED" };
                println!("; limit {limit}: {verdict}");
                is_held &= each <= *limit;
            }
            None => println!(),
        }
    }
    is_held
}

/// Runs one measurement in the child process.
pub(crate) fn run(measure: &str) {
    let plain = stream("join-level0");
    match measure {
        "inflate join.bin" => {
            let mut inflate = Inflate::new(&stream("join"));
            measured(|| inflate.run());
        }
        "frames of join.bin" => {
            let join = stream("join");
            measured(|| split(&mut FrameSplitter::new(FrameLimits::DEFAULT), &join, 4096));
        }
        "frames of join-level0.bin" => {
            measured(|| split(&mut FrameSplitter::new(FrameLimits::DEFAULT), &plain, 4096));
        }
        "generated, decode" => {
            let (protocol, bodies) = (packets::protocol(), bodies(&plain));
            let mut decoder = generated::decoder(&protocol);
            measured(|| generated::decode(&mut decoder, &bodies));
        }
        "generated, encode" => {
            let protocol = packets::protocol();
            let packets = generated::decode_all(&protocol, &bodies(&plain));
            let mut encoder = generated::encoder(&protocol);
            measured(|| generated::encode(&mut encoder, &packets, &mut Vec::new()));
        }
        "interpreter, decode" => {
            let (variants, bodies) = (interpreter::variants(&packets::protocol()), bodies(&plain));
            let mut decoder = interpreter::decoder(&variants);
            measured(|| interpreter::decode(&mut decoder, &bodies));
        }
        "interpreter, encode" => {
            let variants = interpreter::variants(&packets::protocol());
            let packets = interpreter::decode_all(&variants, &bodies(&plain));
            let mut encoder = interpreter::encoder(&variants);
            measured(|| interpreter::encode(&mut encoder, &packets, &mut Vec::new()));
        }
        other => panic!("no measure is called {other}"),
    }
}
