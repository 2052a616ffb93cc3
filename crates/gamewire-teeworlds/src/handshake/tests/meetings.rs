//! A client and a server over a lossy network in virtual time.

use gamewire_machine::Instant;

use super::support::{DIALECTS, START, client, connecting, gate, puzzle, sent, trust};
use crate::Dialect;
use crate::handshake::{AcceptOutcome, Acceptor, ConnectOutcome, Connecting, FirstPacket, SeededRng};
use crate::link::{Link, LinkInput, Outbox, Scratch};

const INFO: &[u8] = b"\x03info";
const MAP: &[u8] = b"\x05map";

#[allow(clippy::large_enum_variant, reason = "there is one")]
enum Client {
    Connecting(Connecting),
    Online(Link),
}

/// A client and a server that try to exchange one message each.
struct Meeting {
    now: Instant,
    client: Client,
    gate: Acceptor,
    server: Option<Link>,
    scratch: Scratch,
    /// Datagrams in flight. They arrive without a delay.
    to_server: Vec<Vec<u8>>,
    to_client: Vec<Vec<u8>>,
    /// Number of datagrams sent by both sides.
    count: usize,
    accepted: usize,
    info: bool,
    map: bool,
}

impl Meeting {
    fn new(dialect: Dialect) -> Self {
        let (connecting, first) = connecting(dialect);
        let plain = if dialect == Dialect::V06 { trust() } else { puzzle() };
        Self {
            now: START,
            client: Client::Connecting(connecting),
            gate: gate(plain),
            server: None,
            scratch: Scratch::new(),
            to_server: vec![first],
            to_client: Vec::new(),
            count: 0,
            accepted: 0,
            info: false,
            map: false,
        }
    }

    /// Runs until both sides have received a message or a side times out. Returns whether both have received it.
    fn run(&mut self, mut loses: impl FnMut(usize) -> bool) -> bool {
        while !(self.info && self.map) {
            let to_server = core::mem::take(&mut self.to_server);
            let to_client = core::mem::take(&mut self.to_client);
            if to_server.is_empty() && to_client.is_empty() && !self.sleep() {
                return false;
            }
            for datagram in to_server {
                self.count += 1;
                if !loses(self.count) {
                    self.at_server(&datagram);
                }
            }
            for datagram in to_client {
                self.count += 1;
                if !loses(self.count) {
                    self.at_client(&datagram);
                }
            }
        }
        true
    }

    /// Advances the time to the next timer.
    fn sleep(&mut self) -> bool {
        let of_client = match &self.client {
            Client::Connecting(connecting) => connecting.poll_timeout(),
            Client::Online(link) => link.poll_timeout(),
        };
        let of_server = self.server.as_ref().and_then(Link::poll_timeout);
        let Some(wake) = of_client.into_iter().chain(of_server).min_by_key(|wake| wake.at) else {
            return false;
        };
        self.now = self.now.max(wake.at);
        let alive = match &mut self.client {
            Client::Connecting(connecting) => connecting.handle_timeout(self.now),
            Client::Online(link) => link.handle_timeout(self.now),
        };
        let served = self.server.as_mut().map_or(Ok(()), |link| link.handle_timeout(self.now));
        self.drain();
        alive.is_ok() && served.is_ok()
    }

    fn at_server(&mut self, datagram: &[u8]) {
        let mut out = Outbox::new();
        if let Some(link) = &mut self.server {
            match link.receive(self.now, datagram, &mut self.scratch) {
                Ok(LinkInput::Control { .. }) | Err(_) => {
                    let admission = self.gate.receive_from_peer(self.now, link, datagram, &mut out);
                    assert!(!matches!(admission, Ok(AcceptOutcome::Accepted { .. })), "{datagram:02x?}");
                }
                Ok(received) => {
                    let is_info = got(received, INFO);
                    self.taken_by_server(is_info);
                }
            }
        } else if let Ok(AcceptOutcome::Accepted { mut link, first_packet }) =
            self.gate.receive(self.now, client(), datagram, &mut out)
        {
            self.accepted += 1;
            let is_info = first_packet == FirstPacket::WithMessages
                && link
                    .receive(self.now, datagram, &mut self.scratch)
                    .is_ok_and(|received| got(received, INFO));
            self.server = Some(link);
            self.taken_by_server(is_info);
        }
        self.to_client.extend(sent(&mut out));
        self.drain();
    }

