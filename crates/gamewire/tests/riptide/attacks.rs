//! R8: a client makes a handler fail. Only that client is disconnected.

use gamewire::riptide::{
    Client, DisconnectReason, FailureKind, Format, Message, MessageSendMode, Server, message::HandlerError,
};
use gamewire::riptide::{client, server};

use super::support::{client_of, connected, left, tcp, until, update};

#[derive(Debug, Message)]
#[message(id = 1, mode = "reliable")]
struct Step {
    by: i32,
}

/// Returns a server with a handler that panics for 13 and fails for 14, an honest client and a malicious one.
fn scene() -> (Server<Vec<i32>>, Client, Client) {
    let mut server = Server::start(0, 10).unwrap().with_state(Vec::new());
    server
        .on(|server, _, step: Step| {
            assert_ne!(step.by, 13, "panic of the handler");
            if step.by == 14 {
                return Err("error of the handler");
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

/// The malicious client sends a message that makes the handler fail, before and after the honest client's messages.
fn attack(message: &Message) -> FailureKind {
    let (mut server, mut honest, mut bad) = scene();
    let culprit = bad.id().unwrap();
    honest.send(&Step { by: 1 }).unwrap();
    bad.send(message).unwrap();
    bad.send(&Step { by: 666 }).unwrap();
    honest.send(&Step { by: 2 }).unwrap();

    let (mut removed, mut received) = (None, None);
    let (removed, received) = until("the malicious client is kicked", || {
        update(&mut server, &mut honest);
        bad.update().unwrap();
        removed = removed.or_else(|| left(&mut server).pop());
        while let Some(event) = bad.poll_event() {
            if let client::Event::Disconnected { reason, .. } = event {
                received = Some(reason);
            }
        }
        removed.zip(received)
    });
    assert_eq!((removed, received), ((culprit, DisconnectReason::Kicked), DisconnectReason::Kicked));
    let failure = server.poll_failure().unwrap();
    assert_eq!(failure.client, Some(culprit));
    assert!(server.poll_failure().is_none(), "one failure");

    honest.send(&Step { by: 3 }).unwrap();
    until("the honest client's messages are handled", || {
        update(&mut server, &mut honest);
        (server.state.len() == 3).then_some(())
    });
    server.state.sort_unstable();
    assert_eq!(server.state, [1, 2, 3], "messages of the kicked client are ignored");
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
fn r8_a_panic_in_a_handler_kicks_only_its_client() {
    let fault = attack(&step(13));
    let FailureKind::Handler(HandlerError::Panicked(said)) = fault else { panic!("{fault:?}") };
    assert!(said.contains("panic of the handler"), "{said}");
}

#[test]
fn r8_an_error_of_a_handler_kicks_only_its_client() {
    let fault = attack(&step(14));
    assert_eq!(fault.to_string(), "the handler failed: error of the handler");
}

#[test]
fn r8_an_undecodable_message_kicks_only_its_client() {
    let fault = attack(&Message::create(MessageSendMode::Reliable, 1_u16));
    let expected = "the message of 0 bytes cannot be read: Step.by: expected a 32-bit number at byte 0, found the end of the data";
    assert_eq!(fault.to_string(), expected);
}

#[test]
fn r8_a_panic_in_the_event_handler_kicks_the_client_of_the_event() {
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
        update(&mut server, &mut second);
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
fn r8_a_new_client_with_the_id_of_a_kicked_one_is_served() {
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
        assert_eq!(client.id().unwrap().0, 1, "the only id");
        client.send(&Step { by: round }).unwrap();
        until("its message is handled", || {
            update(&mut server, &mut client);
            (server.state.last() == Some(&round)).then_some(())
        });
        client.send(&Step { by: 13 }).unwrap();
        until("it is disconnected", || {
            update(&mut server, &mut client);
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
    server.send_to_all(&Step { by: 1 }).all_sent().unwrap();
    let failure = until("the handler fails", || {
        update(&mut server, &mut client);
        client.poll_failure()
    });
    assert!(matches!(failure.kind, FailureKind::Handler(HandlerError::Panicked(_))), "{failure}");
    assert!(client.is_connected());
}

#[test]
fn r8_unpolled_failures_are_bounded() {
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
        server.send_to_all(&Step { by }).all_sent().unwrap();
    }
    until("all were handled", || {
        update(&mut server, &mut client);
        (client.state == 200).then_some(())
    });
    assert_eq!(core::iter::from_fn(|| client.poll_failure()).count(), 64);
}

#[test]
fn a_server_without_room_for_a_client_is_refused() {
    let error = Server::start(0, 0).err().unwrap();
    assert_eq!(error.to_string(), "max_client_count is 0: use 1 to 65534");
}
