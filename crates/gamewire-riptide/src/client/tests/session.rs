use core::time::Duration;
use std::collections::VecDeque;

use gamewire_machine::Machine;

use super::support::{Harness, V21, WIRES, at, describe};
use crate::client::{ClientConfig, Command, Event, ExecuteError, Session, SessionEnd};
use crate::command::{CommandError, OutgoingMessage};
use crate::layout::MessageLayouts;
use crate::message::{Message, MessageSendMode};
use crate::{DisconnectReason, Format, RejectReason, SendError};

fn session(messages: usize) -> Session<Message> {
    let messages = (0..messages).map(|_| Message::create(MessageSendMode::Reliable, 10_u16));
    Session::new(messages.collect(), Duration::from_secs(5), at(0))
}

/// Passes the events of the client to the session, and lets it act. Returns the events.
fn advance(harness: &mut Harness, session: &mut Session<Message>) -> Vec<String> {
    let mut events = Vec::new();
    while let Some(event) = harness.client.poll_event() {
        session.handle_event(&event);
        events.push(describe(event));
    }
    session.advance(&mut harness.client, harness.now);
    events
}

#[test]
fn planned_messages_are_sent_once_the_connection_is_established() {
    for wire in WIRES {
        let (mut harness, mut session) = (Harness::new(wire.format), session(2));
        harness.wait(10);
        advance(&mut harness, &mut session);
        assert_eq!((session.sent(), session.has_sent_all(), session.unsent(&harness.client)), (0, false, 2));
        harness.receive(wire.welcome).unwrap();
        assert_eq!(advance(&mut harness, &mut session), ["connected 1"]);
        assert_eq!((session.sent(), session.has_sent_all(), session.wake_at()), (2, true, None));
        assert!(session.unsent(&harness.client) >= 2);
        harness.receive(wire.unreliable).unwrap();
        advance(&mut harness, &mut session);
        assert_eq!((session.received(), session.end()), (1, None));
    }
}

#[test]
fn planned_messages_wait_while_the_send_buffer_is_full() {
    let (mut harness, mut session) = (Harness::new(Format::V21), session(40_000));
    harness.wait(10);
    harness.receive(V21.welcome).unwrap();
    advance(&mut harness, &mut session);
    let sent = session.sent();
    assert!(sent > 0 && sent < 40_000 && !session.has_sent_all(), "{sent}");
    assert_eq!(session.end(), None);
}

#[test]
fn a_message_that_cannot_be_sent_ends_the_session() {
    let mut harness = Harness::connected(&ClientConfig::new(Format::V20));
    let messages = [Message::create_notify()].into();
    let mut session = Session::new(messages, Duration::from_secs(5), harness.now);
    session.handle_event(&Event::Connected { id: 1.into() });
    session.advance(&mut harness.client, harness.now);
    assert_eq!(session.end(), Some(&SessionEnd::NotSent(SendError::NoNotify)));
}

#[test]
fn a_server_that_does_not_answer_in_time_is_silent() {
    let (mut harness, mut session) = (Harness::new(Format::V21), session(0));
    assert_eq!(session.wake_at(), Some(at(5000)));
    harness.now = at(4999);
    session.advance(&mut harness.client, harness.now);
    assert_eq!(session.end(), None);
    harness.now = at(5000);
    session.advance(&mut harness.client, harness.now);
    advance(&mut harness, &mut session);
    assert_eq!(session.end(), Some(&SessionEnd::Silent));
}

#[test]
fn the_end_says_who_ended_the_connection() {
    for wire in WIRES {
        let closed = |reason| SessionEnd::Closed { reason, exceeded: None };
        for (packet, end) in [
            (wire.stop, closed(DisconnectReason::ServerStopped)),
            (wire.bare_kick, closed(DisconnectReason::Kicked)),
            (wire.full, SessionEnd::Rejected(RejectReason::ServerFull)),
        ] {
            let (mut harness, mut session) = (Harness::new(wire.format), session(0));
            harness.wait(10);
            if end != SessionEnd::Rejected(RejectReason::ServerFull) {
                harness.receive(wire.welcome).unwrap();
            }
            harness.receive(packet).unwrap();
            advance(&mut harness, &mut session);
            assert_eq!(session.end(), Some(&end), "{packet}");
        }
        let (mut harness, mut left) = (Harness::connected(&ClientConfig::new(wire.format)), session(0));
        left.handle_event(&Event::Connected { id: 1.into() });
        harness.client.disconnect();
        advance(&mut harness, &mut left);
        assert_eq!(left.end(), Some(&SessionEnd::Left));
    }
}

#[test]
fn commands_are_executed_by_their_text() {
    for wire in WIRES {
        let mut harness = Harness::new(wire.format);
        let mut session = Session::<OutgoingMessage>::new(VecDeque::new(), Duration::from_secs(5), at(0));
        let command = |text: &str| Command::parse(text, &MessageLayouts::default());
        let early = session.execute(&mut harness.client, &command("10 int:5").unwrap());
        assert_eq!(early, Err(ExecuteError::NotSent(SendError::NotConnected)), "{:?}", wire.format);

        harness.wait(10);
        harness.receive(wire.welcome).unwrap();
        for text in ["10 int:5", "unreliable 11 string:\"a b\""] {
            assert_eq!(session.execute(&mut harness.client, &command(text).unwrap()), Ok(()), "{text}");
        }
        assert_eq!(session.sent(), 2);
        let notify = session.execute(&mut harness.client, &command("notify byte:1").unwrap());
        let expected = match wire.format {
            Format::V20 => Err(ExecuteError::Invalid(CommandError::NoNotify)),
            Format::V21 => Ok(()),
        };
        assert_eq!(notify, expected);
        assert!(matches!(command("dance"), Err(CommandError::Text(_))));

        session.execute(&mut harness.client, &command(" leave ").unwrap()).unwrap();
        while let Some(event) = harness.client.poll_event() {
            session.handle_event(&event);
        }
        assert_eq!(session.end(), Some(&SessionEnd::Left));
    }
}
