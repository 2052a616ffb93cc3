use std::net::SocketAddr;
use std::time::{Duration, Instant};

use crate::setup::{Proxy, Thread, Traffic, socket};

const ROUND_TRIPS: usize = 8_000;
/// 2,000 datagrams per second: one in each direction per interval.
const INTERVAL: Duration = Duration::from_millis(1);

pub(crate) fn measure() {
    let traffic = Traffic::load();
    let server = Thread::server(&traffic);
    for _ in 0..3 {
        let direct = round_trips(server.address, &traffic);
        let proxy = Proxy::start(server.address);
        let through = round_trips(proxy.address, &traffic);
        proxy.stop();
        let added = |share: f64| {
            let at =
                |times: &[Duration]| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e6;
            (at(&through) - at(&direct)) / 2.0
        };
        let (median, late) = (added(0.5), added(0.99));
        let verdict = if median < 100.0 && late < 1_000.0 { "held" } else { "MISSED" };
        println!("  median {median:.0} us, 99 % {late:.0} us; limits 100 and 1000: {verdict}");
    }
}

/// Returns the times of all round trips, sorted.
fn round_trips(to: SocketAddr, traffic: &Traffic) -> Vec<Duration> {
    let client = socket();
    client.connect(to).unwrap();
    let mut buffer = [0; 2048];
    let mut next = Instant::now();
    let mut times = Vec::with_capacity(ROUND_TRIPS);
    for datagram in traffic.to_server.iter().cycle().take(ROUND_TRIPS) {
        std::thread::sleep(next.saturating_duration_since(Instant::now()));
        next += INTERVAL;
        let start = Instant::now();
        client.send(datagram).unwrap();
        if client.recv(&mut buffer).is_ok() {
            times.push(start.elapsed());
        }
    }
    times.sort();
    times
}
