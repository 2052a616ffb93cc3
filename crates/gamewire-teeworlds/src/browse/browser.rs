use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::net::SocketAddr;

use gamewire_machine::{Clock, Instant, Machine, Transmit, Wake};
use gamewire_wire::Writer;

use super::packet::Response;
use super::query::{Query, QueryOutcome};
use super::{BrowserConfig, Event};
use crate::handshake::SeededRng;
use crate::link::PacketError;
use crate::shared::packet::MAX_DATAGRAM;

/// A machine that queries servers for their information.
///
/// Every address is queried in every format of the configuration. Each query is repeated until it is answered or times
/// out. At most [`BrowserConfig::max_concurrent`] addresses are queried at the same time. For each address, the browser
/// stores at most 64 datagrams of the extended format.
#[derive(Debug)]
pub struct Browser {
    config: BrowserConfig,
    rng: SeededRng,
    clock: Clock,
    /// Addresses that have not been queried yet.
    waiting: VecDeque<SocketAddr>,
    queries: BTreeMap<SocketAddr, Vec<Query>>,
    /// Unread events. None is dropped, because the browser starts no new query while too many are unread.
    events: VecDeque<Event>,
    is_finished: bool,
}

impl Browser {
    /// Creates a browser that queries each of `addresses` once.
    pub fn new(addresses: impl IntoIterator<Item = SocketAddr>, config: BrowserConfig, now: Instant) -> Self {
        let mut known = BTreeSet::new();
        let waiting = addresses.into_iter().filter(|address| known.insert(*address)).collect();
        let mut browser = Self {
            rng: SeededRng::new(config.seed),
            config,
            clock: Clock::new(now),
            waiting,
            queries: BTreeMap::new(),
            events: VecDeque::new(),
            is_finished: false,
        };
        browser.start_queries();
        browser
    }

    /// Returns the number of addresses that are not finished.
    pub fn left(&self) -> usize {
        self.waiting.len().saturating_add(self.queries.len())
    }

    /// Returns the memory of queries and events in bytes, without the addresses that are not queried yet.
    pub fn held_bytes(&self) -> usize {
        let events = self.events.iter().map(Event::held_bytes);
        self.queries.values().flatten().map(Query::held_bytes).chain(events).sum()
    }

    /// Starts as many queries as allowed, or emits the last event.
    fn start_queries(&mut self) {
        while self.has_room() {
            let Some(address) = self.waiting.pop_front() else { break };
            let Self { config, rng, clock, .. } = self;
            let query = |format: &_| Query::new(*format, config, rng, clock.now());
            let queries: Vec<_> = config.formats.iter().map(query).collect();
            if !queries.is_empty() {
                self.queries.insert(address, queries);
            }
        }
        if self.left() == 0 && !self.is_finished {
            self.is_finished = true;
            self.events.push_back(Event::Finished);
        }
    }

    /// Returns whether another address may be queried.
    fn has_room(&self) -> bool {
        self.queries.len().saturating_add(self.events.len()) < self.config.max_concurrent.max(1)
    }
}

impl Machine for Browser {
    type Event = Event;
    type DatagramError = PacketError;

    fn handle_timeout(&mut self, now: Instant) {
        let now = self.clock.advance(now);
        let Self { queries, events, config, .. } = self;
        queries.retain(|address, queries| {
            queries.retain_mut(|query| {
                let is_finished = query.handle_timeout(config, now);
                if is_finished {
                    events.push_back(timeout_event(*address, query));
                }
                !is_finished
            });
            !queries.is_empty()
        });
        self.start_queries();
    }

    fn poll_timeout(&self) -> Option<Wake> {
        let next = Wake { at: self.clock.now() + Duration::from_micros(1), reason: "next address" };
        let next = (self.has_room() && !self.waiting.is_empty()).then_some(next);
        let queries = self.queries.values().flatten().map(|query| Some(query.poll_timeout()));
        Wake::earliest(queries.chain([next]))
    }

    fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    fn handle_datagram(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), PacketError> {
        let queries = self.queries.get_mut(&from).ok_or(PacketError::UnknownAddress)?;
        let response = Response::decode(data)?;
        let Self { config, rng, clock, .. } = self;
        let at = clock.now().max(now);
        let mut found = None;
        for (index, query) in queries.iter_mut().enumerate() {
            match query.on_response(&response, config, rng, at)? {
                QueryOutcome::Other => {}
                outcome => {
                    found = Some((index, outcome));
                    break;
                }
            }
        }
        let (index, outcome) = found.ok_or(PacketError::Unexpected("not an answer to a query"))?;
        clock.advance(now);
        if let QueryOutcome::Answered(info) = outcome {
            let query = queries.remove(index);
            let (format, round_trip) = (query.format(), query.round_trip());
            self.events.push_back(Event::Answer { address: from, format, info, round_trip });
            if queries.is_empty() {
                self.queries.remove(&from);
            }
            self.start_queries();
        }
        Ok(())
    }

    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        buffer.resize(MAX_DATAGRAM, 0);
        let mut to = Writer::new(buffer);
        let due = self.queries.iter_mut().find_map(|(address, queries)| {
            queries.iter_mut().any(|query| query.poll_transmit(now, &mut to)).then_some(*address)
        });
        let length = to.len();
        buffer.truncate(length);
        due.map(|to| Transmit { to })
    }
}

/// Returns the event of a query that timed out. It contains the received part of the answer, if there is one.
fn timeout_event(address: SocketAddr, query: &mut Query) -> Event {
    let (format, round_trip) = (query.format(), query.round_trip());
    match query.take_partial() {
        Some(info) => Event::Answer { address, format, info, round_trip },
        None => Event::NoAnswer { address, format },
    }
}
