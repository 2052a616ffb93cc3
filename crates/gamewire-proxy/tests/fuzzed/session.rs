//! A client, a bridge that terminates both connections, and a server. The bytes of an input are the operations.

use core::time::Duration;
use std::collections::VecDeque;
use std::sync::{Arc, LazyLock};

use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_freeciv::follow::Definitions;
use gamewire_machine::{Instant, Role, Transport};
use gamewire_proxy::freeciv::{FreecivBridge, FreecivConfig, FreecivMessages};
use gamewire_proxy::riptide::{RiptideBridge, RiptideConfig, RiptideMessages};
use gamewire_proxy::rules::Rules;
use gamewire_proxy::teeworlds::{TeeworldsBridge, TeeworldsConfig, TeeworldsMessages};
use gamewire_proxy::{Bridge, MessageHook, Unchanged};
use gamewire_riptide::Format;
use gamewire_riptide::client::{Client, ClientConfig};
use gamewire_riptide::layout::{MessageDefinition, MessageKind, MessageLayouts};
use gamewire_riptide::server::{Server, ServerConfig};
use gamewire_sim::contract::{START, StreamsAsDatagram};
use gamewire_teeworlds::{AcceptorConfig, Dialect, LinkConfig, TokenlessPolicy};

use super::peers::{ADDRESS, Peer, Raw};
use super::thin::{Thin, patient};

pub const DIALECTS: [Dialect; 4] = [Dialect::V06, Dialect::V065, Dialect::Tken, Dialect::V07];
const FORMATS: [Format; 2] = [Format::V20, Format::V21];

/// Maximum number of operations. Further ones are ignored.
const MAX_STEPS: usize = 24;
/// Maximum number of outputs that one input may cause for one side.
const MAX_OUTPUTS: usize = 600;
/// Number of stored datagrams of each peer, which may arrive again.
const MAX_KEPT: usize = 16;

const TEEWORLDS_RULES: &str = r#"
[[rule]]
match = "teeworlds.say"
action = "set"
field = "text"
value = "changed"

[[rule]]
match = "teeworlds.input"
action = "delay"
milliseconds = 30

[[rule]]
match = 'teeworlds.chat.text contains "a" || teeworlds.motd'
from = "server"
action = "duplicate"

[[rule]]
match = "teeworlds.emoticon || teeworlds.kill"
action = "drop"
"#;

const RIPTIDE_RULES: &str = r#"
[[rule]]
match = "riptide.door"
action = "set"
field = "is_open"
value = "true"

[[rule]]
match = "riptide.reliable.id == 2"
action = "delay"
milliseconds = 30

[[rule]]
match = "riptide.unreliable"
action = "duplicate"

[[rule]]
match = "riptide.reliable.id == 3"
from = "client"
action = "drop"
"#;

const FREECIV_RULES: &str = r#"
[[rule]]
match = "freeciv.chat_msg"
action = "set"
field = "message"
value = "changed"

[[rule]]
match = "freeciv.chat_msg_req"
action = "duplicate"

[[rule]]
match = "freeciv.player_phase_done"
action = "delay"
milliseconds = 30

[[rule]]
match = "freeciv.nation_select_req || freeciv.tile_info.tile == 3"
action = "drop"
"#;

pub static LAYOUTS: LazyLock<Arc<MessageLayouts>> = LazyLock::new(|| {
    let door = ["id: byte", "is_open: bool", "names: string[]", "at: float[2]"];
    let door = MessageDefinition::new(MessageKind::Message(1), "door", door);
    Arc::new(MessageLayouts::new(&[], &[door]).unwrap())
});

