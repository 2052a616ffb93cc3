//! Timings with criterion: `cargo bench -p gamewire --bench timings`. They are noisy; the bench `instructions` has
//! exact counts.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    missing_docs,
    reason = "a bench may fail, and its entry point is made by a macro"
)]

#[path = "../tests/support/mod.rs"]
mod support;
mod work;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use work::link::{Conversation, Payloads};
use work::{Packets, all_datagrams, follow};

fn snapshot_packets(criterion: &mut Criterion) {
    let mut packets = Packets::snapshots();
    let mut group = criterion.benchmark_group("snapshot_packets");
    group.throughput(Throughput::Bytes(packets.raw_bytes() as u64));
    group.bench_function("decompress", |bencher| bencher.iter(|| packets.decompress()));
    group.bench_function("compress", |bencher| bencher.iter(|| packets.compress()));
    group.bench_function("typed", |bencher| bencher.iter(|| packets.typed()));
    group.finish();
}

fn following(criterion: &mut Criterion) {
    let conversations = all_datagrams();
    let mut followers = conversations.iter().map(|_| Default::default()).collect::<Vec<_>>();
    let mut group = criterion.benchmark_group("captures");
    group.throughput(Throughput::Elements(conversations.iter().map(Vec::len).sum::<usize>() as u64));
    group.bench_function("follow", |bencher| bencher.iter(|| follow(&conversations, &mut followers)));
    group.finish();
}

fn links(criterion: &mut Criterion) {
    let (mut conversation, payloads) = (Conversation::new(), Payloads::new());
    let mut group = criterion.benchmark_group("links");
    group.throughput(Throughput::Elements(conversation.len() as u64));
    group.bench_function("talk", |bencher| bencher.iter(|| conversation.talk(&mut |_, _| ())));
    group.bench_function("huffman", |bencher| bencher.iter(|| payloads.huffman()));
    group.finish();
}

criterion_group!(benches, snapshot_packets, following, links);
criterion_main!(benches);
