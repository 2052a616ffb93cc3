//! R8: a client makes a handler fail. It is lost; nobody else notices.

use gamewire::riptide::{
    Client, DisconnectReason, FailureKind, Format, Message, MessageSendMode, Server, message::HandlerError,
};
use gamewire::riptide::{client, server};

use super::support::{client_of, connected, left, tcp, turn, until};

#[derive(Debug, Message)]
#[message(id = 1, mode = "reliable")]
struct Step {
    by: i32,
}

/// A server whose handler has no love for 13 and 14, with an honest client and a bad one.
fn scene() -> (Server<Vec<i32>>, Client, Client) {
    let mut server = Server::start(0, 10).unwrap().with_state(Vec::new());
    server
        .on(|server, _, step: Step| {
            assert_ne!(step.by, 13, "an unlucky number");
            if step.by == 14 {
                return Err("a number that there is not");
            }
            server.state.push(step.by);
            Ok(())
        })
        .unwrap();
    let honest = client_of(&server, Format::V21, tcp());
    let honest = connected(&mut server, honest);
    let bad = client_of(&server, Format::V20, tcp());
    let bad = connected(&mut server, bad);
    while server.poll_event().is_some() {}
    (server, honest, bad)
}

/// The bad client says what makes the handler fail, and steps on; the honest one steps around it.
fn attack(blow: &Message) -> FailureKind {
    let (mut server, mut honest, mut bad) = scene();
    let culprit = bad.id().unwrap();
    honest.send(&Step { by: 1 }).unwrap();
    bad.send(blow).unwrap();
    bad.send(&Step { by: 666 }).unwrap();
    honest.send(&Step { by: 2 }).unwrap();

    let (mut gone, mut told) = (None, None);
    let (gone, told) = until("the bad client is gone and is told", || {
        turn(&mut server, &mut honest);
        bad.update().unwrap();
        gone = gone.or_else(|| left(&mut server).pop());
        while let Some(event) = bad.poll_event() {
            if let client::Event::Disconnected { reason, .. } = event {
                told = Some(reason);
            }
        }
        gone.zip(told)
    });
    assert_eq!((gone, told), ((culprit, DisconnectReason::Kicked), DisconnectReason::Kicked));
    let failure = server.poll_failure().unwrap();
    assert_eq!(failure.client, Some(culprit));
    assert!(server.poll_failure().is_none(), "one blow, one failure");

    honest.send(&Step { by: 3 }).unwrap();
    until("the honest client goes on", || {
        turn(&mut server, &mut honest);
        (server.state.len() == 3).then_some(())
    });
    server.state.sort_unstable();
    assert_eq!(server.state, [1, 2, 3], "nothing of the bad client counts after its blow");
    assert!(honest.is_connected());
    assert_eq!(server.client_count(), 1);
    failure.kind
}

fn step(by: i32) -> Message {
    let mut message = Message::create(MessageSendMode::Reliable, 1_u16);
    message.add_int(by);
    message
}

#[test]
fn r8_a_panic_in_a_handler_loses_its_client_only() {
    let fault = attack(&step(13));
    let FailureKind::Handler(HandlerError::Panicked(said)) = fault else { panic!("{fault:?}") };
    assert!(said.contains("an unlucky number"), "{said}");
}

#[test]
fn r8_an_error_of_a_handler_loses_its_client_only() {
    let fault = attack(&step(14));
    assert_eq!(fault.to_string(), "the handler failed: a number that there is not");
}

#[test]
fn r8_a_message_that_is_too_short_for_its_type_loses_its_client_only() {
    let fault = attack(&Message::create(MessageSendMode::Reliable, 1_u16));
    assert!(matches!(fault, FailureKind::Undecodable(_)), "{fault:?}");
}

#[test]
fn r8_a_panic_in_the_handler_of_events_loses_whom_the_event_is_about() {
    let mut server = Server::start(0, 10).unwrap().with_state(0);
    server.on_event(|server, event| {
        if let server::Event::ClientConnected { client, .. } = event {
            server.state += 1;
            assert_ne!(client.0, 2, "not you");
        }
    });
    let first = client_of(&server, Format::V21, tcp());
    let first = connected(&mut server, first);
    let mut second = client_of(&server, Format::V21, tcp());
    let reason = until("the second client is kicked", || {
        turn(&mut server, &mut second);
        while let Some(event) = second.poll_event() {
            if let client::Event::Disconnected { reason, .. } = event {
                return Some(reason);
            }
        }
        None
    });
    assert_eq!((reason, server.state, server.client_count()), (DisconnectReason::Kicked, 2, 1));
    assert!(server.client(first.id().unwrap()).is_some());
}

#[test]
fn r8_who_takes_the_place_of_a_kicked_client_is_heard() {
    let mut server = Server::start(0, 1).unwrap().with_state(Vec::new());
    server
        .on(|server, _, step: Step| {
            assert_ne!(step.by, 13);
            server.state.push(step.by);
        })
        .unwrap();
    for round in 0..3 {
        let client = client_of(&server, Format::V21, tcp());
        let mut client = connected(&mut server, client);
        assert_eq!(client.id().unwrap().0, 1, "the only id that there is");
        client.send(&Step { by: round }).unwrap();
        until("it is heard", || {
            turn(&mut server, &mut client);
            (server.state.last() == Some(&round)).then_some(())
        });
        client.send(&Step { by: 13 }).unwrap();
        until("it is gone", || {
            turn(&mut server, &mut client);
            (server.client_count() == 0).then_some(())
        });
    }
}

#[test]
fn r8_a_handler_of_a_client_that_panics_leaves_it_connected() {
    let mut server = Server::start(0, 1).unwrap();
    let client = client_of(&server, Format::V21, tcp());
    let mut client = connected(&mut server, client);
    client.on(|_, step: Step| assert_eq!(step.by, 0)).unwrap();
    server.send_to_all(&Step { by: 1 }).unwrap();
    let failure = until("the handler fails", || {
        turn(&mut server, &mut client);
        client.poll_failure()
    });
    assert!(matches!(failure.kind, FailureKind::Handler(HandlerError::Panicked(_))), "{failure}");
    assert!(client.is_connected());
}

#[test]
fn r8_failures_that_nobody_asks_for_do_not_pile_up() {
    let mut server = Server::start(0, 1).unwrap();
    let client = client_of(&server, Format::V21, tcp());
    let mut client = connected(&mut server, client).with_state(0);
    client
        .on(|client, _: Step| {
            client.state += 1;
            Err::<(), _>("never")
        })
        .unwrap();
    for by in 0..200 {
        server.send_to_all(&Step { by }).unwrap();
    }
    until("all were handled", || {
        turn(&mut server, &mut client);
        (client.state == 200).then_some(())
    });
    assert_eq!(core::iter::from_fn(|| client.poll_failure()).count(), 64);
}
