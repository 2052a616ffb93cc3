use core::time::Duration;

use gamewire_machine::Instant;

use super::table::{DIALECTS, Table, config, map_change};
use crate::Dialect;
use crate::client::{CommandError, Event, MapRefusal, Session, SessionConfig, SessionEnd, SessionNotice};
use crate::link::CloseReason;
use crate::model::message::ServerMessage;
use crate::shared::pack::Text;

fn session_config() -> SessionConfig {
    SessionConfig {
        say: ["hello".to_owned()].into(),
        rcon_password: Some("secret".to_owned()),
        rcon_commands: ["status".to_owned()].into(),
        reconnects: false,
        answer_timeout: Duration::from_secs(5),
    }
}

/// Passes the events of the client to the session, and lets it act. Returns its notices.
fn advance(table: &mut Table, session: &mut Session) -> Vec<SessionNotice> {
    let mut notices = Vec::new();
    for mut event in table.events() {
        notices.extend(session.handle_event(&mut table.client, &mut event, table.now));
    }
    session.advance(&mut table.client, table.now);
    table.settle();
    notices
}

/// Creates a session with a player in the game.
fn playing(config: SessionConfig, dialect: Dialect) -> (Table, Session) {
    let mut table = Table::playing(dialect);
    let mut session = Session::new(config, table.now);
    for mut event in [Event::Connected { dialect }, Event::Entered] {
        assert_eq!(session.handle_event(&mut table.client, &mut event, table.now), None);
    }
    advance(&mut table, &mut session);
    (table, session)
}

#[test]
fn lines_are_sent_after_the_entry_and_commands_after_the_login() {
    for dialect in DIALECTS {
        let (mut table, mut session) = playing(session_config(), dialect);
        // A line of chat leaves when its timer fires.
        table.pass(Duration::from_secs(1));
        let said = table.said();
        assert_eq!(
            said.iter().filter(|said| !said.starts_with('~')).collect::<Vec<_>>(),
            ["RconAuth", "Say"]
        );
        assert!(session.has_entered() && session.has_sent_chat() && session.lacks_rcon());
        assert_eq!(session.unsent(&table.client), 1 + table.client.queued_lines() + table.client.unacked());
        table.say(&ServerMessage::RconAuth { granted: true });
        advance(&mut table, &mut session);
        table.pass(Duration::from_secs(2));
        assert!(table.said().contains(&"RconCmd".to_owned()), "{dialect:?}");
        assert!(!session.lacks_rcon());
    }
}

#[test]
fn a_rejected_password_ends_the_session() {
    let (mut table, mut session) = playing(session_config(), Dialect::V07);
    table.say(&ServerMessage::RconLine(Text::new("Wrong password 1/3.")));
    advance(&mut table, &mut session);
    assert_eq!(session.end(), Some(&SessionEnd::RconRefused));
    assert_eq!(table.client.state(), "closed");
}

#[test]
fn a_line_that_cannot_be_sent_ends_the_session() {
    let lines = SessionConfig { say: ["a\0b".to_owned()].into(), ..session_config() };
    let (_, session) = playing(lines, Dialect::V06);
    let Some(SessionEnd::NotSent { line, error: CommandError::Encode(_) }) = session.end() else {
        panic!("{session:?}")
    };
    assert_eq!(line, "a\0b");
}

#[test]
fn a_map_that_cannot_be_used_ends_the_session() {
    let mut table = Table::connected(config(Dialect::V06));
    let mut session = Session::new(session_config(), table.now);
    let refusal = MapRefusal::Size(-1);
    session.handle_event(&mut table.client, &mut Event::MapRefused(refusal), table.now);
    assert_eq!(session.end(), Some(&SessionEnd::MapRefused(refusal)));
}

#[test]
fn a_server_that_does_not_answer_in_time_ends_the_session() {
    let mut table = Table::with(config(Dialect::V07));
    let mut session = Session::new(session_config(), table.now);
    assert!(session.is_waiting_for_answer());
    table.now = session.wake_at().unwrap();
    assert_eq!(table.now, Instant::from_micros(6_000_000));
    session.advance(&mut table.client, table.now);
    let mut event = table.events().pop().unwrap();
    session.handle_event(&mut table.client, &mut event, table.now);
    // The event has the reason of the session instead of its own.
    assert_eq!(event, Event::Closed(CloseReason::UnableToConnect));
    let end = SessionEnd::Closed { reason: CloseReason::UnableToConnect, was_entered: false };
    assert_eq!((session.end(), session.wake_at()), (Some(&end), None));
}

#[test]
fn a_lost_connection_is_opened_again_after_a_delay() {
    let (mut table, mut session) =
        playing(SessionConfig { reconnects: true, ..session_config() }, Dialect::V07);
    let reason = CloseReason::PeerClosed { reason: "restart".into() };
    let end = SessionEnd::Closed { reason: reason.clone(), was_entered: true };
    table.client.disconnect("");
    table.events();
    let notice = session.handle_event(&mut table.client, &mut Event::Closed(reason), table.now);
    assert_eq!((notice, session.end()), (Some(SessionNotice::Reconnecting(end)), None));
    assert_eq!(session.wake_at(), Some(table.now + Session::RECONNECT_DELAY));
    session.advance(&mut table.client, table.now);
    assert_eq!(table.client.state(), "closed");
    table.now = session.wake_at().unwrap();
    session.advance(&mut table.client, table.now);
    assert_eq!((table.client.state(), session.is_waiting_for_answer()), ("connecting", true));
}

#[test]
fn a_redirection_sets_the_port_before_and_after_a_reconnect() {
    for requests in [[None, Some(8304), None], [Some(8304), None, None], [Some(8303), None, Some(8304)]] {
        let (mut table, mut session) =
            playing(SessionConfig { reconnects: true, ..session_config() }, Dialect::Tken);
        for port in requests {
            let mut event = port.map_or(Event::Reconnect, |port| Event::Redirect { port });
            session.handle_event(&mut table.client, &mut event, table.now);
        }
        table.now = session.wake_at().unwrap();
        session.advance(&mut table.client, table.now);
        assert_eq!(
            (table.client.server().port(), table.client.state()),
            (8304, "connecting"),
            "{requests:?}"
        );
    }
}

#[test]
fn leaving_ends_a_session_also_between_two_connections() {
    let (mut table, mut session) = playing(session_config(), Dialect::V06);
    session.leave(&mut table.client);
    advance(&mut table, &mut session);
    assert_eq!(session.end(), Some(&SessionEnd::Left));

    let (mut table, mut session) =
        playing(SessionConfig { reconnects: true, ..session_config() }, Dialect::V06);
    session.handle_event(&mut table.client, &mut Event::Reconnect, table.now);
    table.client.disconnect("");
    session.leave(&mut table.client);
    assert_eq!(session.end(), Some(&SessionEnd::Left));
}

#[test]
fn a_change_of_the_map_does_not_end_the_session() {
    let (mut table, mut session) = playing(session_config(), Dialect::V06);
    table.say(&map_change(Dialect::V06));
    advance(&mut table, &mut session);
    assert_eq!(session.end(), None);
}
