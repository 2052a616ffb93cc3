//! The contract of machines for the browser.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::Duration;

use gamewire_machine::{Instant, Machine, Transmit, Wake};
use gamewire_sim::contract::{self, Harness, Lifecycle, PEER, START};

use super::support::{answers, asked_token, config, sent, server, token_reply};
use crate::browse::{Browser, BrowserConfig, Event, InfoFormat};
use crate::link::PacketError;
use crate::model::info::MAX_CLIENTS;
use crate::shared::data::Token;

/// A server that answers every request.
struct Answerer(VecDeque<(SocketAddr, Vec<u8>)>);

impl Machine for Answerer {
    type Event = ();
    type DatagramError = PacketError;

    fn handle_timeout(&mut self, _: Instant) {}

    fn poll_timeout(&self) -> Option<Wake> {
        None
    }

    fn poll_event(&mut self) -> Option<()> {
        None
    }

    fn handle_datagram(&mut self, _: Instant, from: SocketAddr, data: &[u8]) -> Result<(), PacketError> {
        if asked_token(data).is_none() {
            super::support::request(data)?;
        }
        self.0.extend(answers(&server(40), data).into_iter().map(|answer| (from, answer)));
        Ok(())
    }

    fn poll_transmit(&mut self, _: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        let (to, data) = self.0.pop_front()?;
        *buffer = data;
        Some(Transmit { to })
    }
}

struct Asking;

fn make(seed: u64, now: Instant) -> Browser {
    let config = BrowserConfig { seed: [seed as u8; 32], ..config(&InfoFormat::ALL) };
    Browser::new([PEER], config, now)
}

impl Harness for Asking {
    type Machine = Browser;
    type Peer = Answerer;

    const MAX_UNVERIFIED_BYTES: usize = 64 * 1024;
    const IDLE_TIMEOUT: Option<Duration> = Some(Duration::from_secs(4));
    const INITIAL_PEERS: &'static [u64] = &[0, 1, 2];

    fn make(seed: u64, now: Instant) -> Browser {
        make(seed, now)
    }

    fn peer(_: u64, _: Instant) -> Option<Answerer> {
        Some(Answerer(VecDeque::new()))
    }

    fn samples(seed: u64) -> Vec<Vec<u8>> {
        let mut browser = make(seed, START);
        let mut asked = sent(&mut browser, START);
        let ours = asked.iter().find_map(|question| asked_token(question)).unwrap();
        let token = token_reply(ours, Token(7));
        browser.handle_datagram(START, PEER, &token).unwrap();
        asked.extend(sent(&mut browser, START));
        let questions = asked.into_iter().filter(|question| asked_token(question).is_none());
        let mut samples = vec![token];
        for question in questions {
            let request = super::support::request(&question).unwrap();
            for clients in [3, MAX_CLIENTS] {
                crate::browse::reply(&server(clients), &request, |answer| samples.push(answer.to_vec()));
            }
        }
        samples
    }

    fn held_bytes(machine: &Browser) -> usize {
        machine.held_bytes()
    }

    fn lifecycle(event: &Event) -> Lifecycle {
        match event {
            Event::Answer { format, .. } | Event::NoAnswer { format, .. } => {
                Lifecycle::Closed(*format as u64)
            }
            Event::Finished => Lifecycle::Other,
        }
    }
}

#[test]
fn a_browser_keeps_the_contract() {
    contract::check::<Asking>();
}
