//! One reply to each command.

use gamewire_freeciv::agent::{Answer, Command, CommandOutcome, Event, ExecuteError};

use super::{entered, execute, replies};
use crate::play::recorded;
use crate::play::support::run;

/// Returns the outcome and the text of the only reply to a command.
fn outcome_of(line: &str) -> (CommandOutcome, Option<String>) {
    let (mut table, alice, _) = entered();
    let id = execute(&mut table, alice, line);
    run(&mut table, 1);
    let events = table.take_events(alice);
    let [(command, reply)] = replies(&events)[..] else { panic!("{events:?}") };
    assert_eq!(command, id);
    (reply.outcome, reply.text.clone())
}

#[test]
fn the_outcome_says_what_the_server_did() {
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(outcome_of(r#"{"end_turn":{}}"#), (CommandOutcome::Done, None));
    assert_eq!(outcome_of(r#"{"sentry":{"unit":7}}"#), (CommandOutcome::Silent, None));
    assert_eq!(outcome_of(r#"{"say":{"text":"hello"}}"#), (CommandOutcome::Done, text("hello")));
    let launch = "You need to have a capital in order to launch your spaceship.";
    assert_eq!(outcome_of(r#"{"launch_spaceship":{}}"#), (CommandOutcome::Answered, text(launch)));
    assert_eq!(outcome_of(r#"{"sentry":{"unit":9}}"#), (CommandOutcome::Error, text("unknown unit 9")));
    let illegal = outcome_of(r#"{"act":{"unit":7,"action":"fly"}}"#);
    assert_eq!(illegal, (CommandOutcome::Illegal, text("\"fly\" is not legal on tile 9")));
    let (unknown, _) = outcome_of(r#"{"packet":{"packet":"PACKET_NONE"}}"#);
    assert_eq!(unknown, CommandOutcome::Error);
}

#[test]
fn a_command_that_the_server_refuses_is_never_done() {
    for (line, _) in recorded::REPLIES {
        let (outcome, text) = outcome_of(&format!(r#"{{"say":{{"text":{line:?}}}}}"#));
        let expected = match *line {
            "/load tutorial" | "/set timeout 30" | "/vote yes" | "/cancelvote" => CommandOutcome::Done,
            "/load broken" | "/load half" => CommandOutcome::Refused,
            _ => CommandOutcome::Answered,
        };
        assert_eq!(outcome, expected, "{line}: {text:?}");
    }
    let (_, text) = outcome_of(r#"{"say":{"text":"/load broken"}}"#);
    assert!(text.unwrap().ends_with("\n/load: Could not load savefile: ./broken.sav"));
    let (_, text) = outcome_of(r#"{"say":{"text":"/load half"}}"#);
    assert!(text.unwrap().ends_with("\nFailure loading savegame!"));
}

#[test]
fn a_question_without_an_answer_is_silent() {
    let (mut table, alice, _) = entered();
    let id = execute(&mut table, alice, r#"{"legal_actions":{"unit":7,"tile":2}}"#);
    run(&mut table, 1);
    let events = table.take_events(alice);
    let [(command, reply)] = replies(&events)[..] else { panic!("{events:?}") };
    assert_eq!((command, reply.outcome), (id, CommandOutcome::Silent));
}

#[test]
fn a_city_without_a_name_gets_the_name_that_the_server_suggests() {
    let (mut table, alice, _) = entered();
    execute(&mut table, alice, r#"{"found_city":{"unit":7}}"#);
    run(&mut table, 1);
    let events = table.take_events(alice);
    assert_eq!(replies(&events)[0].1.outcome, CommandOutcome::Done);
    let world = table.client(alice).unwrap().world();
    assert_eq!(world.cities().named("Roma").map(|city| city.tile()), Some(9));
    let changed = events.iter().find_map(|event| match event {
        Event::Changed(changes) => Some(changes),
        _ => None,
    });
    let changes = changed.unwrap();
    assert!(changes.founded.contains(&50) && changes.units.contains(&7), "{changes:?}");
}

#[test]
fn questions_are_answered_in_any_number_and_order() {
    let (mut table, alice, _) = entered();
    let mut ids = Vec::new();
    for _ in 0..50 {
        ids.push(execute(&mut table, alice, r#"{"city_name":{"unit":7}}"#));
        ids.push(execute(&mut table, alice, r#"{"world":{"parts":["game"]}}"#));
        ids.push(execute(&mut table, alice, r#"{"legal_actions":{"unit":7}}"#));
    }
    run(&mut table, 5);
    let events = table.take_events(alice);
    let mut answered: Vec<_> = replies(&events).into_iter().map(|(command, _)| command).collect();
    answered.sort();
    let missing: Vec<_> = ids.iter().filter(|id| !answered.contains(id)).collect();
    assert!(missing.is_empty() && answered.len() == ids.len(), "{missing:?} of {}", ids.len());
    for (_, reply) in replies(&events) {
        let is_complete = match reply.answer.as_ref().unwrap() {
            Answer::CityName(name) => name == "Roma",
            Answer::World(parts) => parts.len() == 1,
            Answer::LegalActions { unit, tiles } => *unit == 7 && tiles.len() > 1,
            Answer::Price(_) | Answer::LegalList { .. } => false,
        };
        assert!(is_complete, "{reply:?}");
    }
}

#[test]
fn commands_that_the_server_never_processes_get_their_reply_before_the_close() {
    let (mut table, alice, _) = entered();
    let first = execute(&mut table, alice, r#"{"say":{"text":"/quit"}}"#);
    let second = execute(&mut table, alice, r#"{"end_turn":{}}"#);
    run(&mut table, 2);
    let events = table.take_events(alice);
    let outcomes: Vec<_> = replies(&events).into_iter().map(|(id, reply)| (id, reply.outcome)).collect();
    assert_eq!(outcomes, [(first, CommandOutcome::Unanswered), (second, CommandOutcome::Unanswered)]);
    assert!(matches!(events.last(), Some(Event::Closed(_))), "{events:?}");
}

#[test]
fn leaving_answers_what_is_pending() {
    let (mut table, alice, _) = entered();
    execute(&mut table, alice, r#"{"end_turn":{}}"#);
    execute(&mut table, alice, r#"{"leave":{}}"#);
    run(&mut table, 1);
    let events = table.take_events(alice);
    let outcomes: Vec<_> = replies(&events).into_iter().map(|(_, reply)| reply.outcome).collect();
    assert_eq!(outcomes, [CommandOutcome::Done, CommandOutcome::Unanswered]);
    assert!(matches!(events.last(), Some(Event::Closed(_))), "{events:?}");
}

#[test]
fn commands_are_taken_up_to_a_number() {
    let (mut table, alice, _) = entered();
    let agent = table.caller_mut(alice).unwrap();
    let taken = (0..100_000).take_while(|_| agent.execute(&Command::EndTurn {}).is_ok()).count();
    assert_eq!(agent.pending_commands(), taken);
    assert_eq!(agent.execute(&Command::EndTurn {}), Err(ExecuteError::Full));
    run(&mut table, 30);
    let events = table.take_events(alice);
    assert_eq!(replies(&events).len(), taken);
}