/// An operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The time advances by this many milliseconds. All datagrams arrive.
    Exchange(u16),
    /// The time advances by this many milliseconds. The datagrams of the bridge are lost.
    Lose(u16),
    /// The time jumps by this many seconds.
    Jump(u16),
    /// A program sends a message. Bytes of Freeciv are parts of its stream.
    Send { from: Role, mode: u8, content: Vec<u8> },
    /// Any bytes arrive from a side.
    Receive { from: Role, bytes: Vec<u8> },
    /// An earlier datagram of a side arrives again. Bit `flipped` of it is inverted, if it has that many bits.
    Repeat { from: Role, back: u8, flipped: u8 },
    /// A program leaves.
    Leave(Role),
    /// The stream of a side ends.
    Close(Role),
}

impl Step {
    /// Takes the next step from `bytes`: the operation in the low bits, then the mode and the side, a number, and the
    /// content.
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let (&[kind, high, low], rest) = bytes.split_first_chunk::<3>()?;
        *bytes = rest;
        let number = u16::from_be_bytes([high, low]);
        let mut data = || {
            let (data, rest) = rest.split_at(usize::from(number).min(rest.len()));
            *bytes = rest;
            data.to_vec()
        };
        let from = if kind & 0x80 == 0 { Role::Client } else { Role::Server };
        Some(match kind & 7 {
            0 => Self::Exchange(number % 300),
            1 => Self::Lose(number % 300),
            2 => Self::Jump(number),
            3 => Self::Send { from, mode: kind >> 3 & 3, content: data() },
            4 => Self::Receive { from, bytes: data() },
            5 => Self::Repeat { from, back: high, flipped: low },
            6 => Self::Leave(from),
            _ => Self::Close(from),
        })
    }

    /// Appends the step to `bytes`.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        let side = |from: &Role| if *from == Role::Server { 0x80 } else { 0 };
        let (kind, number, data): (u8, u16, &[u8]) = match self {
            Self::Exchange(millis) => (0, *millis, &[]),
            Self::Lose(millis) => (1, *millis, &[]),
            Self::Jump(seconds) => (2, *seconds, &[]),
            Self::Send { from, mode, content } => (3 | mode << 3 | side(from), content.len() as u16, content),
            Self::Receive { from, bytes } => (4 | side(from), bytes.len() as u16, bytes),
            Self::Repeat { from, back, flipped } => {
                (5 | side(from), u16::from_be_bytes([*back, *flipped]), &[])
            }
            Self::Leave(from) => (6 | side(from), 0, &[]),
            Self::Close(from) => (7 | side(from), 0, &[]),
        };
        bytes.push(kind);
        bytes.extend(number.to_be_bytes());
        bytes.extend(data);
    }
}

/// Runs a session. The first byte selects the protocol and both versions, and bit 7 rules; the steps follow.
///
/// A bridge does not panic, has no timer that is due after its timers fired, sends a bounded number of datagrams for
/// each input, and sends the same bytes in each run. Returns the number of messages and bytes that arrived at both
/// programs.
pub fn proxy(input: &[u8]) -> [usize; 2] {
    let Some((&start, mut bytes)) = input.split_first() else { return [0; 2] };
    let steps: Vec<_> = core::iter::from_fn(|| Step::read(&mut bytes)).take(MAX_STEPS).collect();
    let run = || {
        let mut session = Session::new(start);
        steps.iter().for_each(|step| session.step(step));
        (session.digest, session.arrived)
    };
    let first = run();
    // A second run of each input would halve the rate.
    if input.len().is_multiple_of(16) {
        assert_eq!(first, run(), "the same input, other bytes");
    }
    first.1
}

struct Session {
    bridge: Box<dyn Bridge>,
    /// The client and the server.
    peers: [Box<dyn Peer>; 2],
    /// Bytes of the bridge that have not arrived at the client and the server.
    sent: [VecDeque<Vec<u8>>; 2],
    /// The last bytes of the client and the server.
    kept: [VecDeque<Vec<u8>>; 2],
    arrived: [usize; 2],
    now: Instant,
    /// Hash of all output.
    digest: u64,
}

