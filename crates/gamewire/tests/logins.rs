//! The login, step by step: the messages of real servers and of this server.
//!
//! docs/protocols/teeworlds-logins.md has the tables. `UPDATE_LOGINS=1 cargo test -p gamewire logins` writes it.

use crate::{chunks, support};
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use crate::support::{Conversation, Datagram};
use gamewire::machine::{ConversationSide, Instant, Machine};
use gamewire::teeworlds::client::{Client, ClientConfig};
use gamewire::teeworlds::raw::v06::V06;
use gamewire::teeworlds::raw::v07::V07;
use gamewire::teeworlds::raw::version::{MessageOf, Version};
use gamewire::teeworlds::server::{Map, Server, ServerConfig, WalkingGame};
use gamewire::teeworlds::{AcceptorConfig, Dialect, LinkConfig, TokenlessPolicy};
use gamewire::wire::Reader;

/// A recorded login, and the messages that this server omits, with reasons.
struct Recorded {
    server: &'static str,
    capture: &'static str,
    dialect: Dialect,
    /// Set if this server sends the same messages in the same order. Otherwise the real server sends more.
    is_exact: bool,
    left_out: &'static [(&'static str, &'static str)],
}

const DDNET: &[(&str, &str)] = &[
    ("chat", "DDNet introduces itself in several lines; this server has one line, as Teeworlds"),
    ("vote_option_list_add", "there are options only if they are configured"),
    ("record", "there is no race"),
    ("teams_state", "there are no teams of DDNet"),
];

const RECORDED: &[Recorded] = &[
    Recorded {
        server: "teeworlds-server 0.7.5",
        capture: "tw-0.7-two-clients",
        dialect: Dialect::V07,
        is_exact: true,
        left_out: &[],
    },
    Recorded {
        server: "0.6.5",
        capture: "tw-0.6.5-tokens",
        dialect: Dialect::V065,
        is_exact: true,
        left_out: &[],
    },
    Recorded {
        server: "DDNet 16.4",
        capture: "tw-0.6-ddnet-tken",
        dialect: Dialect::Tken,
        is_exact: true,
        left_out: DDNET,
    },
    Recorded {
        server: "DDNet 20.1",
        capture: "tw-0.6-ddnet-20",
        dialect: Dialect::V06,
        is_exact: false,
        left_out: &[],
    },
    Recorded {
        server: "DDNet 20.1",
        capture: "tw-0.6-ddnet-20-tken",
        dialect: Dialect::Tken,
        is_exact: false,
        left_out: &[],
    },
    Recorded {
        server: "DDNet 20.1",
        capture: "tw-0.7-ddnet-20",
        dialect: Dialect::V07,
        is_exact: false,
        left_out: &[],
    },
];

/// Consecutive messages of one side.
#[derive(Debug, PartialEq)]
struct Step {
    is_client: bool,
    messages: Vec<&'static str>,
}

/// Messages that are not part of every login.
const NO_LOGIN: &[&str] = &["map_data", "request_map_data", "rcon_cmd", "input", "input_timing"];

/// Returns the steps of a login, up to the first message of the client after a snapshot. The download of the map is
/// omitted, because a client that has the map skips it.
fn steps(conversation: &Conversation) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let (mut seen, mut has_snapshot, mut is_over) = (Vec::new(), false, false);
    chunks::each(conversation, |dialect, is_client, content| {
        let name = match dialect {
            Dialect::V07 => name_of::<V07>(dialect, content),
            _ => name_of::<V06>(dialect, content),
        };
        if !is_client && seen.is_empty() {
            // The antispoof handshake, before the first message of the client: a map that no client loads, and empty
            // snapshots.
            return;
        }
        has_snapshot |= name.starts_with("snap_");
        is_over |= has_snapshot && is_client;
        // A resent message equals one of the last two of its side.
        let said = (is_client, content.to_vec());
        let of_side = seen.iter().rev().filter(|(side, _): &&(bool, Vec<u8>)| *side == is_client);
        let is_resent = of_side.take(2).any(|known| *known == said);
        if is_over || is_resent || NO_LOGIN.contains(&name) {
            return;
        }
        seen.push(said);
        match steps.last_mut() {
            Some(step) if step.is_client == is_client && step.messages.last() == Some(&name) => {}
            Some(step) if step.is_client == is_client => step.messages.push(name),
            _ => steps.push(Step { is_client, messages: vec![name] }),
        }
    });
    steps
}

fn name_of<V: Version>(dialect: Dialect, content: &[u8]) -> &'static str {
    MessageOf::<'_, V>::decode(Reader::new(content), dialect.fifth_byte(), &mut ()).unwrap().name()
}

