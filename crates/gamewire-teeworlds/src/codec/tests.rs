//! Messages and worlds, encoded and decoded in every dialect.
#![allow(clippy::arithmetic_side_effects, reason = "a test's own numbers")]

use gamewire_wire::Writer;

use crate::Dialect;
use crate::session::message::{MapId, Profile};
use crate::session::world::{Character, Game, Pickup, PickupKind, Player};
use crate::session::{Audience, ClientId, ClientMessage, EncodeError, Input, Roster, ServerMessage, World};
use crate::shared::pack::Text;
use crate::shared::snapshot::{Key, Snapshot, SnapshotFull};
use crate::shared::value::{Emoticon, Team};

const DIALECTS: [Dialect; 4] = [Dialect::V06, Dialect::V065, Dialect::Tken, Dialect::V07];

fn server_bytes(dialect: Dialect, message: &ServerMessage<'_>) -> Result<Vec<u8>, EncodeError> {
    let mut buffer = [0; 512];
    let mut to = Writer::new(&mut buffer);
    dialect.encode_server_message(message, &mut to)?;
    Ok(to.written().to_vec())
}

fn client_bytes(dialect: Dialect, message: &ClientMessage<'_>) -> Result<Vec<u8>, EncodeError> {
    let mut buffer = [0; 512];
    let mut to = Writer::new(&mut buffer);
    dialect.encode_client_message(message, &mut to)?;
    Ok(to.written().to_vec())
}

#[test]
fn a_message_with_a_number_out_of_its_range_is_an_error() {
    // Emoticon 16, by a server and by a client; a chat line from player 64 of 0.7; a vote of 2.
    let emoticon = Dialect::V06.decode_server_message(&[20, 0, 16]).unwrap_err();
    assert_eq!((emoticon.packet, emoticon.offset), ("emoticon", 2));
    assert!(Dialect::V06.decode_client_message(&[46, 16]).is_err());
    assert!(Dialect::V07.decode_server_message(b"\x06\x01\x80\x01\x40hello\0").is_err());
    assert!(Dialect::V07.decode_server_message(b"\x06\x01\x3f\x40hello\0").is_ok());
    assert!(Dialect::V07.decode_client_message(&[62, 2]).is_err());
    // A bool that is neither.
    assert!(Dialect::V06.decode_client_message(b"\x22\x02hello\0").is_err());
}

#[test]
fn only_servers_of_0_7_check_inputs() {
    let input = |id: u8| {
        let mut bytes = vec![id, 10, 12, 40];
        bytes.extend([5, 1, 2, 1, 0, 1, 0, 0, 0, 0]);
        bytes
    };
    assert!(matches!(
        Dialect::V06.decode_client_message(&input(33)),
        Ok(ClientMessage::Input { input: Input { direction: 5, jump: true, .. }, .. })
    ));
    assert!(Dialect::V07.decode_client_message(&input(41)).is_err());
}

#[test]
fn values_that_the_peer_would_drop_are_not_encoded() {
    for dialect in DIALECTS {
        assert!(client_bytes(dialect, &ClientMessage::Emoticon(Emoticon(16))).is_err());
        let error = client_bytes(dialect, &ClientMessage::Vote(2)).unwrap_err();
        assert_eq!(error.to_string(), "invalid vote 2 in vote: expected -1 to 1");
        assert!(server_bytes(dialect, &ServerMessage::Motd(Text::new("a\0b"))).is_err());
        let chat = ServerMessage::Chat {
            from: Some(ClientId(200)),
            audience: Audience::All,
            text: Text::new("hello"),
        };
        assert!(server_bytes(dialect, &chat).is_err());
    }
}

/// Values at and outside of the ends of ranges.
const NUMBERS: [i32; 16] = [i32::MIN, -129, -4, -3, -2, -1, 0, 1, 2, 5, 15, 60, 64, 127, 128, i32::MAX];