impl Session {
    fn new(start: u8) -> Self {
        let with_rules = start & 0x80 != 0;
        let (bridge, client, server): (Box<dyn Bridge>, Box<dyn Peer>, Box<dyn Peer>) = match start & 0x7f {
            number @ 0..16 => teeworlds(number, with_rules),
            number @ 16..24 => riptide(number - 16, with_rules),
            number => freeciv(number, with_rules),
        };
        Self {
            bridge,
            peers: [client, server],
            sent: Default::default(),
            kept: Default::default(),
            arrived: [0; 2],
            now: START,
            digest: 0,
        }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Exchange(millis) => self.run(Duration::from_millis((*millis).into()), true),
            Step::Lose(millis) => self.run(Duration::from_millis((*millis).into()), false),
            Step::Jump(seconds) => {
                self.now = self.now + Duration::from_secs((*seconds).into());
                self.fire();
            }
            Step::Send { from, mode, content } => self.peers[index(*from)].send(*mode, content),
            Step::Receive { from, bytes } => self.receive(*from, bytes),
            Step::Repeat { from, back, flipped } => {
                let kept = &self.kept[index(*from)];
                let Some(mut bytes) = kept.iter().rev().nth(usize::from(*back)).cloned() else { return };
                if let Some(byte) = bytes.get_mut(usize::from(flipped / 8)) {
                    *byte ^= 1 << (flipped % 8);
                }
                self.receive(*from, &bytes);
            }
            Step::Leave(role) => self.peers[index(*role)].close(),
            Step::Close(role) => {
                self.bridge.handle_close(self.now, *role);
                self.drain();
            }
        }
    }

    /// Runs all three for a time. If `is_connected` is false, nothing arrives.
    fn run(&mut self, time: Duration, is_connected: bool) {
        let end = self.now + time;
        loop {
            if is_connected {
                while self.exchange() {}
            }
            let later = self.now + Duration::from_millis(1);
            let peers = self.peers.iter().filter_map(|peer| peer.poll_timeout()).map(|at| at.max(later));
            let wakes = self.bridge.poll_timeout().map(|wake| wake.at).into_iter().chain(peers);
            self.now = wakes.min().unwrap_or(end).min(end);
            self.fire();
            if self.now >= end {
                return;
            }
        }
    }

    /// Delivers the datagrams of one round trip. Returns whether there were any.
    fn exchange(&mut self) -> bool {
        let mut is_busy = false;
        let mut buffer = Vec::new();
        for from in Role::BOTH {
            while self.peers[index(from)].poll_transmit(self.now, &mut buffer) {
                let kept = &mut self.kept[index(from)];
                kept.push_back(buffer.clone());
                if kept.len() > MAX_KEPT {
                    kept.pop_front();
                }
                self.receive(from, &buffer);
                is_busy = true;
            }
        }
        for to in Role::BOTH {
            while let Some(bytes) = self.sent[index(to)].pop_front() {
                self.arrived[index(to)] += bytes.len();
                self.peers[index(to)].handle(self.now, &bytes);
                is_busy = true;
            }
        }
        is_busy
    }

    fn receive(&mut self, from: Role, bytes: &[u8]) {
        self.bridge.handle(self.now, from, bytes);
        self.drain();
    }

    fn fire(&mut self) {
        self.peers.iter_mut().for_each(|peer| peer.handle_timeout(self.now));
        self.bridge.handle_timeout(self.now);
        self.drain();
        let due = self.bridge.poll_timeout().filter(|wake| wake.at <= self.now);
        assert!(due.is_none(), "due after it fired: {due:?}");
    }

    fn drain(&mut self) {
        let mut buffer = Vec::new();
        for to in Role::BOTH {
            let mut count = 0;
            while self.bridge.poll_transmit(self.now, to, &mut buffer) {
                count += 1;
                assert!(count <= MAX_OUTPUTS, "too many outputs");
                for byte in &buffer {
                    self.digest = (self.digest ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
                }
                self.digest = self.digest.rotate_left(7) ^ self.now.as_micros();
                self.sent[index(to)].push_back(buffer.clone());
            }
        }
    }
}

