use crate::DeliveryOutcome;
use core::time::Duration;
use std::collections::BTreeMap;

use gamewire_machine::Instant;
use gamewire_sim::{Conditioner, Conditions};

use crate::link::send::Transmission;
use crate::link::{CloseCause, ConnectionSettings, ConnectionState, Event, Link, LinkConfig, TickAction};
use crate::shared::packet::{Ack, Notify};

/// Returns the time `millis` milliseconds after the start.
pub(super) const fn at(millis: u64) -> Instant {
    Instant::from_micros(millis * 1000)
}

pub(super) const fn millis(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// A packet on the wire.
#[derive(Clone, Copy, Debug)]
enum Packet {
    Connect,
    Reliable { seq_id: u16, value: u32 },
    Ack(Ack<'static>),
    Notify(Notify<'static>),
    Heartbeat { ping_id: u8, rtt: i16 },
    Reply { ping_id: u8 },
}

/// The value of a Welcome and its echo.
const WELCOME: u32 = u32::MAX;

/// One end of the connection, and its state for assertions.
#[derive(Debug)]
pub(super) struct Side {
    pub(super) link: Link,
    /// Values of the messages that were handled.
    pub(super) got: Vec<u32>,
    pub(super) got_notify: Vec<u16>,
    pub(super) events: Vec<Event>,
    /// Number of sends of each reliable message.
    pub(super) sends: BTreeMap<u16, u16>,
    pub(super) last_sign: Instant,
    pub(super) ended: Option<(Instant, CloseCause)>,
}

impl Side {
    fn new(link: Link) -> Self {
        Self {
            link,
            got: Vec::new(),
            got_notify: Vec::new(),
            events: Vec::new(),
            sends: BTreeMap::new(),
            last_sign: Instant::ZERO,
            ended: None,
        }
    }

    pub(super) fn send(&mut self, now: Instant, value: u32) -> u16 {
        let write = |_: u16, packet: &mut [u8]| packet.copy_from_slice(&value.to_le_bytes());
        self.link.send_reliable(now, 4, write).unwrap()
    }

    fn hear(&mut self, now: Instant, packet: Packet, answers: &mut Vec<Packet>) {
        match packet {
            Packet::Connect => {
                if self.link.accept(now) {
                    self.send(now, WELCOME);
                }
            }
            Packet::Reliable { seq_id, value } => {
                let receipt = self.link.handle_reliable(seq_id, 4);
                answers.extend(receipt.ack.map(Packet::Ack));
                match value {
                    _ if !receipt.is_new => {}
                    WELCOME => {
                        if self.link.handle_welcome(now) {
                            self.send(now, WELCOME);
                            self.last_sign = now;
                        } else if self.link.handle_welcome_echo(now) {
                            self.last_sign = now;
                        }
                    }
                    _ => self.got.push(value),
                }
            }
            Packet::Ack(ack) => self.link.handle_ack(now, ack),
            Packet::Notify(ids) => {
                if self.link.handle_notify(ids, 6) {
                    self.got_notify.push(ids.seq_id);
                }
            }
            Packet::Heartbeat { ping_id, rtt } => {
                if self.link.handle_heartbeat(now, rtt) {
                    answers.push(Packet::Reply { ping_id });
                    self.last_sign = now;
                }
            }
            Packet::Reply { ping_id } => {
                self.link.handle_heartbeat_reply(now, ping_id);
                self.last_sign = now;
            }
        }
    }

    fn tick(&mut self, now: Instant, out: &mut Vec<Packet>) {
        out.extend(self.link.handle_timeout(now).map(|beat| match beat {
            TickAction::Connect => Packet::Connect,
            TickAction::Heartbeat { ping_id, rtt } => Packet::Heartbeat { ping_id, rtt },
        }));
        while let Some(Transmission { seq_id, attempt, packet }) = self.link.poll_send(now) {
            let value = u32::from_le_bytes(packet.try_into().unwrap());
            out.push(Packet::Reliable { seq_id, value });
            let sends = self.sends.entry(seq_id).or_default();
            *sends += 1;
            assert!(attempt <= *sends);
        }
    }

    fn turn(&mut self, now: Instant, arriving: &mut Conditioner<Packet>, leaving: &mut Conditioner<Packet>) {
        let (mut buffer, mut out) = (Vec::new(), Vec::new());
        while let Some(packet) = arriving.pop(now, &mut buffer) {
            self.hear(now, packet, &mut out);
        }
        self.tick(now, &mut out);
        self.drain(now);
        out.into_iter().for_each(|packet| _ = leaving.push(now, packet, &[]));
        let wake = self.link.poll_timeout();
        assert!(wake.is_none_or(|wake| wake.at > now), "{wake:?} at {now:?}");
    }

    fn drain(&mut self, now: Instant) {
        while let Some(event) = self.link.poll_event() {
            assert!(self.ended.is_none(), "{event:?} after the end");
            if let Event::Closed(end) = event {
                self.ended = Some((now, end));
            }
            self.events.push(event);
        }
    }

    pub(super) fn delivered(&self) -> Vec<u16> {
        let id = |event: &Event| match event {
            Event::Delivery { seq_id, outcome: DeliveryOutcome::ReliableDelivered } => Some(*seq_id),
            _ => None,
        };
        self.events.iter().filter_map(id).collect()
    }
}

/// A client, a server and the network between them.
pub(super) struct Network {
    pub(super) now: Instant,
    pub(super) client: Side,
    pub(super) server: Side,
    to_client: Conditioner<Packet>,
    to_server: Conditioner<Packet>,
}

impl Network {
    /// Creates a network in which the client sends a connect request at the start.
    pub(super) fn asking(
        config: LinkConfig,
        settings: ConnectionSettings,
        conditions: Conditions,
        seed: u64,
    ) -> Self {
        let start = Instant::ZERO;
        Self {
            now: start,
            client: Side::new(Link::client(config, settings, start)),
            server: Side::new(Link::server(config, settings, start)),
            to_client: Conditioner::new(conditions, seed),
            to_server: Conditioner::new(conditions, seed ^ 0x9e37_79b9),
        }
    }

    /// Creates a network in which both ends are connected at the start.
    pub(super) fn connected(
        config: LinkConfig,
        settings: ConnectionSettings,
        conditions: Conditions,
        seed: u64,
    ) -> Self {
        let mut network = Self::asking(config, settings, conditions, seed);
        assert!(network.server.link.accept(network.now));
        assert!(network.server.link.handle_welcome_echo(network.now));
        assert!(network.client.link.handle_welcome(network.now));
        network
    }

    pub(super) fn sides(&mut self) -> [&mut Side; 2] {
        [&mut self.client, &mut self.server]
    }

    /// Sends a notify message, if the side can still send one.
    pub(super) fn notify(&mut self, from_client: bool) {
        let (side, way) = if from_client {
            (&mut self.client, &mut self.to_server)
        } else {
            (&mut self.server, &mut self.to_client)
        };
        if let Ok(ids) = side.link.send_notify(6) {
            way.push(self.now, Packet::Notify(ids), &[]);
        }
    }

    /// Performs all actions that are due now.
    pub(super) fn turn(&mut self) {
        self.client.turn(self.now, &mut self.to_client, &mut self.to_server);
        self.server.turn(self.now, &mut self.to_server, &mut self.to_client);
    }

    /// Returns the time of the next action.
    fn next(&self) -> Option<Instant> {
        let wakes = [&self.client, &self.server].map(|side| side.link.poll_timeout().map(|wake| wake.at));
        wakes.into_iter().chain([self.to_client.wake(), self.to_server.wake()]).flatten().min()
    }

    /// Lets time pass until `end`.
    pub(super) fn run_until(&mut self, end: Instant) {
        self.turn();
        while let Some(next) = self.next().filter(|next| *next <= end) {
            self.now = self.now.max(next);
            self.turn();
        }
        self.now = end;
    }

    pub(super) fn states(&self) -> [ConnectionState; 2] {
        [self.client.link.state(), self.server.link.state()]
    }
}