#[test]
fn encoded_values_are_in_the_ranges_of_the_decoder() {
    let (id, text) = (|number: i32| ClientId(number.to_le_bytes()[0]), Text::new(""));
    let profile = Profile { name: text, clan: text, country: 0, skin: text };
    for (dialect, one) in DIALECTS.iter().flat_map(|dialect| NUMBERS.map(|number| (*dialect, number))) {
        for other in NUMBERS {
            let input = Input {
                direction: one,
                player_flags: other,
                wanted_weapon: one,
                fire: other,
                ..Input::default()
            };
            for message in [
                ClientMessage::SetTeam(Team(one)),
                ClientMessage::Spectate(Some(id(one))),
                ClientMessage::Emoticon(Emoticon(one)),
                ClientMessage::Vote(one),
                ClientMessage::Say { audience: Audience::Whisper(Some(id(one))), text },
                ClientMessage::Input {
                    ack_snapshot: other,
                    intended_tick: one,
                    input,
                    ping_correction: other,
                },
                ClientMessage::StartInfo(Profile { country: one, ..profile }),
                ClientMessage::RequestMapData { piece: Some(one) },
            ] {
                if let Ok(bytes) = client_bytes(dialect, &message) {
                    assert!(dialect.decode_client_message(&bytes).is_ok(), "{dialect:?} {message:?}");
                }
            }
            let (client, team) = (id(one), Team(other));
            for message in [
                ServerMessage::Chat {
                    from: Some(client),
                    audience: Audience::Whisper(Some(id(other))),
                    text,
                },
                ServerMessage::Kill { killer: Some(id(other)), victim: client, weapon: other },
                ServerMessage::Kill { killer: None, victim: client, weapon: one },
                ServerMessage::Emoticon { from: client, emoticon: Emoticon(other) },
                ServerMessage::Team { client, team },
                ServerMessage::ClientInfo { client, local: true, team, profile, silent: true },
                ServerMessage::ClientDrop { client, reason: text },
                ServerMessage::GameInfo {
                    has_teams: true,
                    has_flags: true,
                    score_limit: one,
                    time_limit: other,
                },
                ServerMessage::VoteSet { timeout: one, description: text, reason: text },
                ServerMessage::VoteStatus { yes: one, no: other, total: one },
                ServerMessage::InputTiming { intended_tick: one, time_left: other },
            ] {
                if let Ok(bytes) = server_bytes(dialect, &message) {
                    assert!(dialect.decode_server_message(&bytes).is_ok(), "{dialect:?} {message:?}");
                }
            }
        }
    }
}

#[test]
fn a_message_that_a_version_does_not_have_is_an_error() {
    let leave = ServerMessage::ClientDrop { client: ClientId(1), reason: Text::new("bye") };
    assert_eq!(server_bytes(Dialect::V06, &leave), Err(EncodeError::NoMessage { message: "client_drop" }));
    assert!(server_bytes(Dialect::V07, &leave).is_ok());
    let map = MapId { name: Text::new("dm1"), crc: 1, size: 2, sha256: None };
    let map_change = ServerMessage::MapChange { map, chunking: None };
    let error = server_bytes(Dialect::V07, &map_change).unwrap_err();
    assert_eq!(error.to_string(), "cannot encode map_change: in this version it needs the SHA-256");
    assert!(server_bytes(Dialect::Tken, &map_change).is_ok());
    for dialect in DIALECTS {
        assert!(
            server_bytes(dialect, &ServerMessage::Other).is_err()
                && client_bytes(dialect, &ClientMessage::Other).is_err()
        );
    }
}

#[test]
fn a_whisper_is_never_sent_to_all() {
    let whisper =
        ClientMessage::Say { audience: Audience::Whisper(Some(ClientId(3))), text: Text::new("psst") };
    assert_eq!(client_bytes(Dialect::V06, &whisper), Err(EncodeError::NoMessage { message: "whisper" }));
    let bytes = client_bytes(Dialect::V07, &whisper).unwrap();
    assert_eq!(Dialect::V07.decode_client_message(&bytes), Ok(whisper));
    // DDNet sends the speaker to the receiver of a whisper, and the receiver to the speaker.
    for (from, to) in [(Some(ClientId(5)), None), (None, Some(ClientId(5)))] {
        let chat = ServerMessage::Chat { from, audience: Audience::Whisper(to), text: Text::new("psst") };
        let bytes = server_bytes(Dialect::Tken, &chat).unwrap();
        assert_eq!(Dialect::Tken.decode_server_message(&bytes), Ok(chat));
    }
}

