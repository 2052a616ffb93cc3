//! The session messages of the captures. Every message is decoded, and encodes to the same bytes if the session message
//! contains all its fields. The worlds show the players.

use crate::{chunks, seeds, support};
use std::collections::{BTreeMap, BTreeSet};

use crate::support::{Random, mutate};
use allocation_counter::measure;
use gamewire::teeworlds::Dialect;
use gamewire::teeworlds::model::world::Player;
use gamewire::teeworlds::model::{ClientId, ClientMessage, Roster, ServerMessage, Skin, World};
use gamewire::teeworlds::raw::snapshot::{DeltaScratch, Receiver, Sender, Snapshot, SnapshotOutcome};
use gamewire::wire::Writer;

/// The count of each message in a capture, and the count of messages that encode to the same bytes.
type Said = BTreeMap<String, (usize, usize)>;

fn said(capture: &str) -> Said {
    let mut said = Said::new();
    let mut buffer = [0; 2048];
    for conversation in support::conversations(capture) {
        chunks::each(&conversation, |dialect, is_client, content| {
            let mut to = Writer::new(&mut buffer);
            let (word, written) = if is_client {
                let word = dialect.decode_client_message(content).unwrap();
                (format!("C {word:?}"), dialect.encode_client_message(&word, &mut to))
            } else {
                let word = dialect.decode_server_message(content).unwrap();
                (format!("S {word:?}"), dialect.encode_server_message(&word, &mut to))
            };
            let name = word.split([' ', '(', '{']).take(2).collect::<Vec<_>>().join(" ");
            assert!(written.is_ok(), "{word}");
            let count = said.entry(name).or_default();
            count.0 += 1;
            count.1 += usize::from(written.is_ok() && to.written() == content);
        });
    }
    println!("{capture}: {said:?}");
    said
}

/// Returns the messages that encode to other bytes.
fn changed(said: &Said) -> BTreeSet<&str> {
    said.iter().filter(|(_, (all, same))| all != same).map(|(name, _)| name.as_str()).collect()
}

#[test]
fn messages_of_ddnet_round_trip() {
    let said = said("tw-0.6-ddnet-tken");
    assert_eq!(
        (said["C Input"], said["S Snapshot"], said["S InputTiming"]),
        ((864, 864), (1092, 1092), (863, 863))
    );
    assert_eq!((said["S Chat"], said["C Say"], said["S MapChange"]), ((9, 9), (2, 2), (1, 1)));
    assert_eq!((said["C ClientVersion"], said["S MapDetails"], said["C PingEx"]), ((1, 1), (1, 1), (1, 1)));
    assert_eq!(changed(&said), BTreeSet::new());
}

#[test]
fn messages_of_0_7_round_trip() {
    let said = said("tw-0.7-two-clients");
    assert_eq!((said["C Input"], said["S Snapshot"], said["C Info"]), ((2129, 2129), (2741, 2741), (2, 2)));
    assert_eq!((said["S Chat"], said["C Say"], said["S MapChange"]), ((1, 1), (1, 1), (2, 2)));
    assert_eq!(changed(&said), BTreeSet::new());
}

#[test]
fn messages_of_0_6_5_round_trip() {
    let said = said("tw-0.6.5-tokens");
    assert_eq!(
        (said["S Snapshot"], said["S MapData"], said["S InputTiming"]),
        ((298, 298), (3, 3), (265, 265))
    );
    assert_eq!((said["S Chat"], said["C Say"], said["C RequestMapData"]), ((4, 4), (2, 2), (3, 3)));
    // The client is a script. It sends 3 for a pressed hook key.
    assert_eq!(said["C Input"], (273, 19));
    assert_eq!(changed(&said), BTreeSet::from(["C Input"]));
}

/// Handles a message as a client does. Returns whether it completed a snapshot.
fn take(
    dialect: Dialect,
    word: &ServerMessage<'_>,
    receiver: &mut Receiver,
    roster: &mut Roster,
    world: &mut World,
) -> bool {
    roster.apply(word);
    match word {
        ServerMessage::MapChange { .. } => receiver.reset(),
        ServerMessage::Snapshot(message) => {
            let received = receiver.receive(message, dialect.fifth_byte(), dialect.item_sizes());
            if let SnapshotOutcome::Complete { tick, snapshot } = received {
                dialect.read_world(tick, snapshot, roster, world);
                return true;
            }
        }
        _ => {}
    }
    false
}

/// Returns the number of snapshots, all names in them and the last world of each conversation.
fn worlds(capture: &str) -> Vec<(usize, BTreeSet<String>, World)> {
    let mut shown = Vec::new();
    for conversation in support::conversations(capture) {
        let (mut receiver, mut roster) = (Receiver::default(), Roster::default());
        let (mut world, mut count, mut names) = (World::default(), 0, BTreeSet::new());
        chunks::each(&conversation, |dialect, is_client, content| {
            if is_client {
                return;
            }
            let word = dialect.decode_server_message(content).unwrap();
            if take(dialect, &word, &mut receiver, &mut roster, &mut world) {
                count += 1;
                names.extend(world.players.iter().map(|player| player.name.to_string()));
            }
        });
        if count > 0 {
            assert_eq!((receiver.counts().bad, receiver.counts().missing_base), (0, 0));
            shown.push((count, names, world));
        }
    }
    shown
}

