//! The captures of real players: every datagram is decoded, every snapshot's checksum matches, and every byte is
//! encoded again.

use crate::support;
use std::collections::BTreeMap;

use gamewire::machine::record::NodeKind;
use gamewire::machine::{Follow, Record};
use gamewire::teeworlds::Follower;
use gamewire::wire::Layer;

/// The results of following a capture.
#[derive(Default)]
struct Told {
    datagrams: usize,
    messages: usize,
    errors: u32,
    warnings: BTreeMap<String, usize>,
    names: BTreeMap<String, usize>,
    counters: BTreeMap<&'static str, u64>,
    dialects: Vec<&'static str>,
}

fn follow(capture: &str) -> Told {
    let mut reported = Told::default();
    let mut record = Record::new();
    for conversation in support::conversations(capture) {
        let mut follower = Follower::default();
        for datagram in &conversation.datagrams {
            record.clear();
            follower.follow(datagram.at, datagram.from, &datagram.data, &mut record);
            reported.datagrams += 1;
            reported.errors += record.errors();
            let mut in_chunk = None;
            for node in record.nodes() {
                match node.kind() {
                    NodeKind::Group(Layer::Group) if node.name() == "chunk" => in_chunk = Some(node.depth()),
                    NodeKind::Group(Layer::Message) => {
                        *reported.names.entry(node.name().to_owned()).or_default() += 1;
                        reported.messages +=
                            usize::from(in_chunk.is_some_and(|depth| node.depth() == depth + 1));
                    }
                    NodeKind::Group(Layer::Item) => {
                        *reported.names.entry(format!("item {}", node.name())).or_default() += 1
                    }
                    NodeKind::Warning(_) => {
                        *reported.warnings.entry(node.name().to_owned()).or_default() += 1
                    }
                    NodeKind::Error => println!("{capture} frame {}: {:?}", datagram.frame, node.value()),
                    _ => {}
                }
            }
        }
        follower.counters(|name, count| *reported.counters.entry(name).or_default() += count);
        reported.dialects.push(follower.dialect().unwrap());
        assert!(follower.client().is_some());
    }
    println!("{capture}: {:?} {:?} {:?}", reported.names, reported.warnings, reported.counters);
    reported
}

#[test]
fn ddnet_with_tokens_at_the_end() {
    let reported = follow("tw-0.6-ddnet-tken");
    assert_eq!((reported.datagrams, reported.messages, reported.errors), (1972, 2863, 0));
    // The game, and one query of the server's information.
    assert_eq!(reported.dialects, ["tw-0.6-tken", "tw-0.6"]);
    assert_eq!(reported.counters["snapshots"], 1092);
    assert_eq!(reported.counters["empty_snapshots"] + reported.counters["bad_snapshots"], 0);
    let count = |name: &str| reported.names.get(name).copied().unwrap_or(0);
    assert_eq!((count("input"), count("chat"), count("say")), (864, 9, 2));
    assert_eq!((count("client_version"), count("capabilities"), count("map_details")), (1, 1, 1));
    assert_eq!((count("item character"), count("item damage_ind")), (1092, 30));
    // The first snapshot contains five objects of undeclared types.
    assert_eq!((count("item ddnet_character"), count("item switch_state")), (3, 2));
    assert_eq!(reported.warnings, BTreeMap::from([("undeclared_item".to_owned(), 5)]));
}

#[test]
fn two_clients_of_0_7() {
    let reported = follow("tw-0.7-two-clients");
    assert_eq!((reported.datagrams, reported.messages, reported.errors), (4896, 7029, 0));
    assert_eq!(reported.dialects, ["tw-0.7", "tw-0.7"]);
    assert_eq!((reported.counters["snapshots"], reported.counters["empty_snapshots"]), (199, 2542));
    assert_eq!(reported.counters["bad_snapshots"], 0);
    let count = |name: &str| reported.names.get(name).copied().unwrap_or(0);
    assert_eq!((count("input"), count("chat"), count("say"), count("close")), (2129, 1, 1, 1));
    assert_eq!((count("item character"), count("item pickup"), count("item player_info")), (168, 109, 16));
    assert!(reported.warnings.is_empty());
}

#[test]
fn tokens_in_the_header_and_an_older_client() {
    let reported = follow("tw-0.6.5-tokens");
    assert_eq!((reported.datagrams, reported.messages, reported.errors), (598, 874, 0));
    assert_eq!(reported.dialects, ["tw-0.6.5", "tw-0.6"]);
    assert_eq!((reported.counters["snapshots"], reported.counters["empty_snapshots"]), (57, 241));
    assert_eq!(reported.counters["bad_snapshots"], 0);
    let count = |name: &str| reported.names.get(name).copied().unwrap_or(0);
    assert_eq!((count("input"), count("ping"), count("ping_reply"), count("map_data")), (273, 1, 1, 3));
    assert_eq!((count("item pickup"), count("item character")), (56, 31));
}

/// Checks a session with DDNet 20.1 that joins, loads the map, chats, commands the server and leaves.
fn assert_is_a_visit(reported: &Told) {
    assert_eq!((reported.errors, reported.counters["bad_snapshots"]), (0, 0));
    let count = |name: &str| reported.names.get(name).copied().unwrap_or(0);
    for name in
        ["con_ready", "ready_to_enter", "enter_game", "say", "rcon_auth", "rcon_cmd", "rcon_line", "close"]
    {
        assert!(count(name) > 0, "no {name}");
    }
    assert!(count("map_data") >= 7 && count("chat") >= 4 && count("item ddnet_player") > 0);
}

#[test]
fn ddnet_20_without_tokens() {
    let reported = follow("tw-0.6-ddnet-20");
    assert_is_a_visit(&reported);
    assert_eq!((reported.datagrams, &reported.dialects[..]), (304, &["tw-0.6"][..]));
    assert!(reported.warnings.is_empty());
}

#[test]
fn ddnet_20_with_tokens_at_the_end() {
    let reported = follow("tw-0.6-ddnet-20-tken");
    assert_is_a_visit(&reported);
    assert_eq!((reported.datagrams, &reported.dialects[..]), (577, &["tw-0.6-tken"][..]));
    assert!(reported.names["item map_best_time"] > 0);
    assert!(reported.warnings.is_empty());
}

#[test]
fn ddnet_20_of_0_7() {
    let reported = follow("tw-0.7-ddnet-20");
    assert_is_a_visit(&reported);
    assert_eq!((reported.datagrams, &reported.dialects[..]), (637, &["tw-0.7"][..]));
    assert!(reported.warnings.is_empty());
}