/// Plays a login between our client and our server, and returns its datagrams.
fn ours(dialect: Dialect) -> Conversation {
    let [client_at, server_at]: [SocketAddr; 2] =
        [([10, 0, 0, 2], 1000).into(), ([10, 0, 0, 1], 8303).into()];
    let mut config = ServerConfig::new([1; 32], "gamewire", Map::new("dm1", vec![7; 100]));
    config.acceptor = AcceptorConfig {
        tokenless: TokenlessPolicy::Accept(LinkConfig::vanilla(Dialect::V06)),
        ..AcceptorConfig::vanilla()
    };
    let mut server = Server::new(config, WalkingGame::default(), Instant::ZERO);
    let config = ClientConfig::new(dialect, "nameless tee", [2; 32]);
    let mut client = Client::connect(server_at, config, Instant::ZERO);
    let mut datagrams = Vec::new();
    for tick in 0..200_u32 {
        let at = Instant::ZERO + Duration::from_millis(10) * tick;
        client.handle_timeout(at);
        carry(&mut client, at, ConversationSide::First, &mut datagrams, |data| {
            server.handle_datagram(at, client_at, data).ok();
        });
        server.handle_timeout(at);
        carry(&mut server, at, ConversationSide::Second, &mut datagrams, |data| {
            client.handle_datagram(at, server_at, data).ok();
        });
        if client.state() == "playing" {
            break;
        }
    }
    assert_eq!(client.state(), "playing", "{dialect:?}");
    Conversation { ends: [client_at, server_at], datagrams }
}

fn carry<M: Machine>(
    machine: &mut M,
    at: Instant,
    from: ConversationSide,
    datagrams: &mut Vec<Datagram>,
    mut deliver: impl FnMut(&[u8]),
) {
    let mut data = Vec::new();
    while machine.poll_transmit(at, &mut data).is_some() {
        let frame = u64::try_from(datagrams.len()).unwrap();
        datagrams.push(Datagram { frame, at, from, data: data.clone() });
        deliver(&data);
    }
}

/// Returns the message names of a step, except those that this server omits.
fn without<'a>(step: &'a Step, left_out: &'a [(&str, &str)]) -> impl Iterator<Item = &'static str> + 'a {
    let is_left_out = |name: &str| left_out.iter().any(|(known, _)| *known == name);
    step.messages.iter().copied().filter(move |name| !is_left_out(name))
}

#[test]
fn this_server_sends_at_each_step_what_real_servers_send() {
    for recorded in RECORDED {
        let real = steps(&support::conversations(recorded.capture)[0]);
        let ours = steps(&ours(recorded.dialect));
        let of_server = |steps: &[Step]| -> Vec<Vec<&str>> {
            let steps = steps.iter().filter(|step| !step.is_client);
            steps.map(|step| without(step, recorded.left_out).collect()).collect()
        };
        let (ours, real) = (of_server(&ours), of_server(&real));
        if recorded.is_exact {
            assert_eq!(ours, real, "{}", recorded.server);
        }
        assert_eq!(ours.len(), real.len(), "{}", recorded.server);
        for (ours, real) in ours.iter().zip(&real) {
            assert!(ours.iter().all(|name| real.contains(name)), "{}: {ours:?} in {real:?}", recorded.server);
        }
    }
}

#[test]
fn the_tables_in_the_documents_are_those_of_the_captures() {
    let mut text = String::from(
        "# Logins of Teeworlds\n\nWhat a server sends at each step of a login, up to the first snapshot: real servers in the \
         committed captures, and this server. The antispoof handshake before a login is left out, and so is the download of \
         the map, which depends on the client. \
         `UPDATE_LOGINS=1 cargo test -p gamewire logins` writes this page.\n",
    );
    for recorded in RECORDED {
        let real = steps(&support::conversations(recorded.capture)[0]);
        let ours = steps(&ours(recorded.dialect));
        let (name, server) = (recorded.dialect.name(), recorded.server);
        write!(text, "\n## `{name}`: {server}\n\n| client | {server} | gamewire |\n|---|---|---|\n").unwrap();
        let mut answers = real.iter().zip(&ours).peekable();
        while let Some((asked, _)) = answers.next_if(|(step, _)| step.is_client) {
            let (of_real, of_ours) = answers.next().map_or((String::new(), String::new()), |(real, ours)| {
                (real.messages.join(", "), ours.messages.join(", "))
            });
            writeln!(text, "| {} | {of_real} | {of_ours} |", asked.messages.join(", ")).unwrap();
        }
        for (message, reason) in recorded.left_out {
            write!(text, "\n* `{message}` is left out: {reason}.").unwrap();
        }
        text.push_str(if recorded.left_out.is_empty() { "" } else { "\n" });
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/protocols/teeworlds-logins.md");
    if std::env::var_os("UPDATE_LOGINS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), text);
}
