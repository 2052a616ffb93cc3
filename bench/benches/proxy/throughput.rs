use std::net::SocketAddr;
use std::time::{Duration, Instant};

use crate::forward;
use crate::setup::{Proxy, Thread, Traffic, socket};

/// Number of datagrams in flight.
const WINDOW: usize = 64;
const TIME: Duration = Duration::from_secs(2);
const ROUNDS: usize = 5;

pub(crate) fn measure() {
    let traffic = Traffic::load();
    let server = Thread::server(&traffic);
    let mut shares = Vec::new();
    for _ in 0..ROUNDS {
        let bare = {
            let loops = forward::start(server.address);
            echoes(loops.0.address, &traffic)
        };
        let proxy = Proxy::start(server.address);
        let ours = echoes(proxy.address, &traffic);
        let (relay, watch) = proxy.stop();
        let share = ours / bare;
        println!(
            "  bare loop {bare:>8.0}, proxy {ours:>8.0}: {:.0} %; {} decoded, {} missed, {} not recorded",
            share * 100.0,
            watch.decoded,
            relay.missed,
            watch.not_recorded
        );
        shares.push(share);
    }
    shares.sort_by(f64::total_cmp);
    let median = shares[ROUNDS / 2] * 100.0;
    println!("  median {median:.0} %; limit 70: {}", if median >= 70.0 { "held" } else { "MISSED" });
}

/// Returns the number of echoed datagrams per second.
pub(crate) fn echoes(to: SocketAddr, traffic: &Traffic) -> f64 {
    let client = socket();
    client.connect(to).unwrap();
    let (mut buffer, mut datagrams) = ([0; 2048], traffic.to_server.iter().cycle());
    let mut send = || client.send(datagrams.next().unwrap()).unwrap();
    (0..WINDOW).for_each(|_| _ = send());
    let (start, mut count) = (Instant::now(), 0_u32);
    while start.elapsed() < TIME {
        match client.recv(&mut buffer) {
            Ok(_) => {
                count += 1;
                send();
            }
            // All datagrams in flight were lost.
            Err(_) => (0..WINDOW).for_each(|_| _ = send()),
        }
    }
    f64::from(count) / start.elapsed().as_secs_f64()
}
