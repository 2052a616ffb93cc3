//! The cost of 10,000 idle clients of a Riptide server, without sockets: memory, and the share of a core
//! for their heartbeats. Fails above 40 MiB or 5 %: run it with --release.
//!
//! `riptide_idle ws` is a server on loopback, and the clients are WebSockets of a second process. Fails if the server's
//! process exceeds 150 MiB or a client is lost. Each process opens 10,000 sockets (`ulimit -n`).
#![allow(clippy::arithmetic_side_effects, reason = "its own numbers, and small ones")]

#[path = "shared/idle_websockets.rs"]
mod idle_websockets;

use std::net::SocketAddr;
use std::time::{Duration, Instant as Clock};

use gamewire::machine::{Instant, Machine};
use gamewire::riptide::server::{Server, ServerConfig};

const CLIENTS: u16 = 10_000;
const SECONDS: u32 = 20;
const MAX_BYTES: usize = 40 << 20;
const MAX_SHARE: f64 = 0.05;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => without_sockets(),
        ["ws"] => idle_websockets::serve(),
        ["ws-clients", server] => idle_websockets::play(server.parse()?),
        _ => Err("usage: riptide_idle [ws]".into()),
    }
}

fn without_sockets() -> Result<(), Box<dyn std::error::Error>> {
    let before = resident();
    // Disable the notices about each join to all other clients, which would be 100 million messages.
    let config = ServerConfig { announce_clients: false, ..ServerConfig::new(CLIENTS) };
    let mut server = Server::new(config, Instant::ZERO);
    let (mut now, mut buffer, mut answers) = (Instant::ZERO, Vec::new(), 0_u64);
    for number in 1..=CLIENTS {
        let [low, high] = number.to_le_bytes();
        let welcome = [0x18, 0, low << 4, low >> 4 | high << 4, high >> 4];
        for packet in [&[0x02][..], &welcome, &[0x11, 0, 0x10, 0, 0]] {
            server.handle_datagram(now, address(number), packet)?;
            drain(&mut server, now, &mut buffer);
        }
    }
    let began = Clock::now();
    for _ in 0..SECONDS {
        for number in 1..=CLIENTS {
            now = now + Duration::from_secs(1) / u32::from(CLIENTS);
            if server.poll_timeout().is_some_and(|wake| wake.at <= now) {
                server.handle_timeout(now);
            }
            // A round trip of 20 ms.
            server.handle_datagram(now, address(number), &[0x04, 0x40, 0x01, 0])?;
            answers += drain(&mut server, now, &mut buffer);
        }
    }
    let share = began.elapsed().as_secs_f64() / f64::from(SECONDS);
    let bytes = server.held_bytes();
    println!("{} clients connected, {answers} heartbeats answered in {SECONDS} s", server.client_count());
    println!(
        "memory: {:.1} MiB held, {} bytes a client",
        bytes as f64 / 1048576.0,
        bytes / usize::from(CLIENTS)
    );
    if let (Some(before), Some(after)) = (before, resident()) {
        println!("process: {:.1} MiB more than before", after.saturating_sub(before) as f64 / 1024.0);
    }
    println!("time: {:.2} % of a core", share * 100.0);
    if server.client_count() != usize::from(CLIENTS) || bytes > MAX_BYTES || share > MAX_SHARE {
        return Err(format!("the limits are {} MiB and {} %", MAX_BYTES >> 20, MAX_SHARE * 100.0).into());
    }
    Ok(())
}

fn address(number: u16) -> SocketAddr {
    let [high, low] = number.to_be_bytes();
    SocketAddr::from(([10, 0, high, low], 7777))
}

fn drain(server: &mut Server, now: Instant, buffer: &mut Vec<u8>) -> u64 {
    let sent = std::iter::from_fn(|| server.poll_transmit(now, buffer)).count();
    while server.poll_event().is_some() {}
    sent as u64
}

/// Returns the memory of the process in KiB, if the system reports it.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find(|line| line.starts_with("VmRSS:"))?.split_whitespace().nth(1)?.parse().ok()
}
