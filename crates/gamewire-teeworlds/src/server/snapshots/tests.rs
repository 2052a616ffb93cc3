//! Compares the shared construction of snapshots with the plain one, which builds a world and a delta for each client.
#![allow(clippy::arithmetic_side_effects, reason = "a test's own numbers")]

use proptest::prelude::*;
use proptest::sample::select;

use super::{ClientSnapshots, Snapshots, View};
use crate::Dialect;
use crate::model::World;
use crate::model::message::ClientId;
use crate::model::world::{Character, ExtendedItem, Laser, Pickup, PickupKind, Player};
use crate::shared::extended::ExtendedObject;
use crate::shared::extended::object::{DdnetCharacter, DdnetPlayer};
use crate::shared::extended::value::AuthLevel;
use crate::shared::object::ObjectSet as _;
use crate::shared::snapshot::{DeltaScratch, Key, Sender, Snapshot};

const DIALECTS: [Dialect; 3] = [Dialect::V06, Dialect::Tken, Dialect::V07];
/// The types of the character in 0.6 and 0.7, the laser and the pickup.
const CHARACTERS: [u16; 3] = [9, 9, 10];
const LASER: u16 = 3;
const PICKUP: u16 = 4;
/// A type that no game has. It is sent with its size.
const OWN: u16 = 0x3000;

/// The changes of a game for one client in one tick.
#[derive(Clone, Debug)]
struct Wish {
    center: Option<Option<(i32, i32)>>,
    hidden: Option<ClientId>,
    items: Vec<(Key, Vec<i32>)>,
    extended: Option<ExtendedItem>,
}

/// One tick of a client.
#[derive(Clone, Debug)]
struct Step {
    world: World,
    wish: Wish,
    /// The number of snapshots since the acknowledged one, or a request for a full snapshot.
    ack: Option<Option<usize>>,
    /// The number of ticks that pass.
    ticks: i32,
}

impl Wish {
    /// Applies the changes to the part of the world that the client sees.
    fn apply(&self, view: &mut View<'_>) {
        let Self { center, hidden, items, extended } = self;
        match center {
            Some(Some((x, y))) => view.center_on(*x, *y),
            Some(None) => view.see_all(),
            None => {}
        }
        hidden.iter().for_each(|id| view.hide(*id));
        for (key, ints) in items {
            view.insert(*key, ints).ok();
        }
        if let Some(item) = extended {
            view.insert_extended(item).ok();
        }
    }
}

fn is_near(center: (i32, i32), at: (i32, i32)) -> bool {
    let (right, down) = (center.0.abs_diff(at.0), center.1.abs_diff(at.1));
    right <= 1000 && down <= 800 && right * right + down * down <= 1100 * 1100
}

/// Returns the snapshot of a client, built for this client alone.
fn plain(dialect: Dialect, viewer: ClientId, world: &World, wish: &Wish) -> Snapshot {
    let mut whole = Snapshot::new();
    dialect.write_world(world, Some(viewer), &mut whole).unwrap();
    let character = CHARACTERS[DIALECTS.iter().position(|one| *one == dialect).unwrap()];
    let extension =
        ExtendedObject::type_of(ExtendedObject::DdnetCharacter(DdnetCharacter::default()).id()).unwrap();
    let own = world.character(viewer).map(|character| (character.x, character.y));
    let center = wish.center.unwrap_or(own);
    let is_visible = |key: Key| {
        let near = |at| center.is_none_or(|center| is_near(center, at));
        if key.kind == character || key.kind == extension {
            let Some(shown) = world.characters.iter().find(|shown| u16::from(shown.id.0) == key.id) else {
                return true;
            };
            return near((shown.x, shown.y)) && wish.hidden.is_none_or(|id| id != shown.id);
        }
        match key.kind {
            LASER => world.lasers.iter().any(|shown| {
                shown.id == key.id && (near((shown.x, shown.y)) || near((shown.from_x, shown.from_y)))
            }),
            PICKUP => world.pickups.iter().any(|shown| shown.id == key.id && near((shown.x, shown.y))),
            _ => true,
        }
    };
    let mut seen = Snapshot::new();
    for (key, ints) in &wish.items {
        seen.insert(*key, ints).ok();
    }
    if let (Some(item), Dialect::Tken) = (&wish.extended, dialect) {
        crate::model::insert_extended(&item.object, item.id, &mut seen).unwrap();
    }
    for item in whole.items().filter(|item| is_visible(item.key)) {
        if seen.get(item.key).is_none() {
            seen.insert(item.key, item.ints).unwrap();
        }
    }
    seen
}

fn coordinate() -> impl Strategy<Value = i32> {
    prop_oneof![0..4000, select(vec![0, 500, 800, 801, 1000, 1001, 1500])]
}

fn character(id: u8) -> impl Strategy<Value = Character> {
    (coordinate(), coordinate(), 0..3).prop_map(move |(x, y, tick)| Character::new(ClientId(id), tick, x, y))
}

