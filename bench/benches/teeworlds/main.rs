//! Links of Teeworlds over a driver, without a game, against bare sockets that move the same datagrams:
//! `cargo bench -p gamewire-bench --bench teeworlds`. Exits with 1 if the server of links handles less than its share of
//! datagrams in the same time.
//!
//! A tick is that of a server with 64 players: each client sends an input of 40 bytes, and the server a snapshot to each.
//! Only the server's part of a tick is timed. Both ways take turns in short rounds; the result is the median of the
//! ratios, round by round.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a bench may fail"
)]

mod bare;
mod links;
#[path = "../shared/spread.rs"]
mod spread;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::ExitCode;
use std::time::Duration;

use bare::Bare;
use links::Links;
use spread::Spread;

const LOOPBACK: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
const PLAYERS: usize = 64;
/// Ticks of a round: few, so that most rounds run without a pause.
const TICKS: usize = 4;
const ROUNDS: usize = 1_000;
/// Share of the datagrams of bare sockets that links and driver must handle.
const LIMIT: f64 = 0.8;
/// Bytes of an input.
const INPUT: usize = 40;

fn main() -> ExitCode {
    let mut is_held = true;
    for snapshot in [60, 500] {
        let mut links = Links::new(snapshot);
        let (to_client, to_server) = links.datagram_bytes();
        let mut bare = Bare::new(to_client, to_server);
        let (mut ours, mut others) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            ours.push(rate((0..TICKS).map(|_| links.tick()).sum()));
            others.push(rate((0..TICKS).map(|_| bare.tick()).sum()));
        }
        let ratio = Spread::of_ratios(&ours, &others);
        println!(
            "snapshots of {snapshot} bytes, {to_client} on the wire: links and driver {:.0} datagrams a second, bare \
             sockets {:.0}; {:.2} times as many ({:.2} to {:.2}), at least {LIMIT}",
            Spread::of(ours).median,
            Spread::of(others).median,
            ratio.median,
            ratio.low,
            ratio.high
        );
        is_held &= ratio.median >= LIMIT;
    }
    if is_held { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Returns the number of datagrams that the server received and sent per second.
fn rate(time: Duration) -> f64 {
    (2 * PLAYERS * TICKS) as f64 / time.as_secs_f64()
}
