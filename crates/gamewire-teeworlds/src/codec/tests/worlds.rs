use super::support::{DIALECTS, server_bytes};
use crate::Dialect;
use crate::model::message::{GameInfo, MapId, Profile};
use crate::model::world::{
    Character, Damage, EventKind, ExtendedItem, Flag, FlagState, Game, Hook, HookState, Laser, Pickup,
    PickupKind, Player, PlayerStatus, Projectile, Race, Spectated, TeamScores, WorldEvent,
};
use crate::model::{ClientId, Roster, ServerMessage, Skin, SkinBuf, SkinColors, SkinPart, World};
use crate::shared::extended::ExtendedObject;
use crate::shared::extended::object::{DdnetCharacter, DdnetPlayer};
use crate::shared::pack::Text;
use crate::shared::snapshot::{Key, Snapshot, SnapshotFull};
use crate::shared::value::{CoreEventFlags, RaceFlags, SpecMode};
use crate::shared::value::{Emote, Sound, Team, Weapon};

/// Returns a world with all data that both versions have.
fn world() -> World {
    let player = |id: u8, name: &str, team| Player {
        local: id == 2,
        name: name.into(),
        clan: "clan".into(),
        country: 276,
        team,
        score: i32::from(id) - 3,
        latency: 20,
        ..Player::new(ClientId(id))
    };
    let character = |id: u8| Character {
        vel_x: 256,
        vel_y: -3000,
        angle: -118,
        direction: -1,
        jumped: 3,
        hook: Hook {
            state: HookState::GRABBED,
            player: Some(ClientId(63)),
            tick: 12,
            x: 900,
            y: 5,
            dx: -256,
            dy: 1,
        },
        armor: 3,
        ammo: 7,
        weapon: Weapon::RIFLE,
        emote: Emote::HAPPY,
        attack_tick: 77,
        ..Character::new(ClientId(id), 100, 1000 + i32::from(id), -20)
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
    let projectile = Projectile {
        id: 3,
        x: 1,
        y: -2,
        vel_x: 50,
        vel_y: -86,
        weapon: Weapon::GRENADE,
        start_tick: 98,
        owner: None,
    };
    let laser = Laser { id: 4, x: 1, y: 2, from_x: 3, from_y: 4, start_tick: 99, owner: None };
    let events = [
        EventKind::Explosion,
        EventKind::Spawn,
        EventKind::HammerHit,
        EventKind::Death(ClientId(2)),
        EventKind::Sound(Sound::HOOK_LOOP),
    ];
    World {
        tick: 100,
        game: Game {
            start_tick: 7,
            is_over: true,
            is_sudden_death: true,
            is_paused: true,
            info: GameInfo {
                has_teams: true,
                has_flags: true,
                score_limit: 20,
                time_limit: 5,
                num_rounds: 3,
                round: 2,
                ..GameInfo::default()
            },
            team_scores: Some(TeamScores { red: -4, blue: 9 }),
            flags: Some([FlagState::AtStand, FlagState::Carried(ClientId(2))]),
            ..Game::default()
        },
        players: vec![
            player(0, "nameless tee", Team::RED),
            player(2, "zw\u{f6}lf", Team::BLUE),
            player(63, "", Team::SPECTATORS),
        ],
        characters: vec![character(0), character(2)],
        pickups: (0..).zip(kinds).map(pickup).collect(),
        projectiles: vec![projectile],
        lasers: vec![laser],
        flags: [(0, Team::RED), (1, Team::BLUE)].map(|(id, team)| Flag { id, x: 5, y: 6, team }).to_vec(),
        events: (0..).zip(events).map(|(id, kind)| WorldEvent { id, x: 8, y: 9, kind }).collect(),
        spectated: Some(Spectated { mode: SpecMode::PLAYER, player: Some(ClientId(0)), x: 1, y: 2 }),
        extended: Vec::new(),
    }
}

/// Returns the world with the data that only `dialect` has.
fn world_of(dialect: Dialect) -> World {
    let mut world = world();
    let colors = SkinColors { body: 1, feet: 2 };
    let whole = Skin::Whole { name: Text::new("bluekitty"), colors: Some(colors) };
    let at = |id, kind| WorldEvent { id, x: 8, y: 9, kind };
    if dialect == Dialect::V07 {
        let mut parts = whole.parts();
        parts[1] = SkinPart { name: Text::new("stripes"), color: Some(7) };
        for (player, start) in world.players.iter_mut().zip(1..) {
            player.skin = SkinBuf::from(&Skin::Parts(parts));
            player.status = PlayerStatus::READY | PlayerStatus::DEAD;
            player.race_start_tick = Some(start);
        }
        let triggered = CoreEventFlags::AIR_JUMP;
        world.characters.iter_mut().for_each(|character| character.triggered = triggered);
        (world.game.is_countdown, world.game.info.is_race, world.game.end_tick) = (true, true, 200);
        world.game.race = Some(Race { best_time: 1234, precision: 2, flags: RaceFlags::HIDE_KILLMSG });
        let victim = Some(Damage { client: ClientId(2), health: 2, armor: 1, is_self: true });
        world.events.push(at(9, EventKind::Damage { angle: 5, victim }));
        return world;
    }
    for player in &mut world.players {
        player.skin = SkinBuf::from(&whole);
    }
    world.players[0].status = PlayerStatus::CHATTING | PlayerStatus::SCOREBOARD;
    (world.game.is_warmup, world.game.end_tick) = (true, 150);
    let (angle, victim) = (5, None);
    world
        .events
        .extend([at(9, EventKind::Damage { angle, victim }), at(10, EventKind::Damage { angle, victim })]);
    let sound = at(6, EventKind::GlobalSound(Sound::CTF_CAPTURE));
    // Items are ordered by type: global sounds are between deaths and sounds at a position.
    world.events.insert(4, sound);
    if dialect == Dialect::Tken {
        let character = DdnetCharacter { jumps: 5, target_x: -70, ..DdnetCharacter::default() };
        let player = DdnetPlayer::default();
        world.extended = vec![
            ExtendedItem { id: 0, object: ExtendedObject::DdnetPlayer(player) },
            ExtendedItem { id: 2, object: ExtendedObject::DdnetCharacter(character) },
        ];
        world.extended.sort_by_key(|item| ExtendedObject::type_of(item.uuid()));
    }
    world
}

/// Applies the messages of a server of 0.7 that its snapshots do not contain.
fn announce(world: &World, roster: &mut Roster) {
    let mut hear = |message| {
        let bytes = server_bytes(Dialect::V07, &message).unwrap();
        roster.apply(&Dialect::V07.decode_server_message(&bytes).unwrap());
    };
    hear(ServerMessage::GameInfo(world.game.info));
    for player in &world.players {
        let profile = player.profile();
        let (client, local) = (player.id, player.local);
        hear(ServerMessage::ClientInfo { client, local, team: Team::RED, profile, silent: true });
        hear(ServerMessage::Team { client, team: player.team });
    }
}

#[test]
fn a_world_survives_a_snapshot() {
    for dialect in DIALECTS {
        let (world, mut roster) = (world_of(dialect), Roster::default());
        if dialect == Dialect::V07 {
            announce(&world, &mut roster);
        }
        let (mut snapshot, mut seen) = (Snapshot::new(), World::default());
        for _ in 0..2 {
            dialect.write_world(&world, Some(ClientId(2)), &mut snapshot).unwrap();
            dialect.read_world(100, &snapshot, &roster, &mut seen);
            assert_eq!(seen, world, "{dialect:?}");
        }
        assert_eq!(seen.own().map(|player| player.id), Some(ClientId(2)));
        let nothing = World::default();
        dialect.write_world(&nothing, None, &mut snapshot).unwrap();
        dialect.read_world(0, &snapshot, &Roster::default(), &mut seen);
        assert_eq!(seen, nothing, "{dialect:?}: no player is left over");
    }
}

#[test]
fn snapshots_contain_the_state_of_the_game() {
    let mut snapshot = Snapshot::new();
    Dialect::V06.write_world(&World::default(), None, &mut snapshot).unwrap();
    assert_eq!(snapshot.get(Key { kind: 6, id: 0 }).map(<[i32]>::len), Some(8), "GameInfo");
    Dialect::V07.write_world(&World::default(), None, &mut snapshot).unwrap();
    assert_eq!(snapshot.get(Key { kind: 6, id: 0 }).map(<[i32]>::len), Some(3), "GameData");
}

#[test]
fn only_players_of_the_snapshot_are_in_the_world() {
    let (world, mut roster) = (world(), Roster::default());
    announce(&world, &mut roster);
    let mut snapshot = Snapshot::new();
    // PlayerInfo of players 2 and 9. No message has announced player 9.
    for id in [2, 9] {
        snapshot.insert(Key { kind: 11, id }, &[0, 5, 6]).unwrap();
    }
    let mut seen = World::default();
    Dialect::V07.read_world(1, &snapshot, &roster, &mut seen);
    let names: Vec<_> = seen.players.iter().map(|player| (player.id.0, player.name.to_string())).collect();
    assert_eq!(names, [(2, "zw\u{f6}lf".to_owned()), (9, String::new())]);
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
        // Items that are too short, too long, without a valid player, or with invalid values.
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
            assert!((0..=10).contains(&character.health) && (-1..=5).contains(&character.weapon.0));
            assert!((-1..=1).contains(&character.direction));
        }
        assert!(dialect != Dialect::V07 || seen.characters.is_empty());
    }
}

#[test]
fn t9_a_name_of_a_thousand_bytes_is_cut() {
    let long = "n".repeat(1000);
    let profile = Profile {
        name: Text::new(&long),
        clan: Text::new(&long),
        country: 0,
        skin: Skin::with_body(Text::new(&long)),
    };
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
    let body = player.skin.as_skin().parts()[0].name.as_bytes();
    assert_eq!((player.name.as_bytes().len(), player.clan.as_bytes().len(), body.len()), (64, 48, 24));
}

#[test]
fn a_world_that_does_not_fit_is_an_error() {
    let pickup = Pickup { id: 0, x: 0, y: 0, kind: PickupKind::Health };
    let pickups = (0..2000).map(|id| Pickup { id, ..pickup }).collect();
    let world = World { pickups, ..World::default() };
    let mut snapshot = Snapshot::new();
    for dialect in DIALECTS {
        assert_eq!(dialect.write_world(&world, None, &mut snapshot), Err(SnapshotFull));
    }
}
