//! The resulting world must not depend on the pieces in which bytes arrive.

use core::num::NonZeroUsize;
use core::time::Duration;

use gamewire_freeciv::orders;
use gamewire_freeciv::play::{Event, Player};
use gamewire_freeciv::world::Change;
use gamewire_machine::ConversationSide;
use gamewire_sim::StreamConditions;

use super::support::{SETTLERS, Table, call, run, table};

fn player(table: &mut Table, name: &str) -> usize {
    let player = call(table, name);
    run(table, 20);
    assert!(table.client(player).unwrap().is_ready());
    player
}

fn shape(player: &Player) -> (usize, usize, i16, Option<u16>) {
    let world = player.world();
    (world.map().tiles().len(), world.units().iter().len(), world.turn_started(), world.my_number())
}

/// Returns conditions that split the stream at any byte, delay it, and jitter.
fn conditions(seed: u64) -> StreamConditions {
    let longest = [1, 2, 3, 7, 100, 1_460, 65_536][usize::try_from(seed % 7).unwrap()];
    StreamConditions {
        delay: Duration::from_millis(seed % 40),
        jitter: Duration::from_millis(seed % 7),
        max_segment: NonZeroUsize::new(longest).unwrap(),
    }
}

/// Plays a short game: a city is founded, and four turns pass. `disturb` is called before each of the first twelve
/// seconds.
fn game(conditions: StreamConditions, seed: u64, disturb: impl Fn(&mut Table, u64)) -> Table {
    let mut table = table(conditions, seed);
    let alice = call(&mut table, "alice");
    let mut is_founded = false;
    for second in 0..20 {
        if second < 12 {
            disturb(&mut table, second);
        }
        run(&mut table, 1);
        let player = table.caller_mut(alice).unwrap();
        let turn = player.world().turn_started();
        // The order fails if the player has not joined, or is disconnected.
        if turn > 0 && !is_founded {
            let order = orders::found_city(player.world(), SETTLERS, "Gamewire").unwrap();
            is_founded = player.order(&order).is_ok();
        } else if (1..5).contains(&turn) {
            let done = orders::end_turn(player.world());
            let _ = player.order(&done);
        }
    }
    table
}

#[test]
fn cut_and_stalled_streams_give_the_same_world() {
    let expected = game(StreamConditions::PERFECT, 0, |_, _| {});
    let expected = expected.client(0).unwrap();
    assert_eq!(shape(expected), (16, 0, 5, Some(1)));
    assert_eq!(expected.world().cities().iter().count(), 1);
    for seed in 0..200 {
        let table = game(conditions(seed), seed, |table, second| {
            if (seed + second) % 5 == 0 {
                let from = if seed % 2 == 0 { ConversationSide::First } else { ConversationSide::Second };
                table.stall(0, from, Duration::from_millis(seed * 13 % 1_500));
            }
        });
        let world = table.client(0).unwrap().world();
        assert_eq!(format!("{world:?}"), format!("{:?}", expected.world()), "seed {seed}");
    }
}

#[test]
fn a_broken_stream_closes_cleanly_and_keeps_the_world() {
    for seed in 0..200 {
        let mut table = game(conditions(seed), seed, |table, second| {
            if second == seed % 12 {
                table.reset(0);
            }
        });
        assert!(table.host().clients().is_empty(), "seed {seed}");
        let player = table.caller_mut(0).unwrap();
        let order = orders::end_turn(player.world());
        assert!(player.order(&order).is_err(), "seed {seed}");
        assert!(player.world().map().tiles().len() <= 16, "seed {seed}");
        let is_over = |event: &Event| matches!(event, Event::Closed(_));
        assert_eq!(table.take_events(0).iter().filter(|event| is_over(event)).count(), 1, "seed {seed}");
    }
}

#[test]
fn players_in_one_program_are_independent() {
    let mut table = table(StreamConditions::PERFECT, 3);
    let players: Vec<_> = ["alice", "bob", "carol"].map(|name| player(&mut table, name)).to_vec();
    for (index, at) in players.iter().enumerate() {
        let (.., me) = shape(table.client(*at).unwrap());
        assert_eq!(me.map(usize::from), Some(index + 1));
    }
    let bob = table.caller_mut(players[1]).unwrap();
    let done = orders::end_turn(bob.world());
    bob.order(&done).unwrap();
    run(&mut table, 1);
    let turns: Vec<_> = players.iter().map(|at| table.client(*at).unwrap().world().turn()).collect();
    assert_eq!(turns, [1, 2, 1]);
}

#[test]
fn changes_since_the_last_look_are_reported() {
    let mut table = table(StreamConditions::PERFECT, 4);
    let alice = player(&mut table, "alice");
    let alice_now = table.caller_mut(alice).unwrap();
    let first = alice_now.take_changes();
    assert_eq!(first.iter().filter(|change| matches!(change, Change::TileSeen { .. })).count(), 16);
    assert!(first.contains(&Change::TurnBegan { turn: 1 }));
    assert_eq!(alice_now.take_changes(), []);
    let done = orders::end_turn(alice_now.world());
    alice_now.order(&done).unwrap();
    table.run_for(Duration::from_millis(1)).unwrap();
    run(&mut table, 1);
    let second = table.caller_mut(alice).unwrap().take_changes();
    assert_eq!(second, [Change::Game, Change::TurnBegan { turn: 2 }, Change::PhaseBegan { phase: 0 }]);
}
