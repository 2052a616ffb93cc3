//! Logging in with a password.

use core::time::Duration;

use gamewire_freeciv::session::client::{CloseReason, Event, PasswordRequest, Phase};
use gamewire_freeciv::session::server::{Event as ServerEvent, LoginPolicy, Server, ServerConfig};
use gamewire_sim::StreamConditions;

use super::support::{Table, call, client, end, finish, run, seconds, server, table};

const RIGHT: &str = "sesame";

fn asking() -> Table {
    table(ServerConfig { login_policy: LoginPolicy::Application, ..server() }, StreamConditions::PERFECT, 1)
}

/// Accepts alice with her password, and guests without one.
fn guard(server: &mut Server, event: ServerEvent) {
    match &event {
        ServerEvent::LoginRequested { client, name } if name.starts_with("guest") => {
            server.accept(*client).unwrap()
        }
        ServerEvent::LoginRequested { client, name } => {
            let request = if name == "alice" { PasswordRequest::Login } else { PasswordRequest::NewUser };
            server.ask_password(*client, request, "Who goes there?").unwrap();
        }
        ServerEvent::Password { client, password, .. } if password == RIGHT => {
            server.accept(*client).unwrap()
        }
        ServerEvent::Password { client, .. } => server.wrong_password(*client, "No.").unwrap(),
        _ => {}
    }
    finish(server, event);
}

fn wanted(events: &[Event]) -> Vec<(PasswordRequest, String)> {
    let wanted = events.iter().filter_map(|event| match event {
        Event::PasswordRequested { request, message } => Some((*request, message.clone())),
        _ => None,
    });
    wanted.collect()
}

#[test]
fn a_configured_password_is_sent_without_an_event() {
    let mut table = asking();
    let mut config = client("alice");
    config.password = Some(RIGHT.to_owned());
    call(&mut table, config);
    call(&mut table, client("guest7"));
    run(&mut table, seconds(1), guard);
    for caller in 0..2 {
        assert_eq!(table.client(caller).unwrap().phase(), Some(Phase::Playing));
        assert!(wanted(&table.take_events(caller)).is_empty());
    }
}

#[test]
fn after_a_wrong_password_the_client_is_asked_again() {
    let mut table = asking();
    let mut config = client("alice");
    config.password = Some("wrong".to_owned());
    call(&mut table, config);
    run(&mut table, Duration::from_millis(900), guard);
    assert!(wanted(&table.take_events(0)).is_empty());
    run(&mut table, Duration::from_millis(200), guard);
    assert_eq!(wanted(&table.take_events(0)), [(PasswordRequest::LoginRetry, "No.".to_owned())]);
    table.caller_mut(0).unwrap().send_password(RIGHT).unwrap();
    run(&mut table, seconds(1), guard);
    let events = table.take_events(0);
    assert!(events.iter().any(|event| matches!(event, Event::Joined(_))), "{events:?}");
    assert_eq!(table.client(0).unwrap().pending_requests(), 0);
}

#[test]
fn a_new_user_is_asked_for_a_new_password() {
    let mut table = asking();
    call(&mut table, client("newcomer"));
    run(&mut table, seconds(1), guard);
    let asked = wanted(&table.take_events(0));
    assert_eq!(asked, [(PasswordRequest::NewUser, "Who goes there?".to_owned())]);
    table.caller_mut(0).unwrap().send_password(RIGHT).unwrap();
    run(&mut table, seconds(1), guard);
    assert_eq!(table.client(0).unwrap().phase(), Some(Phase::Playing));
}

#[test]
fn three_wrong_passwords_take_six_seconds_and_are_rejected() {
    let mut table = asking();
    call(&mut table, client("alice"));
    run(&mut table, Duration::from_millis(10), guard);
    let started = table.now();
    let mut tries = 0;
    let mut events = Vec::new();
    while end(&events).is_none() {
        let new = table.take_events(0);
        if !wanted(&new).is_empty() {
            tries += 1;
            table.caller_mut(0).unwrap().send_password("guess").unwrap();
        }
        events.extend(new);
        run(&mut table, Duration::from_millis(10), guard);
        assert!(table.now().since(started) < seconds(20));
    }
    let took = table.now().since(started).as_secs_f64();
    assert_eq!(tries, 3);
    assert!((6.0..6.3).contains(&took), "{took}");
    assert!(matches!(end(&events), Some(CloseReason::Refused { .. })));
}

#[test]
fn a_request_without_an_answer_times_out_on_both_sides() {
    let mut table = asking();
    call(&mut table, client("alice"));
    let mut reported = Vec::new();
    run(&mut table, seconds(299), |server, event| {
        reported.push(event.clone());
        guard(server, event);
    });
    assert_eq!(table.client(0).unwrap().phase(), Some(Phase::Authenticating));
    run(&mut table, seconds(2), |_, event| reported.push(event));
    assert!(matches!(reported.last(), Some(ServerEvent::Closed { .. })), "{reported:?}");
    assert!(end(&table.take_events(0)).is_some());
}

#[test]
fn an_unrequested_password_is_not_sent() {
    let mut table = asking();
    call(&mut table, client("guest7"));
    assert!(table.caller_mut(0).unwrap().send_password(RIGHT).is_err());
    run(&mut table, seconds(1), guard);
    assert!(table.caller_mut(0).unwrap().send_password(RIGHT).is_err());
}
