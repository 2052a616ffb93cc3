//! A recorded session between our two roles, message by message.

use core::time::Duration;

use gamewire_machine::{Instant, Machine, Transmit, pump};
use gamewire_teeworlds::Dialect;
use gamewire_teeworlds::client::Client;
use gamewire_teeworlds::server::{Server, WalkingGame};

use super::thin::{Event, Thin, patient};
use super::{every_dialect, host, seed};

/// A message of the session.
#[derive(Clone, Debug)]
pub struct Said {
    /// Time since the start.
    pub at: Duration,
    /// The server sent it.
    pub by_server: bool,
    pub vital: bool,
    /// Id and body.
    pub content: Vec<u8>,
}

const STEP: Duration = Duration::from_millis(1);

/// Connects `server` and the client of `connect` for `time` through a proxy that relays and records their messages.
/// Calls `act` every millisecond, which may command the client.
pub fn record(
    dialect: Dialect,
    mut server: Server<WalkingGame>,
    connect: impl FnOnce(Instant) -> Client,
    time: Duration,
    mut act: impl FnMut(Duration, &mut Client),
) -> Vec<Said> {
    let start = Instant::ZERO;
    let mut client = connect(start);
    let mut caller = Thin::caller(dialect, patient(dialect), host(1), seed(7), start);
    let mut listener = Thin::listener(every_dialect(), seed(8), start);
    let mut said = Vec::new();
    let mut now = start;
    while now.since(start) < time {
        now = now + STEP;
        for _ in 0..16 {
            exchange(now, &mut client, &mut listener);
            exchange(now, &mut caller, &mut server);
            let mut pass_on = |by_server, from: &mut Thin, to: &mut Thin| {
                // Datagrams wait until both ends are open.
                while to.link().is_some() {
                    let Some(event) = from.poll_event() else { break };
                    let Event::Heard { vital, content } = event else { continue };
                    to.say(vital, &content).unwrap();
                    said.push(Said { at: now.since(start), by_server, vital, content });
                }
            };
            pass_on(false, &mut listener, &mut caller);
            pass_on(true, &mut caller, &mut listener);
        }
        client.handle_timeout(now);
        act(now.since(start), &mut client);
    }
    said
}

/// Delivers the datagrams of two machines to each other: `other` is at `host(1)`, `one` at `host(2)`.
pub fn exchange<A: Machine, B: Machine>(now: Instant, one: &mut A, other: &mut B) {
    let mut buffer = Vec::new();
    for _ in 0..16 {
        let mut moved = Vec::new();
        // The events are not polled here, because the recorder reads them.
        turn(one, now, &mut buffer, |_, data| moved.push(data.to_vec()));
        let is_quiet = moved.is_empty();
        for data in moved.drain(..) {
            let _ = other.handle_datagram(now, host(2), &data);
        }
        turn(other, now, &mut buffer, |_, data| moved.push(data.to_vec()));
        if is_quiet && moved.is_empty() {
            return;
        }
        for data in moved.drain(..) {
            let _ = one.handle_datagram(now, host(1), &data);
        }
    }
}

/// Polls a machine except for its events.
fn turn<M: Machine>(
    machine: &mut M,
    now: Instant,
    buffer: &mut Vec<u8>,
    mut send: impl FnMut(Transmit, &[u8]),
) {
    if machine.poll_timeout().is_some_and(|wake| wake.at <= now) {
        machine.handle_timeout(now);
    }
    while let Some(transmit) = machine.poll_transmit(now, buffer) {
        send(transmit, buffer);
    }
}

/// Takes the events of a machine.
pub fn events<M: Machine>(machine: &mut M, now: Instant) -> Vec<M::Event> {
    let mut events = Vec::new();
    pump(machine, now, &mut Vec::new(), |_, _| {}, |event| events.push(event));
    events
}
