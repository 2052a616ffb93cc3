#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it, from inside and from outside")]

use core::time::Duration;
use std::collections::VecDeque;
use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine, Transmit, Wake};

/// A machine that sends numbered datagrams, optionally echoes those it receives, and has one timer.
#[derive(Debug, Default)]
pub struct DatagramPeer {
    pub echoes: bool,
    /// The time of the last timeout.
    pub now: Instant,
    timer: Option<Instant>,
    outgoing: VecDeque<(SocketAddr, Vec<u8>)>,
    spare: Vec<Vec<u8>>,
    events: VecDeque<Event>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A datagram of `len` bytes that begins with `number`.
    Received { from: SocketAddr, number: u16, len: usize },
    /// The timer fired.
    TimerFired,
}

/// The error for a datagram without a number.
#[derive(Debug)]
pub struct NoNumber;

impl core::fmt::Display for NoNumber {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("no number")
    }
}

impl core::error::Error for NoNumber {}

impl DatagramPeer {
    pub fn echoing() -> Self {
        Self { echoes: true, ..Self::default() }
    }

    /// Sends `number` in a datagram of `len` bytes, at least 2.
    pub fn send(&mut self, to: SocketAddr, number: u16, len: usize) {
        let mut datagram = self.spare.pop().unwrap_or_default();
        datagram.clear();
        datagram.extend_from_slice(&number.to_be_bytes());
        datagram.resize(len, 0);
        self.outgoing.push_back((to, datagram));
    }

    pub fn set_timer(&mut self, span: Duration) {
        self.timer = Some(self.now + span);
    }
}

impl Machine for DatagramPeer {
    type Event = Event;
    type DatagramError = NoNumber;

    fn handle_timeout(&mut self, now: Instant) {
        self.now = now;
        if self.timer.is_some_and(|at| at <= now) {
            self.timer = None;
            self.events.push_back(Event::TimerFired);
        }
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.timer.map(|at| Wake { at, reason: "timer" })
    }

    fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    fn handle_datagram(&mut self, _: Instant, from: SocketAddr, data: &[u8]) -> Result<(), NoNumber> {
        let number = u16::from_be_bytes(*data.first_chunk().ok_or(NoNumber)?);
        self.events.push_back(Event::Received { from, number, len: data.len() });
        if self.echoes {
            self.send(from, number, data.len());
        }
        Ok(())
    }

    fn poll_transmit(&mut self, _: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        let (to, datagram) = self.outgoing.pop_front()?;
        buffer.clear();
        buffer.extend_from_slice(&datagram);
        self.spare.push(datagram);
        Some(Transmit { to })
    }
}
