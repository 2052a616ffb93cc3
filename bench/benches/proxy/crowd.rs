use std::net::UdpSocket;
use std::time::Instant;

use crate::setup::{Proxy, Thread, Traffic, socket};

/// 1,000 Riptide conversations and 256 Teeworlds conversations. This bench sends Teeworlds datagrams in all of them.
const CLIENTS: usize = 1_256;
/// Matches one hour of 100 players who each send and receive ten datagrams per second.
const ROUNDS: usize = 2_900;

pub(crate) fn measure() {
    let traffic = Traffic::load();
    let server = Thread::server(&traffic);
    let proxy = Proxy::start(server.address);
    let clients: Vec<UdpSocket> = (0..CLIENTS).map(|_| socket()).collect();
    clients.iter().for_each(|client| client.connect(proxy.address).unwrap());
    let (mut buffer, mut lost, start) = ([0; 2048], 0_u32, Instant::now());
    for round in 0..ROUNDS {
        let datagram = &traffic.to_server[round % traffic.to_server.len()];
        for some in clients.chunks(32) {
            some.iter().for_each(|client| _ = client.send(datagram).unwrap());
            for client in some {
                lost += u32::from(client.recv(&mut buffer).is_err());
            }
        }
        if [10, 100, 500, 1_000, 1_500, 2_000, ROUNDS - 1].contains(&round) {
            let datagrams = (round + 1) * CLIENTS * 2;
            println!(
                "  {datagrams:>8} datagrams in {:>3.0} s: {} KiB",
                start.elapsed().as_secs_f64(),
                memory()
            );
        }
    }
    let (relay, watch) = proxy.stop();
    println!(
        "  {} conversations at once, {lost} round trips lost, {} decoded, {} missed, {} refused",
        relay.clients, watch.decoded, relay.missed, relay.refused
    );
}

/// Returns the resident memory of the process in KiB, or 0 if the system does not report it.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
