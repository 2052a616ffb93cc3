//! Exact instruction counts, by valgrind's callgrind: the gate against getting slower unnoticed.
//!
//! The program runs itself under valgrind once for each measure; only what happens inside
//! [`measured`] is counted.

use std::hint::black_box;
use std::process::Command;

use gamewire_freeciv::v30;

use crate::stream::{Inflate, bodies, split, stream};
use crate::{generated, interpreter};

pub(crate) const CHILD: &str = "GAMEWIRE_MEASURE";

/// Packets of the join.
const PACKETS: f64 = 3022.0;

/// What is measured, and how many instructions a packet it may take, if that is ours to say.
const MEASURES: &[(&str, Option<f64>)] = &[
    ("inflate join.bin", None),
    ("frames of join.bin", Some(4_650.0)),
    ("frames of join-level0.bin", Some(160.0)),
    ("generated, decode", Some(1_150.0)),
    ("generated, encode", Some(1_250.0)),
    ("interpreter, decode", Some(7_200.0)),
    ("interpreter, encode", Some(8_400.0)),
];

pub(crate) fn hold() -> bool {
    println!("instructions a packet");
    if Command::new("valgrind").arg("--version").output().is_err() {
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

fn count(measure: &str) -> u64 {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*measured*"])
        .arg(std::env::current_exe().unwrap())
        .env(CHILD, measure)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let line = said.lines().find(|line| line.contains("Collected")).expect("valgrind says what it collected");
    line.rsplit(' ').next().unwrap().parse().expect("a number of instructions")
}

/// The only function whose instructions count.
#[inline(never)]
fn measured(work: impl FnOnce() -> usize) {
    black_box(work());
}

/// One measure, in the child.
pub(crate) fn run(measure: &str) {
    let plain = stream("join-level0");
    match measure {
        "inflate join.bin" => {
            let mut inflate = Inflate::new(&stream("join"));
            measured(|| inflate.run());
        }
        "frames of join.bin" => {
            let join = stream("join");
            measured(|| split(&join, 4096));
        }
        "frames of join-level0.bin" => measured(|| split(&plain, 4096)),
        "generated, decode" => {
            let (protocol, bodies) = (v30::protocol(), bodies(&plain));
            measured(|| generated::decode(&protocol, &bodies));
        }
        "generated, encode" => {
            let protocol = v30::protocol();
            let packets = generated::said(&protocol, &bodies(&plain));
            measured(|| generated::encode(&protocol, &packets, &mut Vec::new()));
        }
        "interpreter, decode" => {
            let (variants, bodies) = (interpreter::variants(&v30::protocol()), bodies(&plain));
            measured(|| interpreter::decode(&variants, &bodies));
        }
        "interpreter, encode" => {
            let variants = interpreter::variants(&v30::protocol());
            let packets = interpreter::said(&variants, &bodies(&plain));
            measured(|| interpreter::encode(&variants, &packets, &mut Vec::new()));
        }
        other => panic!("no measure is called {other}"),
    }
}
