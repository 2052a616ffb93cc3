//! Invariants of a client and a server under any sequence of operations. The fuzz targets in `fuzz/`, the mutation
//! tests and the tests of the corpora use them.
//!
//! The peer is a connection without a session, so that any message can be sent at any time. Otherwise the peer follows
//! the protocol.

use core::fmt::Debug;
use core::time::Duration;
use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine};
use gamewire_sim::contract::Lifecycle;
use gamewire_teeworlds::Text;
use gamewire_teeworlds::client::{self, Client, MapPolicy};
use gamewire_teeworlds::model::message::{Audience, Input, Profile};
use gamewire_teeworlds::model::{ClientId, Skin};
use gamewire_teeworlds::server::{self, Server, WalkingGame};
use gamewire_teeworlds::value::{Emoticon, Team};

use super::step::{Sequence, Step};
use super::thin::{Thin, patient};
use super::{DIALECTS, client_config, every_dialect, host, seed, server_config};

/// Time at which sequences begin. There is enough time before it for clocks that go back.
const START: Instant = Instant::from_micros(1_000_000_000_000);
/// The addresses.
const SUBJECT: u8 = 1;
const PEER: u8 = 2;
const STRANGER: u8 = 3;
/// Longest timeout for a silent peer.
const SILENCE: Duration = Duration::from_secs(200);
/// Maximum datagrams that one step may cause, in addition to the datagrams during its time.
const MAX_SENT_PER_STEP: usize = 400;
/// Maximum datagrams that a command may cause immediately: a CLOSE and a new connection request.
const MAX_SENT_PER_COMMAND: usize = 2;
/// Number of stored datagrams of the peer, for replay.
const MAX_KEPT: usize = 32;

/// A machine under test.
pub trait Role: Machine<Event: Debug> + Sized {
    /// Creates the machine and its peer for a sequence that begins with `start`.
    fn create(start: u8, now: Instant) -> (Self, Thin);
    /// Executes the command with this number, modulo the number of commands.
    fn command(&mut self, number: u8, argument: u8);
    /// Returns the meaning of an event for a peer's lifecycle.
    fn mark(event: &Self::Event) -> Lifecycle;
    /// The id of the peer that exists from the beginning, if there is one.
    const BORN_WITH: Option<u64>;
    /// Returns whether a client is in the game.
    fn is_in_game(&self) -> bool;
    /// Returns how much data the machine stores because of its peers, and the limit.
    fn held_and_most(&self) -> (usize, usize);
}

impl Role for Client {
    const BORN_WITH: Option<u64> = Some(0);

    fn create(start: u8, now: Instant) -> (Self, Thin) {
        let mut config = client_config(1, DIALECTS[usize::from(start % 4)]);
        config.maps = if start & 4 == 0 { MapPolicy::Assume } else { MapPolicy::Ask };
        config.max_map_bytes = 100_000;
        let client = Self::connect(host(PEER), config, now);
        (client, Thin::listener(every_dialect(), seed(2), now))
    }

    fn command(&mut self, number: u8, argument: u8) {
        let number_of = i32::from(argument.cast_signed());
        let id = ClientId(argument);
        // The command may fail in this state.
        let _ = match number % 16 {
            0 => self.download_map(),
            1 => self.map_ready(),
            2 => self.say(Audience::All, "hello"),
            3 => self.say(Audience::Whisper(Some(id)), "psst"),
            4 => self.vote(number_of),
            5 => self.call_vote("kick", "1", "why not"),
            6 => self.emoticon(Emoticon(number_of)),
            7 => self.kill(),
            8 => self.set_team(Team(number_of)),
            9 => self.spectate(Some(id)),
            10 => self.rcon_login("secret"),
            11 => self.rcon("status"),
            12 => {
                let (name, clan, skin) = (Text::new("other"), Text::new("other"), Skin::default());
                self.change_info(Profile { name, clan, country: number_of, skin })
            }
            13 => {
                self.set_input(Input { direction: number_of.signum(), fire: number_of, ..Input::default() });
                Ok(())
            }
            14 if argument < 64 => {
                self.disconnect("bye");
                Ok(())
            }
            15 if argument < 64 => self.reconnect(argument.is_multiple_of(2).then_some(8303)),
            _ => Ok(()),
        };
    }

    fn mark(event: &client::Event) -> Lifecycle {
        match event {
            client::Event::Closed(_) => Lifecycle::Closed(0),
            _ => Lifecycle::Active(0),
        }
    }

    fn is_in_game(&self) -> bool {
        !self.players().is_empty()
    }

    fn held_and_most(&self) -> (usize, usize) {
        // Each item of a snapshot is in one list. Objects of DDNet may be in two lists.
        let world = self.world();
        let of_teeworlds = world.players.len() + world.characters.len() + world.pickups.len();
        let more = world.projectiles.len() + world.lasers.len() + world.flags.len() + world.events.len();
        (of_teeworlds + more + world.extended.len(), 2 * 1_024)
    }
}

