//! Valid inputs, made from the captures and streams in `vectors/`.

use std::collections::VecDeque;
use std::fs;
use std::path::PathBuf;

use gamewire_machine::Role;
use gamewire_proxy::replay::RecordedConversation;
use gamewire_teeworlds::Dialect;
use gamewire_teeworlds::raw::link::PassiveReceiver;

use super::corpus::Input;
use super::replay;
use super::session::{DIALECTS, Step};

/// A recorded game of each dialect.
const CAPTURES: [&str; 4] =
    ["tw-0.6-ddnet-20.pcap", "tw-0.6.5-tokens.pcap", "tw-0.6-ddnet-tken.pcap", "tw-0.7-two-clients.pcap"];

fn vectors() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors")
}

fn conversation(protocol: &'static str, path: &str) -> RecordedConversation {
    RecordedConversation::load_all(&fs::read(vectors().join(path)).unwrap(), protocol).unwrap().remove(0)
}

fn captured(dialect: usize) -> RecordedConversation {
    conversation("teeworlds", &format!("teeworlds/captures/{}", CAPTURES[dialect]))
}

/// Returns the sessions of every pair of versions, with and without rules.
pub fn sessions() -> Vec<Input> {
    let mut found = Vec::new();
    for (client, server) in (0..4).flat_map(|client| (0..4).map(move |server| (client, server))) {
        let start = client as u8 | (server as u8) << 2;
        let steps = teeworlds(client, server);
        found.push((format!("{}-to-{}", DIALECTS[client].name(), DIALECTS[server].name()), start, steps));
    }
    for number in 0..8 {
        let name =
            format!("riptide-2.{}-to-2.{}-{}", number & 1, number >> 1 & 1, ["udp", "tcp"][number >> 2]);
        found.push((name, 16 + number as u8, riptide()));
    }
    for (version, stream) in ["game", "game-3.1", "game-3.2", "join-level0", "reject"].into_iter().zip(24..) {
        found.push((format!("freeciv-{version}"), stream, freeciv(version)));
    }
    let with_rules = |(at, (name, start, steps)): (usize, (String, u8, Vec<Step>))| {
        let (name, rules) = if at % 2 == 0 { (name, 0) } else { (format!("{name}-with-rules"), 0x80) };
        let mut bytes = vec![start | rules];
        steps.iter().for_each(|step| step.write(&mut bytes));
        (name, bytes)
    };
    found.into_iter().enumerate().map(with_rules).collect()
}

/// Returns the messages that a side of a game sent, without long ones.
fn messages(dialect: usize, side: Role) -> VecDeque<Step> {
    let mut receiver = PassiveReceiver::new(DIALECTS[dialect]);
    let conversation = captured(dialect);
    let packets = conversation.packets.iter().filter(|packet| packet.sender == side);
    let messages = packets.flat_map(|packet| receiver.receive(&packet.bytes).unwrap_or_default());
    let messages = messages.filter(|message| message.content.len() < 200);
    let step = |message: gamewire_teeworlds::MessageBuf| Step::Send {
        from: side,
        mode: message.vital.into(),
        content: message.content,
    };
    messages.map(step).collect()
}

/// Returns a game: the login, messages of both sides in turns, losses, and the end.
fn teeworlds(client: usize, server: usize) -> Vec<Step> {
    let mut steps = vec![Step::Exchange(5)];
    let (mut up, mut down) = (messages(client, Role::Client), messages(server, Role::Server));
    for round in 0..6 {
        steps.extend(up.pop_front());
        steps.extend(down.pop_front());
        steps.push(if round == 4 { Step::Lose(30) } else { Step::Exchange(10) });
    }
    steps.push(Step::Repeat { from: Role::Server, back: 1, flipped: 40 });
    steps.push(Step::Leave(if DIALECTS[client] == Dialect::V07 { Role::Client } else { Role::Server }));
    steps.push(Step::Exchange(5));
    steps
}

