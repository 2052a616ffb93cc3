//! Datagrams per second over loopback, with sender and receiver in one thread: `cargo bench -p gamewire-net`. The
//! kernel takes much of the time.
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
use support::{DatagramPeer, LOCAL, driver};

/// Number of datagrams that are sent before they are received.
const BURST: u16 = 64;
/// Bytes of a typical datagram of a game.
const LENGTH: usize = 200;

/// Measures two drivers; `length` returns the bytes of the `n`th datagram.
fn drivers(criterion: &mut Criterion, name: &str, length: impl Fn(usize) -> usize) {
    let (mut sender, mut receiver) = (driver(DatagramPeer::default()), driver(DatagramPeer::default()));
    let to = receiver.local_addr();
    let mut group = criterion.benchmark_group("loopback");
    group.throughput(Throughput::Elements(u64::from(BURST)));
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            for number in 0..BURST {
                sender.machine_mut().send(to, number, length(usize::from(number)));
            }
            sender.update().unwrap();
            let mut received = 0;
            while received < usize::from(BURST) {
                received += receiver.update().unwrap().count();
            }
        });
    });
    group.finish();
}

fn runs(criterion: &mut Criterion) {
    drivers(criterion, "driver, runs of equal lengths", |_| LENGTH);
}

fn single(criterion: &mut Criterion) {
    // Each datagram is longer than the previous one, so none are batched.
    drivers(criterion, "driver, growing lengths", |number| LENGTH - 32 + number);
}

fn plain(criterion: &mut Criterion) {
    let (sender, receiver) = (UdpSocket::bind(LOCAL).unwrap(), UdpSocket::bind(LOCAL).unwrap());
    let to = receiver.local_addr().unwrap();
    let (datagram, mut buffer) = ([0; LENGTH], [0; 1_500]);
    let mut group = criterion.benchmark_group("loopback");
    group.throughput(Throughput::Elements(u64::from(BURST)));
    group.bench_function("no driver, one call for each datagram", |bencher| {
        bencher.iter(|| {
            for _ in 0..BURST {
                sender.send_to(&datagram, to).unwrap();
            }
            for _ in 0..BURST {
                receiver.recv_from(&mut buffer).unwrap();
            }
        });
    });
    group.finish();
}

criterion_group!(benches, runs, single, plain);
criterion_main!(benches);