impl Role for Server<WalkingGame> {
    const BORN_WITH: Option<u64> = None;

    fn create(start: u8, now: Instant) -> (Self, Thin) {
        let mut config = server_config(1);
        config.max_clients = 4;
        if start & 4 != 0 {
            config.password = "open".into();
        }
        let dialect = DIALECTS[usize::from(start % 4)];
        let caller = Thin::caller(dialect, patient(dialect), host(SUBJECT), seed(2), now);
        (Self::new(config, WalkingGame::default(), now), caller)
    }

    fn command(&mut self, number: u8, argument: u8) {
        let id = ClientId(argument % 4);
        match number % 8 {
            0 => self.say("hello"),
            1 => self.rcon_line(id, "hello"),
            2 => self.kick(id, "enough"),
            3 if argument < 32 => self.close("over"),
            _ => {}
        }
    }

    fn mark(event: &server::Event) -> Lifecycle {
        match event {
            server::Event::Connected { id, .. } => Lifecycle::Opened(id.0.into()),
            server::Event::Entered { id: from, .. }
            | server::Event::Chat { from, .. }
            | server::Event::RconCommand { from, .. }
            | server::Event::Message { from, .. } => Lifecycle::Active(from.0.into()),
            server::Event::Closed { id, .. } => Lifecycle::Closed(id.0.into()),
            server::Event::Missed { .. } => Lifecycle::Other,
        }
    }

    fn is_in_game(&self) -> bool {
        !self.world().players.is_empty()
    }

    fn held_and_most(&self) -> (usize, usize) {
        // The limit covers the acceptor, and for each client a link, its send buffer and a few seconds of small
        // snapshots.
        (self.held_bytes(), 80 * 1024 + self.client_count() * 256 * 1024)
    }
}

/// The result of a sequence.
#[derive(Clone, Copy, Debug, Default)]
pub struct Report {
    /// Number of executed steps.
    pub steps: usize,
    /// Numbers of datagrams that the machine received and rejected.
    pub heard: usize,
    pub rejected: usize,
    /// Number of events.
    pub events: usize,
    /// The peer has had a connection.
    pub met: bool,
    /// A client was in the game at some time.
    pub played: bool,
}

/// Executes a sequence on a client. [`Sequence::write`] returns such bytes.
pub fn client(bytes: &[u8]) -> Report {
    run::<Client>(&Sequence::read(bytes))
}

/// Executes a sequence on a server.
pub fn server(bytes: &[u8]) -> Report {
    run::<Server<WalkingGame>>(&Sequence::read(bytes))
}

/// Executes a sequence, and runs until all connections are closed.
pub fn run<R: Role>(sequence: &Sequence) -> Report {
    let mut stage = Stage::<R>::new(sequence.start);
    for step in &sequence.steps {
        stage.take(step);
        stage.look();
    }
    stage.finish();
    stage.report
}

/// A machine, its peer, the time and their state.
struct Stage<R: Role> {
    machine: R,
    peer: Thin,
    now: Instant,
    latest: Instant,
    /// Datagrams that the peer sent. The newest is last.
    sent: VecDeque<Vec<u8>>,
    /// Peers by id. `true` marks a closed one.
    lives: BTreeMap<u64, bool>,
    buffer: Vec<u8>,
    /// Number of commands whose datagrams were not counted yet.
    commands: usize,
    report: Report,
}

impl<R: Role> Stage<R> {
    fn new(start: u8) -> Self {
        let (machine, peer) = R::create(start, START);
        Self {
            machine,
            peer,
            now: START,
            latest: START,
            sent: VecDeque::new(),
            lives: R::BORN_WITH.into_iter().map(|id| (id, false)).collect(),
            buffer: Vec::new(),
            commands: 0,
            report: Report::default(),
        }
    }

    fn take(&mut self, step: &Step) {
        self.report.steps += 1;
        match step {
            Step::Talk(millis) => self.pass(*millis, true),
            Step::Wait(millis) => self.pass(*millis, false),
            Step::Jump(seconds) => {
                self.turn(false);
                self.now = self.now + Duration::from_secs((*seconds).into());
                self.tell_time();
                self.pass(0, false);
            }
            Step::Back(millis) => {
                let back = u64::from(*millis) * 1_000;
                self.now = Instant::from_micros(self.now.as_micros() - back);
                self.tell_time();
            }
            Step::Say { vital, content } => {
                self.peer.handle_timeout(self.now);
                // A message that does not fit a packet is not sent.
                let _ = self.peer.say(*vital, content);
                self.pass(0, true);
            }
            Step::Hear { from_peer, datagram } => {
                self.hear(host(if *from_peer { PEER } else { STRANGER }), datagram);
            }
            Step::Replay { back, flipped } => {
                let at = self.sent.len().checked_sub(1 + usize::from(*back) % MAX_KEPT);
                let Some(mut datagram) = at.and_then(|at| self.sent.get(at)).cloned() else { return };
                // Only the first bytes change. They contain the header, in which each bit matters most.
                if let Some(byte) = datagram.get_mut(usize::from(*flipped / 8)) {
                    *byte ^= 1 << (*flipped % 8);
                }
                self.hear(host(PEER), &datagram);
            }
            Step::Command { number, argument } => {
                self.tell_time();
                self.machine.command(*number, *argument);
                self.commands += 1;
            }
            Step::Poll => {
                self.poll_transmit(false);
                self.poll_event();
            }
        }
    }