const fn index(role: Role) -> usize {
    match role {
        Role::Client => 0,
        Role::Server => 1,
    }
}

type Chain = (Box<dyn Bridge>, Box<dyn Peer>, Box<dyn Peer>);

/// Bits 0 and 1 select the client's dialect, bits 2 and 3 the server's.
fn teeworlds(number: u8, with_rules: bool) -> Chain {
    static RULES: LazyLock<Rules<TeeworldsMessages>> =
        LazyLock::new(|| Rules::parse(TEEWORLDS_RULES, TeeworldsMessages).unwrap());
    let (own, other) = (DIALECTS[usize::from(number % 4)], DIALECTS[usize::from(number / 4)]);
    let server_dialect = (own != other).then_some(other);
    let config = TeeworldsConfig { client: ADDRESS, server: ADDRESS, server_dialect, seed: [1; 32] };
    let acceptor = AcceptorConfig {
        tken: Some(patient(Dialect::Tken)),
        v065: Some(patient(Dialect::V065)),
        v07: Some(patient(Dialect::V07)),
        tokenless: TokenlessPolicy::Accept(LinkConfig::vanilla(Dialect::V06)),
        ..AcceptorConfig::vanilla()
    };
    (
        Box::new(TeeworldsBridge::with_hook(config, START, hook(with_rules, &*RULES))),
        Box::new(Thin::caller(own, patient(own), ADDRESS, [2; 32], START)),
        Box::new(Thin::listener(acceptor, [3; 32], START)),
    )
}

/// Bit 0 selects the client's format, bit 1 the server's, bit 2 streams.
fn riptide(number: u8, with_rules: bool) -> Chain {
    static RULES: LazyLock<Rules<RiptideMessages>> =
        LazyLock::new(|| Rules::parse(RIPTIDE_RULES, RiptideMessages::new(LAYOUTS.clone())).unwrap());
    let (own, other) = (FORMATS[usize::from(number & 1)], FORMATS[usize::from(number >> 1 & 1)]);
    let transport = if number & 4 == 0 { Transport::Udp } else { Transport::Tcp };
    let config = RiptideConfig {
        client: ADDRESS,
        server: ADDRESS,
        transport,
        server_format: (own != other).then_some(other),
        layouts: LAYOUTS.clone(),
    };
    let bridge = Box::new(RiptideBridge::with_hook(config, START, hook(with_rules, &*RULES)));
    let (client, server) = (ClientConfig::new(own), Server::new(ServerConfig::new(4), START));
    match transport {
        Transport::Udp => {
            (bridge, Box::new(Client::connect(&client, ADDRESS, START).unwrap()), Box::new(server))
        }
        Transport::Tcp => {
            let client = Client::connect_over_transport(&client, START).unwrap();
            let client = StreamsAsDatagram::connected(client, START, ADDRESS);
            (bridge, Box::new(client), Box::new(StreamsAsDatagram::new(server)))
        }
    }
}

/// The number selects the definition, or that the capabilities select it.
fn freeciv(number: u8, with_rules: bool) -> Chain {
    static RULES: LazyLock<Rules<FreecivMessages>> = LazyLock::new(|| {
        Rules::parse(FREECIV_RULES, FreecivMessages::new(Definitions::shipped().into())).unwrap()
    });
    let version = ProtocolVersion::ALL.get(usize::from(number % 4)).copied();
    let config = FreecivConfig {
        definition: version.map(gamewire_freeciv::session::codec::Definition::of),
        ..FreecivConfig::default()
    };
    let bridge = FreecivBridge::with_hook(config, hook(with_rules, &*RULES));
    (Box::new(bridge), Box::new(Raw::default()), Box::new(Raw::default()))
}

fn hook<M, H: MessageHook<M> + Clone + 'static>(with_rules: bool, rules: &H) -> Box<dyn MessageHook<M>> {
    if with_rules { Box::new(rules.clone()) } else { Box::new(Unchanged) }
}