    /// Moves the datagrams of both sides to the network.
    fn drain(&mut self) {
        self.to_server.extend(match &mut self.client {
            Client::Connecting(connecting) => sent(&mut connecting.transmits),
            Client::Online(link) => sent(&mut link.transmits),
        });
        self.to_client.extend(self.server.iter_mut().flat_map(|link| sent(&mut link.transmits)));
    }

    fn taken_by_server(&mut self, is_info: bool) {
        if let Some(link) = self.server.as_mut().filter(|_| is_info && !self.info) {
            self.info = true;
            link.send(true, MAP).unwrap();
            link.flush();
        }
    }

    fn at_client(&mut self, datagram: &[u8]) {
        match &mut self.client {
            Client::Connecting(connecting) => {
                if let Ok(ConnectOutcome::Online(mut link)) = connecting.receive(self.now, datagram) {
                    link.send(true, INFO).unwrap();
                    link.flush();
                    self.client = Client::Online(link);
                }
            }
            Client::Online(link) => {
                let received = link.receive(self.now, datagram, &mut self.scratch);
                self.map |= received.is_ok_and(|received| got(received, MAP));
            }
        }
        self.drain();
    }

    fn dialect(&self) -> Option<Dialect> {
        match &self.client {
            Client::Connecting(_) => None,
            Client::Online(link) => Some(link.dialect()),
        }
    }
}

fn got(received: LinkInput<'_>, message: &[u8]) -> bool {
    match received {
        LinkInput::Chunks(chunks) => chunks.into_iter().any(|incoming| incoming.content == message),
        _ => false,
    }
}

#[test]
fn both_roles_connect_in_every_dialect_without_waiting() {
    for dialect in DIALECTS {
        let mut meeting = Meeting::new(dialect);
        assert!(meeting.run(|_| false), "{dialect:?}");
        assert_eq!((meeting.dialect(), meeting.accepted), (Some(dialect), 1));
        assert_eq!(meeting.now, START, "{dialect:?} waited for a timer");
    }
}

#[test]
fn the_handshake_survives_the_loss_of_any_two_datagrams() {
    for dialect in DIALECTS {
        for one in 1..=8 {
            for other in one..=8 {
                let mut meeting = Meeting::new(dialect);
                assert!(meeting.run(|count| count == one || count == other), "{dialect:?} {one} {other}");
                assert_eq!((meeting.dialect(), meeting.accepted), (Some(dialect), 1));
            }
        }
    }
}

#[test]
fn the_handshake_survives_the_loss_of_a_third_of_all_datagrams() {
    for dialect in DIALECTS {
        let mut met = 0;
        for seed in 0..200 {
            let mut entropy = SeededRng::new([seed; 32]);
            let mut meeting = Meeting::new(dialect);
            met += usize::from(meeting.run(|_| entropy.bytes()[0] < 85));
            assert!(meeting.accepted <= 1, "{dialect:?} {seed}");
        }
        // A meeting can fail, because all datagrams of ten seconds may be lost.
        assert!(met >= 195, "{dialect:?}: {met} of 200");
    }
}

#[test]
fn without_any_datagram_there_is_no_connection() {
    for dialect in DIALECTS {
        assert!(!Meeting::new(dialect).run(|_| true));
    }
}

#[test]
fn the_handshake_survives_duplicates_of_every_datagram() {
    for dialect in DIALECTS {
        let mut meeting = Meeting::new(dialect);
        while !(meeting.info && meeting.map) {
            let (to_server, to_client) =
                (core::mem::take(&mut meeting.to_server), core::mem::take(&mut meeting.to_client));
            assert!(!(to_server.is_empty() && to_client.is_empty()), "{dialect:?} waits");
            for datagram in to_server {
                meeting.at_server(&datagram);
                meeting.at_server(&datagram);
            }
            for datagram in to_client {
                meeting.at_client(&datagram);
                meeting.at_client(&datagram);
            }
        }
        assert_eq!((meeting.dialect(), meeting.accepted), (Some(dialect), 1));
    }
}
