//! Turns that end when all players have ended them.

use gamewire_freeciv::packets::PlayerInfo;
use gamewire_freeciv::session::server::ClientId;
use gamewire_sim::StreamConditions;

use super::support::{Table, call, run, say, table};

const OTHER: u16 = 9;

/// Sends the state of a player to the only client.
fn show_player(table: &mut Table, playerno: u16, is_alive: bool, phase_done: bool) {
    let client = ClientId(1);
    let info = PlayerInfo { playerno, is_alive, phase_done, ..PlayerInfo::default() };
    say(table.host_mut(), client, &info);
}

/// Joins a player in a game with another one, who dies. Returns the turn after that: the server of these tests begins the
/// next turn when the player ends its own.
fn turn_after_death(has_ended_turn: bool, was_alive: bool) -> i16 {
    let mut table = table(StreamConditions::PERFECT, 1);
    let alice = call(&mut table, "alice");
    run(&mut table, 1);
    let me = table.client(alice).unwrap().world().my_number().unwrap();
    show_player(&mut table, me, true, has_ended_turn);
    show_player(&mut table, OTHER, was_alive, false);
    run(&mut table, 1);
    assert_eq!(table.client(alice).unwrap().world().turn(), 1);
    show_player(&mut table, OTHER, false, false);
    // Servers send a player more than once.
    show_player(&mut table, OTHER, false, false);
    run(&mut table, 1);
    table.client(alice).unwrap().world().turn()
}

#[test]
fn a_player_that_waits_ends_its_turn_again_when_the_last_other_one_dies() {
    assert_eq!(turn_after_death(true, true), 2);
}

#[test]
fn a_turn_that_the_player_has_not_ended_goes_on_when_another_one_dies() {
    assert_eq!(turn_after_death(false, true), 1);
    // This one was dead before.
    assert_eq!(turn_after_death(true, false), 1);
}
