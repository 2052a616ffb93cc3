//! The state of the game when an agent enters it.

use gamewire_freeciv::agent::view::{Part, WorldView};
use gamewire_freeciv::agent::{AgentConfig, Event};
use gamewire_freeciv::session::client::ClientConfig;
use serde_json::json;

use super::{entered, entered_by, execute, replies};
use crate::play::support::run;

#[test]
fn the_state_at_the_entry_is_the_world_and_no_change_or_turn_precedes_it() {
    let (table, alice, events) = entered();
    let entered = events.iter().filter(|event| matches!(event, Event::Entered)).count();
    let early = events.iter().any(|event| matches!(event, Event::Changed(_) | Event::TurnBegan { .. }));
    assert_eq!((entered, early), (1, false), "{events:?}");
    let agent = table.client(alice).unwrap();
    assert!(agent.has_entered());
    let view = WorldView::new(agent.world(), &[Part::Game, Part::OwnUnits]);
    let view = serde_json::to_value(&view).unwrap();
    assert_eq!(view["game"]["state"], "running");
    assert_eq!((&view["game"]["turn"], &view["units"][0]["id"]), (&json!(1), &json!(7)));
    assert_eq!(view["units"][0]["home_city"], json!(null));
}

#[test]
fn the_reply_to_the_end_of_a_turn_comes_before_the_next_turn() {
    let (mut table, alice, _) = entered();
    let id = execute(&mut table, alice, r#"{"end_turn":{}}"#);
    run(&mut table, 1);
    let events = table.take_events(alice);
    assert_eq!(replies(&events)[0].0, id);
    let place = |wanted: fn(&Event) -> bool| events.iter().position(wanted).unwrap();
    let reply = place(|event| matches!(event, Event::Reply { .. }));
    assert!(reply < place(|event| matches!(event, Event::TurnBegan { turn: 2 })), "{events:?}");
}

#[test]
fn the_end_of_the_game_comes_after_the_packets_that_came_with_it() {
    // The seeds cut the stream into different reads, some with all packets.
    for seed in 0..50 {
        let client = ClientConfig { packet_events: true, ..ClientConfig::new("alice") };
        let (mut table, alice, _) = entered_by(AgentConfig { client, starts: false, takes: None }, seed);
        execute(&mut table, alice, r#"{"say":{"text":"/endgame"}}"#);
        run(&mut table, 1);
        let events = table.take_events(alice);
        let place = |wanted: fn(&Event) -> bool| events.iter().position(wanted).unwrap();
        let is_new_year =
            |event: &Event| matches!(event, Event::Packet(it) if it.name() == "PACKET_NEW_YEAR");
        assert!(place(is_new_year) < place(|event| matches!(event, Event::Ended(_))), "{seed}: {events:?}");
    }
}

#[test]
fn a_player_is_taken_before_the_entry_and_the_game_starts_after_it() {
    let client = ClientConfig::new("alice");
    let config = AgentConfig { client, starts: false, takes: Some("Caesar".into()) };
    let (table, alice, events) = entered_by(config, 1);
    // The server refuses it. The agent enters with what it has.
    let place = |wanted: fn(&Event) -> bool| events.iter().position(wanted).unwrap();
    let refusal =
        place(|event| matches!(event, Event::Message(message) if message.text.contains("No player")));
    assert!(refusal < place(|event| matches!(event, Event::Entered)), "{events:?}");
    assert!(table.client(alice).unwrap().has_entered());
}
