use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use allocation_counter::measure;
use gamewire_machine::{Instant, Machine, Role, Transmit, Transport, Wake};
use gamewire_proxy::rules::{RuleMessages, Rules};
use gamewire_proxy::{Action, Bridge, MessageHook, Unchanged};
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
    /// Number of allocations of the bridge.
    allocations: u64,
    buffer: Vec<u8>,
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
            allocations: 0,
            buffer: Vec::new(),
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

    /// Returns the number of allocations of the bridge since the last call.
    pub(super) const fn take_allocations(&mut self) -> u64 {
        std::mem::replace(&mut self.allocations, 0)
    }

    fn counted<R>(&mut self, call: impl FnOnce(&mut B) -> R) -> R {
        let mut result = None;
        self.allocations += measure(|| result = Some(call(&mut self.bridge))).count_total;
        result.unwrap()
    }

    fn handle(&mut self, now: Instant, from: Role, bytes: &[u8]) {
        if self.has_ends && bytes.is_empty() {
            self.counted(|bridge| bridge.handle_close(now, from));
        } else {
            self.counted(|bridge| bridge.handle(now, from, bytes));
        }
    }

    /// Exchanges all datagrams between the bridge and the program behind it.
    fn settle(&mut self, now: Instant) {
        let far = self.facing.other();
        let mut buffer = std::mem::take(&mut self.buffer);
        for _ in 0..MAX_ROUNDS {
            let mut is_quiet = true;
            while self.counted(|bridge| bridge.poll_transmit(now, far, &mut buffer)) {
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
        self.buffer = buffer;
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
            self.counted(|bridge| bridge.handle_timeout(now));
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
        let facing = self.facing;
        self.counted(|bridge| bridge.poll_transmit(now, facing, buffer)).then_some(Transmit { to: PEER })
    }
}

/// Returns a hook by its number: rules that apply to no message for [`WITH_RULES`], a hook that performs all actions in
/// turns for odd numbers, and a hook that forwards all messages for the others.
pub(super) fn hook<G>(number: u64, game: G) -> Box<dyn MessageHook<G::Message>>
where
    G: RuleMessages + 'static,
    G::Message: 'static,
{
    const RULE: &str = "[[rule]]\nmatch = 'length > 60000'\naction = \"drop\"";
    match number {
        WITH_RULES => Box::new(Rules::parse(RULE, game).unwrap()),
        _ if number.is_multiple_of(2) => Box::new(Unchanged),
        _ => Box::new(Mixed(number)),
    }
}

/// The number of the hook with rules.
pub(super) const WITH_RULES: u64 = 2;

/// A hook that performs all actions in turns.
struct Mixed(u64);

impl<M> MessageHook<M> for Mixed {
    fn on_message(&mut self, _: Role, _: &mut M) -> Action {
        self.0 += 1;
        match self.0 % 16 {
            3 => Action::Drop,
            7 => Action::Duplicate,
            11 => Action::Delay(Duration::from_millis(self.0 % 700)),
            _ => Action::Forward,
        }
    }
}

pub(super) const fn lifecycle(_: &Over) -> Lifecycle {
    Lifecycle::Closed(0)
}