/// Returns the name of a skin, or of its body part.
fn shown_skin(player: &Player) -> String {
    match player.skin.as_skin() {
        Skin::Whole { name, .. } => name.to_string(),
        Skin::Parts([body, ..]) => body.name.to_string(),
    }
}

#[test]
fn worlds_show_the_players_by_name() {
    let seen: Vec<_> = support::CAPTURES
        .into_iter()
        .flat_map(worlds)
        .map(|(count, names, world)| {
            let own = world.own().unwrap();
            assert_eq!((world.players.len(), world.characters.len()), (1, 1));
            assert!(world.character(own.id).is_some_and(|character| (0..=10).contains(&character.health)));
            (count, names.into_iter().collect::<Vec<_>>().join(","), shown_skin(own), world.tick)
        })
        .collect();
    let expected = [
        (1092, "sixer", "default", 2646),
        (1438, "nameless tee", "standard", 3182),
        (1303, "second", "standard", 6230),
        (198, "nameless", "default", 9296),
        (100, "nameless", "default", 9612),
        (195, "gamewire", "default", 484),
        (295, "wire", "default", 1016),
        (360, "wire", "standard", 1030),
    ];
    let expected = expected.map(|(count, name, skin, tick)| (count, name.into(), skin.to_owned(), tick));
    assert_eq!(seen, expected);
}

/// Decodes a message, encodes it and decodes it again. Returns `None` if it cannot be decoded or encoded.
fn again(dialect: Dialect, is_client: bool, content: &[u8], buffer: &mut [u8]) -> Option<()> {
    let mut to = Writer::new(buffer);
    if is_client {
        let word = dialect.decode_client_message(content).ok()?;
        dialect.encode_client_message(&word, &mut to).ok()?;
        let again = dialect.decode_client_message(to.written()).unwrap();
        let has_looks = matches!(
            word,
            ClientMessage::StartInfo(_) | ClientMessage::ChangeInfo(_) | ClientMessage::ChangeSkin(_)
        );
        assert!(has_looks || again == word, "{word:?} became {again:?}");
    } else {
        let word = dialect.decode_server_message(content).ok()?;
        dialect.encode_server_message(&word, &mut to).ok()?;
        let again = dialect.decode_server_message(to.written()).unwrap();
        let has_looks = matches!(word, ServerMessage::ClientInfo { .. });
        assert!(has_looks || again == word, "{word:?} became {again:?}");
    }
    Some(())
}

#[test]
fn messages_of_any_bytes_round_trip() {
    let seeds: Vec<Vec<u8>> = seeds::messages().into_iter().map(|(_, bytes)| bytes[1..].to_vec()).collect();
    let mut random = Random::new(0x776f_7264);
    let mut buffer = [0; 4096];
    let (mut bytes, mut said) = (Vec::new(), 0);
    for round in 0..200_000 {
        bytes.clone_from(&seeds[random.below(seeds.len())]);
        if round >= 10_000 {
            mutate(&mut bytes, &mut random, 1400);
        }
        for dialect in [Dialect::V06, Dialect::V065, Dialect::Tken, Dialect::V07] {
            for is_client in [false, true] {
                said += usize::from(again(dialect, is_client, &bytes, &mut buffer).is_some());
            }
        }
    }
    println!("{said} words said");
    assert!(said > 100_000, "{said}");
}

#[test]
fn a_warm_session_allocates_nothing() {
    let (mut receiver, mut sender) = (Receiver::default(), Sender::default());
    let mut bench = DeltaScratch::default();
    let mut mirror = Snapshot::new();
    let (mut world, mut roster) = (World::default(), Roster::default());
    for capture in support::CAPTURES {
        let conversation = &support::conversations(capture)[0];
        let mut allocated = Vec::new();
        for pass in 0..3 {
            chunks::each(conversation, |dialect, is_client, content| {
                if is_client {
                    return;
                }
                let (mut joins, players) = (false, world.players.len());
                let counted = measure(|| {
                    let word = dialect.decode_server_message(content).unwrap();
                    joins = matches!(word, ServerMessage::ClientInfo { .. });
                    take(dialect, &word, &mut receiver, &mut roster, &mut world);
                    if let ServerMessage::MapChange { .. } = word {
                        sender.reset();
                    }
                    let ServerMessage::Snapshot(_) = word else { return };
                    dialect.write_world(&world, Some(ClientId(0)), &mut mirror).unwrap();
                    let messages =
                        sender.send(world.tick, &mirror, dialect.item_sizes(), &mut bench).unwrap();
                    assert!(messages.count() > 0);
                    sender.acknowledge(world.tick);
                });
                // A player who joins allocates a name. In 0.6 the name is in a snapshot.
                joins |= world.players.len() > players;
                if pass == 2 && !joins && counted.count_total > 0 {
                    allocated.push((counted.count_total, counted.bytes_total, world.tick));
                }
            });
        }
        assert_eq!(allocated, [], "{capture}");
    }
}