fn riptide() -> Vec<Step> {
    let send =
        |from, mode, id: u8, values: &[u8]| Step::Send { from, mode, content: [&[0, id], values].concat() };
    let door = [3, 1, 1, 1, b'a', 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40];
    vec![
        Step::Exchange(50),
        send(Role::Client, 1, 1, &door),
        send(Role::Server, 1, 1, &door),
        send(Role::Server, 0, 2, b"unreliable"),
        Step::Exchange(20),
        send(Role::Client, 3, 0, b"notify"),
        send(Role::Client, 1, 2, b"delayed"),
        send(Role::Client, 1, 3, b"dropped"),
        Step::Lose(200),
        Step::Exchange(250),
        Step::Receive { from: Role::Server, bytes: vec![1, 2, 3, 4] },
        Step::Repeat { from: Role::Client, back: 0, flipped: 9 },
        Step::Leave(Role::Server),
        Step::Exchange(20),
        Step::Close(Role::Client),
    ]
}

/// Returns the beginning of a recorded game: the client's join request, and the server's stream in pieces.
fn freeciv(version: &str) -> Vec<Step> {
    let join = conversation("freeciv", "freeciv/captures/game.pcap").bytes_of(Role::Client);
    let stream = fs::read(vectors().join(format!("freeciv/streams/{version}.bin"))).unwrap();
    let send = |from, bytes: &[u8]| Step::Send { from, mode: 0, content: bytes.to_vec() };
    let (join, rest) = join.split_at(usize::from(u16::from_be_bytes([join[0], join[1]])));
    let mut steps = vec![send(Role::Client, join), Step::Exchange(1)];
    steps.extend(stream.chunks(300).take(5).map(|piece| send(Role::Server, piece)));
    steps.push(Step::Exchange(1));
    steps.push(send(Role::Client, &rest[..rest.len().min(400)]));
    steps.extend([Step::Exchange(50), Step::Close(Role::Server)]);
    steps
}

/// Returns the first packets of recorded conversations.
pub fn replays() -> Vec<Input> {
    let mut found = Vec::new();
    for (dialect, name) in (0..).zip(CAPTURES) {
        let conversation = captured(dialect);
        for (side, start) in [("server", dialect as u8), ("client", 8 | dialect as u8)] {
            for count in [20, 40] {
                let packets = conversation.packets.iter().filter(|packet| packet.bytes.len() < 700);
                found.push((format!("{name}-{side}-{count}"), replay::input(start, packets.take(count))));
            }
        }
    }
    let riptide = conversation("riptide", "riptide/captures/pytide-2.1.0a0-udp.pcapng");
    for (side, start) in [("server", 5), ("client", 13)] {
        for count in [6, 30] {
            found.push((
                format!("riptide-{side}-{count}"),
                replay::input(start, riptide.packets.iter().take(count)),
            ));
        }
    }
    let mut freeciv = conversation("freeciv", "freeciv/captures/game.pcap");
    freeciv.packets.iter_mut().for_each(|packet| packet.bytes.truncate(1_200));
    found.push(("freeciv".into(), replay::input(7, freeciv.packets.iter().take(12))));
    found.push(("freeciv-login".into(), replay::input(7, freeciv.packets.iter().take(2))));
    found
}

/// Returns files of rules for each game, the last one invalid.
pub fn rules() -> Vec<Input> {
    let matches = [
        [r#"teeworlds.say.text contains "spam""#, "teeworlds.say", r#"text"#, "***"],
        [
            "teeworlds.input.fire & 1 == 1 && direction == \"client\"",
            "teeworlds.chat || teeworlds.motd",
            "client_id",
            "7",
        ],
        ["riptide.reliable.id == 1", "riptide.door", "is_open", "false"],
        ["len(riptide.door.names) > 1", "not riptide.door", "names", r#"["x","y"]"#],
        ["freeciv.unit_orders.orders.target == 9", "freeciv.unit_orders", "orders[1].target", "12"],
        [r#"freeciv.chat_msg_req.message matches "h.*""#, "freeciv.chat_msg_req", "message", "hello"],
        ["teeworlds", "riptide", "nothing", "0"],
    ];
    let actions = ["drop", "duplicate", "delay\"\nmilliseconds = 500\n#"];
    let mut found = Vec::new();
    for (number, [first, second, field, value]) in matches.into_iter().enumerate() {
        for (at, action) in actions.into_iter().enumerate() {
            let first = format!("[[rule]]\nmatch = '{first}'\nfrom = \"client\"\naction = \"{action}\"\n");
            let set = format!(
                "[[rule]]\nmatch = '{second}'\naction = \"set\"\nfield = \"{field}\"\nvalue = '{value}'\n"
            );
            let text = format!("{set}\n{first}");
            found.push((format!("rules-{number}-{at}"), [&[(number / 2) as u8], text.as_bytes()].concat()));
        }
    }
    found
}