#[test]
fn messages_of_the_other_role_are_other() {
    for dialect in DIALECTS {
        let ready = client_bytes(dialect, &ClientMessage::Ready).unwrap();
        assert_eq!(dialect.decode_server_message(&ready), Ok(ServerMessage::Other));
        let motd = server_bytes(dialect, &ServerMessage::Motd(Text::new("welcome"))).unwrap();
        assert_eq!(dialect.decode_client_message(&motd), Ok(ClientMessage::Other));
        assert_eq!(client_bytes(dialect, &ClientMessage::Ping).map(|bytes| bytes.len()), Ok(1));
    }
}

fn world() -> World {
    let player = |id: u8, name: &str, team| Player {
        local: id == 2,
        name: name.into(),
        clan: b"clan".to_vec(),
        country: 276,
        skin: b"bluekitty".to_vec(),
        team,
        score: i32::from(id) - 3,
        latency: 20,
        ..Player::new(ClientId(id))
    };
    let character = |id: u8| Character {
        id: ClientId(id),
        tick: 100,
        x: 1000 + i32::from(id),
        y: -20,
        vel_x: 256,
        vel_y: -3000,
        angle: -118,
        direction: -1,
        health: 10,
        armor: 3,
        weapon: 4,
    };
    let kinds = [
        PickupKind::Health,
        PickupKind::Armor,
        PickupKind::Hammer,
        PickupKind::Pistol,
        PickupKind::Shotgun,
        PickupKind::Grenade,
        PickupKind::Rifle,
        PickupKind::Ninja,
    ];
    let pickup = |(id, kind)| Pickup { id, x: 32 * i32::from(id), y: 64, kind };
    World {
        tick: 100,
        game: Game {
            start_tick: 7,
            is_over: true,
            is_sudden_death: true,
            is_paused: true,
            has_teams: true,
            has_flags: true,
            score_limit: 20,
            time_limit: 5,
        },
        players: vec![
            player(0, "nameless tee", Team::RED),
            player(2, "zw\u{f6}lf", Team::BLUE),
            player(63, "", Team::SPECTATORS),
        ],
        characters: vec![character(0), character(2)],
        pickups: (0..).zip(kinds).map(pickup).collect(),
    }
}

/// Applies the messages of a server of 0.7 that its snapshots do not contain.
fn announce(world: &World, roster: &mut Roster) {
    let text = |bytes| Text::received(bytes, crate::shared::pack::Sanitize::Strict);
    let mut hear = |message| {
        let bytes = server_bytes(Dialect::V07, &message).unwrap();
        roster.apply(&Dialect::V07.decode_server_message(&bytes).unwrap());
    };
    let Game { has_teams, has_flags, score_limit, time_limit, .. } = world.game;
    hear(ServerMessage::GameInfo { has_teams, has_flags, score_limit, time_limit });
    for player in &world.players {
        let (name, clan, skin) = (text(&player.name), text(&player.clan), text(&player.skin));
        let profile = Profile { name, clan, country: player.country, skin };
        let (client, local) = (player.id, player.local);
        hear(ServerMessage::ClientInfo { client, local, team: Team::RED, profile, silent: true });
        hear(ServerMessage::Team { client, team: player.team });
    }
}

#[test]
fn a_world_survives_a_snapshot() {
    for dialect in DIALECTS {
        let (world, mut roster) = (world(), Roster::default());
        if dialect == Dialect::V07 {
            announce(&world, &mut roster);
        }
        let (mut snapshot, mut seen) = (Snapshot::new(), World::default());
        for _ in 0..2 {
            dialect.write_world(&world, ClientId(2), &mut snapshot).unwrap();
            dialect.read_world(100, &snapshot, &roster, &mut seen);
            assert_eq!(seen, world, "{dialect:?}");
        }
        assert_eq!(seen.own().map(|player| player.id), Some(ClientId(2)));
        let nothing = World::default();
        dialect.write_world(&nothing, ClientId(0), &mut snapshot).unwrap();
        dialect.read_world(0, &snapshot, &Roster::default(), &mut seen);
        assert_eq!(seen, nothing, "{dialect:?}: no player is left over");
    }
}