fn world() -> impl Strategy<Value = World> {
    let ids = proptest::sample::subsequence((0..6_u8).collect::<Vec<_>>(), 0..=6);
    let characters = ids.prop_flat_map(|ids| ids.into_iter().map(character).collect::<Vec<_>>());
    let pickups = prop::collection::vec((coordinate(), coordinate()), 0..5);
    let lasers = prop::collection::vec((coordinate(), coordinate(), coordinate(), coordinate()), 0..3);
    (characters, pickups, lasers, 0..3_i32, any::<bool>()).prop_map(
        |(characters, pickups, lasers, score, is_extended)| {
            let players = (0..6).map(|id| Player { score, ..Player::new(ClientId(id)) }).collect();
            let pickup = |(id, (x, y))| Pickup { id, x, y, kind: PickupKind::Health };
            let laser =
                |(id, (x, y, from_x, from_y))| Laser { id, x, y, from_x, from_y, start_tick: 1, owner: None };
            let extended = characters.iter().filter(|_| is_extended).map(|character| {
                let object = ExtendedObject::DdnetCharacter(DdnetCharacter {
                    jumps: score,
                    ..DdnetCharacter::default()
                });
                ExtendedItem { id: character.id.0.into(), object }
            });
            World {
                players,
                extended: extended.collect(),
                pickups: (0..).zip(pickups).map(pickup).collect(),
                lasers: (0..).zip(lasers).map(laser).collect(),
                characters,
                ..World::default()
            }
        },
    )
}

fn wish() -> impl Strategy<Value = Wish> {
    let center = prop::option::of(prop::option::of((coordinate(), coordinate())));
    // Keys of the test, of characters, and of the numbers of players.
    let key = (select(vec![OWN, OWN, 9, 10]), 0..4_u16).prop_map(|(kind, id)| Key { kind, id });
    let size = prop_oneof![8 => Just(22_usize), 1 => 1..4_usize];
    let item = (key, size, 0..2_i32).prop_map(|(key, size, value)| {
        // The sizes of the games' types do not change.
        let size = if key.kind == OWN {
            size
        } else if key.kind == 9 {
            22
        } else {
            5
        };
        (key, vec![value; size])
    });
    let extended = prop::option::of((0..4_u16, 0..2).prop_map(|(id, auth_level)| ExtendedItem {
        id,
        object: ExtendedObject::DdnetPlayer(DdnetPlayer {
            auth_level: AuthLevel(auth_level),
            ..DdnetPlayer::default()
        }),
    }));
    (center, prop::option::of((0..6_u8).prop_map(ClientId)), prop::collection::vec(item, 0..4), extended)
        .prop_map(|(center, hidden, items, extended)| Wish { center, hidden, items, extended })
}

fn step() -> impl Strategy<Value = Step> {
    let ack = prop_oneof![
        4 => (0..3_usize).prop_map(|ago| Some(Some(ago))),
        2 => Just(None),
        1 => Just(Some(None)),
    ];
    let ticks = prop_oneof![8 => Just(2), 1 => Just(160)];
    (world(), wish(), ack, ticks).prop_map(|(world, wish, ack, ticks)| Step { world, wish, ack, ticks })
}

/// Plays the steps with both constructions, and compares every message.
fn compare(dialect: Dialect, steps: Vec<Step>) -> Result<(), TestCaseError> {
    let viewer = ClientId(1);
    let (mut snapshots, mut client) = (Snapshots::default(), ClientSnapshots::default());
    let (mut sender, mut scratch) = (Sender::default(), DeltaScratch::default());
    let (mut tick, mut sent) = (0, Vec::new());
    for Step { mut world, wish, ack, ticks } in steps {
        tick += ticks;
        world.tick = tick;
        let acked = match ack {
            Some(Some(ago)) => sent.iter().rev().nth(ago).copied(),
            Some(None) => Some(-1),
            None => None,
        };
        if let Some(acked) = acked {
            client.acknowledge(acked);
            sender.acknowledge(acked);
        }
        prop_assert_eq!(client.acks.rate, sender.rate());
        let seen = plain(dialect, viewer, &world, &wish);
        let expected: Vec<_> =
            sender.send(tick, &seen, dialect.item_sizes(), &mut scratch).unwrap().collect();
        let messages = snapshots.send(&mut client, viewer, dialect, &world, |view| wish.apply(view));
        let messages: Vec<_> = messages.unwrap().collect();
        prop_assert_eq!(&messages, &expected, "{:?} at {}", dialect, tick);
        sent.push(tick);
    }
    Ok(())
}

proptest! {
    #[test]
    fn the_shared_way_sends_the_same_bytes_as_a_world_and_a_delta_for_each_client(
        dialect in select(DIALECTS.to_vec()),
        steps in prop::collection::vec(step(), 1..20),
    ) {
        compare(dialect, steps)?;
    }
}
