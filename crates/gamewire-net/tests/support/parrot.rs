#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it, from inside and from outside")]

use core::time::Duration;
use std::collections::VecDeque;
use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine, Transmit, Wake};

/// Says what it is told to, repeats what it hears if it is to, and rings when its alarm is due.
#[derive(Debug, Default)]
pub struct Parrot {
    pub repeats: bool,
    /// What it was last told as the time.
    pub now: Instant,
    alarm: Option<Instant>,
    saying: VecDeque<(SocketAddr, Vec<u8>)>,
    spare: Vec<Vec<u8>>,
    events: VecDeque<Event>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A datagram of this length that begins with this number.
    Heard { from: SocketAddr, number: u16, len: usize },
    /// The alarm rang.
    Rang,
}

/// It does not understand datagrams without a number.
#[derive(Debug)]
pub struct NoNumber;

impl core::fmt::Display for NoNumber {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("no number")
    }
}

impl core::error::Error for NoNumber {}

impl Parrot {
    pub fn repeating() -> Self {
        Self { repeats: true, ..Self::default() }
    }

    /// Says `number` in a datagram of `len` bytes, at least 2.
    pub fn say(&mut self, to: SocketAddr, number: u16, len: usize) {
        let mut datagram = self.spare.pop().unwrap_or_default();
        datagram.clear();
        datagram.extend_from_slice(&number.to_be_bytes());
        datagram.resize(len, 0);
        self.saying.push_back((to, datagram));
    }

    pub fn ring_after(&mut self, span: Duration) {
        self.alarm = Some(self.now + span);
    }
}

impl Machine for Parrot {
    type Event = Event;
    type DatagramError = NoNumber;

    fn handle_timeout(&mut self, now: Instant) {
        self.now = now;
        if self.alarm.is_some_and(|at| at <= now) {
            self.alarm = None;
            self.events.push_back(Event::Rang);
        }
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.alarm.map(|at| Wake { at, reason: "alarm" })
    }

    fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    fn handle_datagram(&mut self, _: Instant, from: SocketAddr, data: &[u8]) -> Result<(), NoNumber> {
        let number = u16::from_be_bytes(*data.first_chunk().ok_or(NoNumber)?);
        self.events.push_back(Event::Heard { from, number, len: data.len() });
        if self.repeats {
            self.say(from, number, data.len());
        }
        Ok(())
    }

    fn poll_transmit(&mut self, _: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        let (to, datagram) = self.saying.pop_front()?;
        buffer.clear();
        buffer.extend_from_slice(&datagram);
        self.spare.push(datagram);
        Some(Transmit { to })
    }
}