#[test]
fn snapshots_contain_the_state_of_the_game() {
    let mut snapshot = Snapshot::new();
    Dialect::V06.write_world(&World::default(), ClientId(0), &mut snapshot).unwrap();
    assert_eq!(snapshot.get(Key { kind: 6, id: 0 }).map(<[i32]>::len), Some(8), "GameInfo");
    Dialect::V07.write_world(&World::default(), ClientId(0), &mut snapshot).unwrap();
    assert_eq!(snapshot.get(Key { kind: 6, id: 0 }).map(<[i32]>::len), Some(3), "GameData");
}

#[test]
fn only_players_of_the_snapshot_are_in_the_world() {
    let (world, mut roster) = (world(), Roster::default());
    announce(&world, &mut roster);
    let mut snapshot = Snapshot::new();
    // PlayerInfo of players 2 and 9; of 9 nothing was said.
    for id in [2, 9] {
        snapshot.insert(Key { kind: 11, id }, &[0, 5, 6]).unwrap();
    }
    let mut seen = World::default();
    Dialect::V07.read_world(1, &snapshot, &roster, &mut seen);
    let names: Vec<_> = seen.players.iter().map(|player| (player.id.0, player.name.as_slice())).collect();
    assert_eq!(names, [(2, "zw\u{f6}lf".as_bytes()), (9, b"")]);
    roster.apply(&ServerMessage::ClientDrop { client: ClientId(2), reason: Text::new("") });
    assert_eq!(roster.player(ClientId(2)), None);
    let map = MapId { name: Text::new("dm1"), crc: 0, size: 0, sha256: None };
    roster.apply(&ServerMessage::MapChange { map, chunking: None });
    assert_eq!(roster, Roster::default());
}

#[test]
fn t9_invalid_items_are_left_out_of_the_world() {
    let mut snapshot = Snapshot::new();
    for kind in 1..30 {
        // Too short, too long, of no player, and with invalid values.
        for (id, ints) in [(0, vec![]), (1, vec![1; 60]), (200, vec![0; 22]), (65_535, vec![i32::MIN; 22])] {
            snapshot.insert(Key { kind, id }, &ints).unwrap();
        }
        for (id, count) in [(2, 3), (3, 4), (4, 5), (5, 8), (6, 17), (7, 22)] {
            snapshot.insert(Key { kind, id }, &vec![i32::MAX; count]).unwrap();
            snapshot.insert(Key { kind, id: id + 10 }, &vec![-1; count]).unwrap();
        }
    }
    for dialect in DIALECTS {
        let mut seen = World::default();
        dialect.read_world(1, &snapshot, &Roster::default(), &mut seen);
        assert_eq!(seen.players.len(), 0, "{dialect:?}");
        for character in &seen.characters {
            assert!((0..=10).contains(&character.health) && (0..=5).contains(&character.weapon));
            assert!((-1..=1).contains(&character.direction));
        }
        assert!(dialect != Dialect::V07 || seen.characters.is_empty());
    }
}

#[test]
fn t9_a_name_of_a_thousand_bytes_is_cut() {
    let long = "n".repeat(1000);
    let profile =
        Profile { name: Text::new(&long), clan: Text::new(&long), country: 0, skin: Text::new(&long) };
    let mut roster = Roster::default();
    for client in (0..=255).map(ClientId) {
        roster.apply(&ServerMessage::ClientInfo {
            client,
            local: false,
            team: Team::RED,
            profile,
            silent: false,
        });
    }
    let player = roster.player(ClientId(3)).unwrap();
    assert_eq!((player.name.len(), player.clan.len(), player.skin.len()), (64, 48, 24));
}

#[test]
fn a_world_that_does_not_fit_is_an_error() {
    let pickup = Pickup { id: 0, x: 0, y: 0, kind: PickupKind::Health };
    let pickups = (0..2000).map(|id| Pickup { id, ..pickup }).collect();
    let world = World { pickups, ..World::default() };
    let mut snapshot = Snapshot::new();
    for dialect in DIALECTS {
        assert_eq!(dialect.write_world(&world, ClientId(0), &mut snapshot), Err(SnapshotFull));
    }
}
