#![allow(
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    dead_code,
    unused_imports,
    unreachable_pub,
    reason = "each test uses a part of it, and may fail here too"
)]

mod caller;
mod exchange;
mod parrot;

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant as Monotonic};

pub use caller::{Called, Caller, NONSENSE};
pub use exchange::{BYE, Event as HostEvent, Exchange, QUIT};
use gamewire_net::{Direction, DriverConfig, OpenError, TapPacket, Transports, blocking};
pub use parrot::{Event, Parrot};

/// Any free port of this host.
pub const LOCAL: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
/// Within this time everything happens that happens at all, on the busiest of hosts.
pub const PATIENCE: Duration = Duration::from_secs(20);

pub fn driver(parrot: Parrot) -> blocking::Driver<Parrot> {
    blocking::Driver::bind(LOCAL, parrot).unwrap()
}

/// What a driver sees while `until` is not satisfied with it.
pub fn updates(driver: &mut blocking::Driver<Parrot>, mut until: impl FnMut(&[Event]) -> bool) -> Vec<Event> {
    let (mut events, deadline) = (Vec::new(), Monotonic::now() + PATIENCE);
    loop {
        events.extend(driver.update().unwrap());
        if until(&events) {
            return events;
        }
        assert!(Monotonic::now() < deadline, "nothing more after {} events", events.len());
        driver.wait(PATIENCE).unwrap();
    }
}

/// The numbers that were heard, in order.
pub fn numbers(events: &[Event]) -> Vec<u16> {
    let number = |event: &Event| match event {
        Event::Heard { number, .. } => Some(*number),
        Event::Rang => None,
    };
    events.iter().filter_map(number).collect()
}

/// What a tap was shown.
pub type Seen = Arc<Mutex<Vec<(Direction, SocketAddr, SocketAddr, u64, Vec<u8>)>>>;

/// Settings with a tap, and what it will be shown.
pub fn tapped() -> (DriverConfig, Seen) {
    let seen = Seen::default();
    let notes = Arc::clone(&seen);
    let settings = DriverConfig::default().tap(move |crossing: &TapPacket<'_>| {
        let TapPacket { unix_micros, direction, local, peer, bytes } = *crossing;
        notes.lock().unwrap().push((direction, local, peer, unix_micros, bytes.to_vec()));
    });
    (settings, seen)
}

pub fn host(exchange: Exchange) -> blocking::Driver<Exchange> {
    listen(LOCAL, exchange).unwrap()
}

pub fn listen(local: SocketAddr, exchange: Exchange) -> Result<blocking::Driver<Exchange>, OpenError> {
    blocking::Driver::listen(local, Transports::UdpAndTcp, exchange)
}

/// Drives a host until `done`.
pub fn host_until(host: &mut blocking::Driver<Exchange>, mut done: impl FnMut(&mut Exchange) -> bool) {
    let deadline = Monotonic::now() + PATIENCE;
    loop {
        host.update().unwrap().for_each(drop);
        if done(host.machine_mut()) {
            return;
        }
        assert!(Monotonic::now() < deadline, "{:?}", host.stats());
        // Others may have something to do in between.
        host.wait(Duration::from_millis(1)).unwrap();
    }
}
