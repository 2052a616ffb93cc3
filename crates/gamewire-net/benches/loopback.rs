//! Datagrams a second over loopback, sender and receiver taking turns in one thread:
//! `cargo bench -p gamewire-net`. They are the kernel's as much as ours.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    missing_docs,
    reason = "a bench may fail, and a macro makes its entry point"
)]

#[path = "../tests/support/mod.rs"]
mod support;

use std::net::UdpSocket;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use support::{LOCAL, Parrot, driver};

/// How many datagrams one side says before the other listens.
const BURST: u16 = 64;
/// The length of a common datagram of a game.
const LENGTH: usize = 200;

/// `length` gives the length of the `n`th datagram.
fn drivers(criterion: &mut Criterion, name: &str, length: impl Fn(usize) -> usize) {
    let (mut caller, mut listener) = (driver(Parrot::default()), driver(Parrot::default()));
    let to = listener.local_addr();
    let mut group = criterion.benchmark_group("loopback");
    group.throughput(Throughput::Elements(u64::from(BURST)));
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            for number in 0..BURST {
                caller.machine_mut().say(to, number, length(usize::from(number)));
            }
            caller.update().unwrap();
            let mut received = 0;
            while received < usize::from(BURST) {
                received += listener.update().unwrap().count();
            }
        });
    });
    group.finish();
}

fn runs(criterion: &mut Criterion) {
    drivers(criterion, "driver, runs of equal lengths", |_| LENGTH);
}

fn single(criterion: &mut Criterion) {
    // Each is longer than the one before, so that no run is made.
    drivers(criterion, "driver, growing lengths", |number| LENGTH - 32 + number);
}

fn plain(criterion: &mut Criterion) {
    let (caller, listener) = (UdpSocket::bind(LOCAL).unwrap(), UdpSocket::bind(LOCAL).unwrap());
    let to = listener.local_addr().unwrap();
    let (datagram, mut buffer) = ([0; LENGTH], [0; 1_500]);
    let mut group = criterion.benchmark_group("loopback");
    group.throughput(Throughput::Elements(u64::from(BURST)));
    group.bench_function("no driver, one call for each datagram", |bencher| {
        bencher.iter(|| {
            for _ in 0..BURST {
                caller.send_to(&datagram, to).unwrap();
            }
            for _ in 0..BURST {
                listener.recv_from(&mut buffer).unwrap();
            }
        });
    });
    group.finish();
}

criterion_group!(benches, runs, single, plain);
criterion_main!(benches);
