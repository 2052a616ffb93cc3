use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use gamewire_machine::{Instant, Machine, Role, Transmit, Transport, Wake};
use gamewire_proxy::{Action, Bridge, MessageHook};
use gamewire_sim::contract::{Lifecycle, PEER, SUBJECT};

/// Maximum number of rounds of datagrams between the bridge and the program behind it at one time.
const MAX_ROUNDS: usize = 1_000;
/// Maximum number of timers that are due at one time.
const MAX_TIMERS: usize = 8;

/// A bridge that has the peer of the contract on one side, and a program of its own on the other.
pub(super) struct Bridged<B, P> {
    bridge: B,
    /// The side of the peer.
    facing: Role,
    behind: P,
    /// True for streams: an empty datagram is the end of a stream.
    has_ends: bool,
    is_over: bool,
    is_reported: bool,
}

/// The conversation has ended.
#[derive(Debug)]
pub(super) struct Over;

/// The error for a datagram of an address that takes no part in the conversation. The relay drops these.
#[derive(Debug)]
pub(super) struct NotOfThisBridge;

impl fmt::Display for NotOfThisBridge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the address takes no part in the conversation")
    }
}

impl std::error::Error for NotOfThisBridge {}

impl<B: Bridge, P: Machine> Bridged<B, P> {
    pub(super) fn new(bridge: B, transport: Transport, facing: Role, behind: P) -> Self {
        Self {
            bridge,
            facing,
            behind,
            has_ends: transport == Transport::Tcp,
            is_over: false,
            is_reported: false,
        }
    }

    pub(super) const fn behind_mut(&mut self) -> &mut P {
        &mut self.behind
    }

    pub(super) const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Passes a datagram of the program behind the bridge to the bridge, and does not poll the output.
    pub(super) fn receive_from_behind(&mut self, now: Instant, datagram: &[u8]) {
        self.bridge.handle(now, self.facing.other(), datagram);
    }

    fn handle(&mut self, now: Instant, from: Role, bytes: &[u8]) {
        if self.has_ends && bytes.is_empty() {
            self.bridge.handle_close(now, from);
        } else {
            self.bridge.handle(now, from, bytes);
        }
    }

    /// Exchanges all datagrams between the bridge and the program behind it.
    fn settle(&mut self, now: Instant) {
        let far = self.facing.other();
        let mut buffer = Vec::new();
        for _ in 0..MAX_ROUNDS {
            let mut is_quiet = true;
            while self.bridge.poll_transmit(now, far, &mut buffer) {
                is_quiet = false;
                // The program may reject what the peer sent.
                let _ = self.behind.handle_datagram(now, SUBJECT, &buffer);
            }
            while self.behind.poll_transmit(now, &mut buffer).is_some() {
                is_quiet = false;
                self.handle(now, far, &buffer);
            }
            while self.behind.poll_event().is_some() {}
            if is_quiet {
                break;
            }
        }
        assert!(self.bridge.is_over() || !self.is_over, "the bridge was over");
        self.is_over = self.bridge.is_over();
    }
}

impl<B: Bridge, P: Machine> Machine for Bridged<B, P> {
    type Event = Over;
    type DatagramError = NotOfThisBridge;

    fn handle_timeout(&mut self, now: Instant) {
        // What one side sends may start a timer of the other side that is due immediately.
        for _ in 0..MAX_TIMERS {
            self.bridge.handle_timeout(now);
            self.behind.handle_timeout(now);
            self.settle(now);
            if self.poll_timeout().is_none_or(|wake| wake.at > now) {
                break;
            }
        }
    }

    fn poll_timeout(&self) -> Option<Wake> {
        Wake::earliest([self.bridge.poll_timeout(), self.behind.poll_timeout()])
    }

    fn poll_event(&mut self) -> Option<Over> {
        let is_new = self.is_over && !self.is_reported;
        self.is_reported |= is_new;
        is_new.then_some(Over)
    }

    fn handle_datagram(
        &mut self,
        now: Instant,
        from: SocketAddr,
        data: &[u8],
    ) -> Result<(), NotOfThisBridge> {
        if from != PEER {
            return Err(NotOfThisBridge);
        }
        self.handle(now, self.facing, data);
        Ok(())
    }

    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        self.settle(now);
        self.bridge.poll_transmit(now, self.facing, buffer).then_some(Transmit { to: PEER })
    }
}

/// A hook that performs all actions in turns, or only forwards.
pub(super) struct Mixed {
    is_forwarding: bool,
    count: u64,
}

impl Mixed {
    /// Returns a hook that forwards all messages for every second number.
    pub(super) const fn new(number: u64) -> Self {
        Self { is_forwarding: number.is_multiple_of(2), count: number }
    }
}

impl<M> MessageHook<M> for Mixed {
    fn on_message(&mut self, _: Role, _: &mut M) -> Action {
        self.count += 1;
        match self.count % 16 {
            _ if self.is_forwarding => Action::Forward,
            3 => Action::Drop,
            7 => Action::Duplicate,
            11 => Action::Delay(Duration::from_millis(self.count % 700)),
            _ => Action::Forward,
        }
    }
}

pub(super) const fn lifecycle(_: &Over) -> Lifecycle {
    Lifecycle::Closed(0)
}
