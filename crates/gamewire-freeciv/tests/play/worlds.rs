//! Worlds that are the same however their bytes come.

use core::num::NonZeroUsize;
use core::time::Duration;

use gamewire_freeciv::orders;
use gamewire_freeciv::play::Player;
use gamewire_freeciv::world::Change;
use gamewire_sim::StreamConditions;

use crate::support::{Table, call, run, table};

fn player(table: &mut Table, name: &str) -> usize {
    let player = call(table, name);
    run(table, 20);
    assert!(table.caller(player).unwrap().is_ready());
    player
}

fn shape(player: &Player) -> (usize, usize, i16, Option<u8>) {
    let world = player.world();
    (world.land().tiles().len(), world.units().iter().len(), world.begun_turn(), world.my_number())
}

#[test]
fn bytes_cut_anywhere_make_the_same_world() {
    for seed in 0..20 {
        let longest = NonZeroUsize::MIN.saturating_add(usize::try_from(seed).unwrap());
        let mut table = table(StreamConditions { longest, ..StreamConditions::PERFECT }, seed);
        let alice = player(&mut table, "alice");
        assert_eq!(shape(table.caller(alice).unwrap()), (16, 1, 1, Some(1)));
    }
}

#[test]
fn players_of_one_program_do_not_know_of_each_other() {
    let mut table = table(StreamConditions::PERFECT, 3);
    let players: Vec<_> = ["alice", "bob", "carol"].map(|name| player(&mut table, name)).to_vec();
    for (index, at) in players.iter().enumerate() {
        let (.., me) = shape(table.caller(*at).unwrap());
        assert_eq!(me.map(usize::from), Some(index + 1));
    }
    let bob = table.caller_mut(players[1]).unwrap();
    let done = orders::end_turn(bob.world());
    bob.order(&done).unwrap();
    run(&mut table, 1);
    let turns: Vec<_> = players.iter().map(|at| table.caller(*at).unwrap().world().turn()).collect();
    assert_eq!(turns, [1, 2, 1]);
}

#[test]
fn changes_are_told_since_the_last_look() {
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
    assert_eq!(second, [Change::Game, Change::TurnBegan { turn: 2 }]);
}
