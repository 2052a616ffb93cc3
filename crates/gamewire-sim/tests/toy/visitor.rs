use core::convert::Infallible;
use core::time::Duration;
use std::collections::VecDeque;
use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine, Transmit, Wake};

use super::{ENTER, KNOCK, LEAVE, TALK, TOKEN};

const EACH: Duration = Duration::from_millis(300);

/// Knocks until it has a token, enters, talks, leaves, and starts again.
pub(crate) struct Visitor {
    door: SocketAddr,
    token: Option<u8>,
    said: u8,
    next: Instant,
    out: VecDeque<Vec<u8>>,
}

impl Visitor {
    pub(crate) fn new(door: SocketAddr, now: Instant) -> Self {
        Self { door, token: None, said: 0, next: now, out: VecDeque::new() }
    }
}

impl Machine for Visitor {
    type Event = Infallible;
    type DatagramError = Infallible;

    fn handle_timeout(&mut self, now: Instant) {
        self.next = now + EACH;
        let Some(token) = self.token else { return self.out.push_back(vec![KNOCK]) };
        self.said = self.said.wrapping_add(1);
        match self.said % 16 {
            1 => self.out.push_back(vec![ENTER, token]),
            0 => self.out.push_back(vec![LEAVE, token]),
            _ => self.out.push_back(vec![TALK, token, self.said]),
        }
    }

    fn poll_timeout(&self) -> Option<Wake> {
        Some(Wake { at: self.next, reason: "visit" })
    }

    fn poll_event(&mut self) -> Option<Infallible> {
        None
    }

    fn handle_datagram(&mut self, _: Instant, _: SocketAddr, data: &[u8]) -> Result<(), Infallible> {
        if let [TOKEN, token, ..] = data {
            self.token = Some(*token);
        }
        Ok(())
    }

    fn poll_transmit(&mut self, _: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        *buffer = self.out.pop_front()?;
        Some(Transmit { to: self.door })
    }
}
