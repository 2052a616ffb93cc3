use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine, Transmit, Wake};
use gamewire_wire::Writer;

use super::heard::Response;
use super::question::{Query, QueryOutcome};
use super::{BrowserConfig, Event};
use crate::handshake::SeededRng;
use crate::link::PacketError;
use crate::shared::packet::MAX_DATAGRAM;

/// Asks servers what they are.
///
/// Every address is asked in every form of the config, again and again until it has answered or
/// its time is over. Only [`BrowserConfig::at_once`] of them are asked at a time, and what an
/// address can make the browser hold is bounded: 64 answers of the extended form.
#[derive(Debug)]
pub struct Browser {
    config: BrowserConfig,
    entropy: SeededRng,
    /// Addresses whose turn has not come.
    waiting: VecDeque<SocketAddr>,
    asked: BTreeMap<SocketAddr, Vec<Query>>,
    events: VecDeque<Event>,
    /// The last event was made.
    is_finished: bool,
    now: Instant,
}

impl Browser {
    /// Asks `addresses`, each once whatever its number in the list.
    #[must_use]
    pub fn new(addresses: impl IntoIterator<Item = SocketAddr>, config: BrowserConfig, now: Instant) -> Self {
        let mut known = BTreeSet::new();
        let waiting = addresses.into_iter().filter(|address| known.insert(*address)).collect();
        let mut browser = Self {
            entropy: SeededRng::new(config.seed),
            config,
            waiting,
            asked: BTreeMap::new(),
            events: VecDeque::new(),
            is_finished: false,
            now,
        };
        browser.start_queries();
        browser
    }

    /// How many addresses have not been dealt with in every form.
    #[must_use]
    pub fn left(&self) -> usize {
        self.waiting.len().saturating_add(self.asked.len())
    }

    /// The memory that questions and what was answered hold, in bytes; addresses whose turn has not
    /// come are not counted.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        let events = self.events.iter().map(Event::held_bytes);
        self.asked.values().flatten().map(Query::held_bytes).chain(events).sum()
    }

    /// Begins with as many addresses as may be asked now, or finishes.
    fn start_queries(&mut self) {
        while self.has_room() {
            let Some(address) = self.waiting.pop_front() else { break };
            let Self { config, entropy, now, .. } = self;
            let ask = |form: &_| Query::new(*form, config, entropy, *now);
            let questions: Vec<_> = config.formats.iter().map(ask).collect();
            if !questions.is_empty() {
                self.asked.insert(address, questions);
            }
        }
        if self.left() == 0 && !self.is_finished {
            self.is_finished = true;
            self.events.push_back(Event::Finished);
        }
    }

    /// Whether another address may be asked: events that nobody polls hold the browser up.
    fn has_room(&self) -> bool {
        self.asked.len().saturating_add(self.events.len()) < self.config.max_concurrent.max(1)
    }
}

impl Machine for Browser {
    type Event = Event;
    type DatagramError = PacketError;

    fn handle_timeout(&mut self, now: Instant) {
        self.now = now;
        let Self { asked, events, config, .. } = self;
        asked.retain(|address, questions| {
            questions.retain_mut(|question| {
                let is_over = question.handle_timeout(config, now);
                if is_over {
                    events.push_back(finish_event(*address, question));
                }
                !is_over
            });
            !questions.is_empty()
        });
        self.start_queries();
    }

    fn poll_timeout(&self) -> Option<Wake> {
        let next = Wake { at: self.now + Duration::from_micros(1), reason: "next address" };
        let next = (self.has_room() && !self.waiting.is_empty()).then_some(next);
        let questions = self.asked.values().flatten().map(Query::wake);
        questions.chain(next).min_by_key(|wake| wake.at)
    }

    fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    fn handle_datagram(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), PacketError> {
        let questions = self.asked.get_mut(&from).ok_or(PacketError::UnknownAddress)?;
        let heard = Response::parse(data)?;
        let Self { config, entropy, .. } = self;
        let mut taken = None;
        for (place, question) in questions.iter_mut().enumerate() {
            match question.handle_datagram(&heard, config, entropy, now)? {
                QueryOutcome::Other => {}
                step => {
                    taken = Some((place, step));
                    break;
                }
            }
        }
        let (place, step) = taken.ok_or(PacketError::Unexpected("no answer to what was asked"))?;
        self.now = now;
        if let QueryOutcome::Answered(info) = step {
            let question = questions.remove(place);
            let (form, round_trip) = (question.form(), question.round_trip());
            self.events.push_back(Event::Answer { address: from, form, info, round_trip });
            if questions.is_empty() {
                self.asked.remove(&from);
            }
            self.start_queries();
        }
        Ok(())
    }

    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        buffer.resize(MAX_DATAGRAM, 0);
        let mut to = Writer::new(buffer);
        let due = self.asked.iter_mut().find_map(|(address, questions)| {
            questions.iter_mut().any(|question| question.transmit(now, &mut to)).then_some(*address)
        });
        let length = to.len();
        buffer.truncate(length);
        due.map(|to| Transmit { to })
    }
}

/// How a question ends that was not answered in time, or not wholly.
fn finish_event(address: SocketAddr, question: &mut Query) -> Event {
    let (form, round_trip) = (question.form(), question.round_trip());
    match question.rest() {
        Some(info) => Event::Answer { address, form, info, round_trip },
        None => Event::NoAnswer { address, form },
    }
}
