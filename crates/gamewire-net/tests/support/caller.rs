use std::collections::VecDeque;
use std::time::Duration;

use gamewire_machine::{Instant, Machine, Stream, Wake};

/// Says what it is told to over its stream, and keeps what it hears until it hears [`NONSENSE`].
#[derive(Debug, Default)]
pub struct Caller {
    pub heard: Vec<u8>,
    /// What it says when it hears nonsense.
    pub protest: Vec<u8>,
    now: Instant,
    alarm: Option<Instant>,
    saying: Vec<u8>,
    events: VecDeque<Called>,
}

/// A caller that hears this does not go on.
pub const NONSENSE: u8 = 0xff;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Called {
    /// So many bytes.
    Heard(usize),
    Ended,
    Rang,
}

#[derive(Debug)]
pub struct Nonsense;

impl core::fmt::Display for Nonsense {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("nonsense")
    }
}

impl core::error::Error for Nonsense {}

impl Caller {
    pub fn say(&mut self, bytes: &[u8]) {
        self.saying.extend_from_slice(bytes);
    }

    pub fn ring_after(&mut self, span: Duration) {
        self.alarm = Some(self.now + span);
    }
}

impl Machine for Caller {
    type Event = Called;

    fn handle_timeout(&mut self, now: Instant) {
        self.now = now;
        if self.alarm.is_some_and(|at| at <= now) {
            self.alarm = None;
            self.events.push_back(Called::Rang);
        }
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.alarm.map(|at| Wake { at, reason: "alarm" })
    }

    fn poll_event(&mut self) -> Option<Called> {
        self.events.pop_front()
    }
}

impl Stream for Caller {
    type Error = Nonsense;

    fn handle_bytes(&mut self, _: Instant, data: &[u8]) -> Result<(), Nonsense> {
        self.heard.extend_from_slice(data);
        self.events.push_back(Called::Heard(data.len()));
        if data.contains(&NONSENSE) {
            self.saying.extend_from_slice(&self.protest);
            self.events.push_back(Called::Ended);
            return Err(Nonsense);
        }
        Ok(())
    }

    fn handle_eof(&mut self, _: Instant) {
        self.events.push_back(Called::Ended);
    }

    fn poll_write(&mut self, _: Instant, buffer: &mut Vec<u8>) -> bool {
        let has_any = !self.saying.is_empty();
        buffer.append(&mut self.saying);
        has_any
    }
}