    fn hear(&mut self, from: SocketAddr, datagram: &[u8]) {
        self.report.heard += 1;
        self.report.rejected += usize::from(self.machine.handle_datagram(self.now, from, datagram).is_err());
    }

    fn tell_time(&mut self) {
        self.latest = self.latest.max(self.now);
        self.machine.handle_timeout(self.now);
        if let Some(wake) = self.machine.poll_timeout() {
            assert!(wake.at > self.now, "after handle_timeout, its timer is still due: {}", wake.reason);
        }
    }

    fn poll_transmit(&mut self, arrives: bool) -> bool {
        let Some(transmit) = self.machine.poll_transmit(self.now, &mut self.buffer) else { return false };
        assert!(!self.buffer.is_empty() && self.buffer.len() <= 1_400, "{} bytes", self.buffer.len());
        if arrives && transmit.to.ip() == host(PEER).ip() {
            let _ = self.peer.handle_datagram(self.now, host(SUBJECT), &self.buffer);
        }
        true
    }

    fn poll_event(&mut self) -> bool {
        let Some(event) = self.machine.poll_event() else { return false };
        self.report.events += 1;
        let is_right = match R::mark(&event) {
            Lifecycle::Opened(id) => self.lives.insert(id, false) != Some(false),
            Lifecycle::Active(id) => self.lives.get(&id) == Some(&false),
            Lifecycle::Closed(id) => self.lives.insert(id, true) == Some(false),
            Lifecycle::Other => true,
        };
        assert!(is_right, "{event:?} of {:?}", self.lives);
        true
    }

    /// Polls the machine until it is idle. Returns the number of datagrams that it sends.
    fn turn(&mut self, arrives: bool) -> usize {
        let mut sent = 0;
        for _ in 0..20 {
            if self.machine.poll_timeout().is_some_and(|wake| wake.at <= self.now) {
                self.tell_time();
            }
            while self.poll_transmit(arrives) {
                sent += 1;
                assert!(sent <= 10 * MAX_SENT_PER_STEP, "it writes datagrams without an end");
            }
            while self.poll_event() {}
            if self.machine.poll_timeout().is_none_or(|wake| wake.at > self.now) {
                return sent;
            }
        }
        panic!("it wants to be woken again and again");
    }

    /// Polls the peer and delivers its datagrams. Returns whether there were any.
    fn turn_peer(&mut self) -> bool {
        if self.peer.poll_timeout().is_some_and(|wake| wake.at <= self.now) {
            self.peer.handle_timeout(self.now);
        }
        let mut has_sent = false;
        while self.peer.poll_transmit(self.now, &mut self.buffer).is_some() {
            let datagram = self.buffer.clone();
            self.hear(host(PEER), &datagram);
            if self.sent.len() >= MAX_KEPT {
                self.sent.pop_front();
            }
            self.sent.push_back(datagram);
            has_sent = true;
        }
        while self.peer.poll_event().is_some() {}
        self.report.met |= self.peer.link().is_some();
        has_sent
    }

    fn pass(&mut self, millis: u16, arrives: bool) {
        let end = self.now + Duration::from_millis(millis.into());
        let mut sent = 0;
        // The limit covers ticks, inputs, and answers to both.
        for _ in 0..200 + usize::from(millis) {
            sent += self.turn(arrives);
            if arrives && self.turn_peer() {
                continue;
            }
            let peer = self.peer.poll_timeout().filter(|_| arrives);
            let wakes = [self.machine.poll_timeout(), peer];
            match wakes.into_iter().flatten().map(|wake| wake.at).filter(|at| *at <= end).min() {
                Some(at) => self.now = self.now.max(at),
                None => {
                    self.now = end;
                    let commands = std::mem::take(&mut self.commands);
                    let most = MAX_SENT_PER_STEP + usize::from(millis) + commands * MAX_SENT_PER_COMMAND;
                    assert!(sent <= most, "{sent} datagrams in {millis} ms after {commands} commands");
                    return;
                }
            }
        }
        panic!("it goes round and round while time hardly passes");
    }

    fn look(&mut self) {
        self.report.played |= self.machine.is_in_game();
        let (held, most) = self.machine.held_and_most();
        assert!(held <= most, "{held} of {most}");
    }

    /// Checks that all connections are closed after a long silence.
    fn finish(&mut self) {
        self.turn(false);
        self.now = self.latest.max(self.now) + SILENCE;
        self.tell_time();
        self.turn(false);
        assert!(self.lives.values().all(|ended| *ended), "a connection never closes: {:?}", self.lives);
        self.look();
    }
}
