//! Typed handlers, state and the order of events.

use gamewire::riptide::{Client, ClientId, ConnectOptions, Format, Logger, Message, MessageSendMode, Server};
use gamewire::riptide::{client, server};

use super::support::{client_of, connected, received, tcp, text_message, until, update};

#[derive(Debug, PartialEq, Message)]
#[message(id = 1, mode = "reliable")]
struct Ask {
    number: i32,
}

#[derive(Debug, PartialEq, Message)]
#[message(id = 2, mode = "reliable")]
struct Answer {
    double: i64,
    asked: bool,
}

#[derive(Debug, Message)]
#[message(mode = "notify")]
struct Glimpse {
    at: u16,
}

#[test]
fn typed_messages_go_both_ways_to_clients_of_both_formats() {
    let mut server = Server::start(0, 10).unwrap();
    server
        .on::<Ask>(|server, from, ask| {
            server.send(&Answer { double: 2 * i64::from(ask.number), asked: true }, from)
        })
        .unwrap();
    for (format, via) in [(Format::V20, ConnectOptions::udp()), (Format::V21, tcp())] {
        let client = client_of(&server, format, via);
        let mut client = connected(&mut server, client).with_state(Vec::new());
        client.on::<Answer>(|client, answer| client.state.push(answer)).unwrap();
        client.send(&Ask { number: -21 }).unwrap();
        until("an answer", || {
            update(&mut server, &mut client);
            client.state.pop().filter(|answer| *answer == Answer { double: -42, asked: true })
        });
        assert!(
            client.poll_event().is_none_or(|event| !matches!(event, client::Event::MessageReceived { .. }))
        );
    }
}

#[test]
fn messages_without_a_handler_stay_events() {
    let mut server = Server::start(0, 10).unwrap();
    server.on(|_, _, _: Ask| ()).unwrap();
    let client = client_of(&server, Format::V21, ConnectOptions::udp());
    let mut client = connected(&mut server, client);
    client.send(&Ask { number: 1 }).unwrap();
    client.send(&text_message(MessageSendMode::Reliable, 9, "hello")).unwrap();
    let (from, text) = until("the event", || {
        update(&mut server, &mut client);
        while let Some(event) = server.poll_event() {
            if let server::Event::MessageReceived { client, mut message } = event {
                return Some((client, message.get_string().unwrap()));
            }
        }
        None
    });
    assert_eq!((Some(from), text.as_str()), (client.id(), "hello"));
}

#[test]
fn one_id_has_one_handler() {
    let mut server = Server::start(0, 1).unwrap();
    server.on(|_, _, _: Ask| ()).unwrap();
    assert!(server.on_message(1_u16, |_, _, _| ()).is_err());
    assert!(server.on(|_, _, _: Answer| ()).is_ok());
}

#[test]
fn a_handler_may_register_another_one() {
    let mut server = Server::start(0, 1).unwrap().with_state(Vec::new());
    server
        .on(|server, _, ask: Ask| {
            server.state.push(ask.number);
            // The second registration fails.
            server.on(|server, _, _: Answer| server.state.push(100)).ok();
        })
        .unwrap();
    let client = client_of(&server, Format::V21, tcp());
    let mut client = connected(&mut server, client);
    for message in [1, 2] {
        client.send(&Ask { number: message }).unwrap();
        until("it is handled", || {
            update(&mut server, &mut client);
            (server.state.last() == Some(&message)).then_some(())
        });
    }
    client.send(&Answer { double: 0, asked: false }).unwrap();
    until("the new handler runs", || {
        update(&mut server, &mut client);
        (server.state == [1, 2, 100]).then_some(())
    });
}

#[test]
fn the_connection_is_reported_before_the_first_message() {
    let mut server = Server::start(0, 1).unwrap().with_state(Vec::new());
    server.on_event(|server, event| match event {
        server::Event::ClientConnected { client, .. } => server.state.push(format!("{client} connected")),
        server::Event::ClientDisconnected { client, .. } => {
            server.state.push(format!("{client} disconnected"))
        }
        _ => {}
    });
    server.on(|server, from, ask: Ask| server.state.push(format!("{from} sent {}", ask.number))).unwrap();
    let mut client = client_of(&server, Format::V21, tcp());
    client.on_event(|client, event| {
        if matches!(event, client::Event::Connected { .. }) {
            client.send(&Ask { number: 5 }).map(drop)?;
            client.disconnect();
        }
        Ok::<(), gamewire::riptide::SendError>(())
    });
    until("it connected, sent and disconnected", || {
        update(&mut server, &mut client);
        assert!(server.poll_event().is_none());
        (server.state.len() == 3).then_some(())
    });
    assert_eq!(server.state, ["1 connected", "1 sent 5", "1 disconnected"]);
}

#[test]
fn notify_messages_have_a_handler_without_an_id() {
    let mut server = Server::start(0, 1).unwrap().with_state(None);
    server.on(|server, from, glimpse: Glimpse| server.state = Some((from, glimpse.at))).unwrap();
    let client = client_of(&server, Format::V21, ConnectOptions::udp());
    let mut client = connected(&mut server, client);
    client.send(&Glimpse { at: 700 }).unwrap();
    let seen = until("it is received", || {
        update(&mut server, &mut client);
        server.state
    });
    assert_eq!(seen, (client.id().unwrap(), 700));
}

#[test]
fn a_reply_of_a_handler_is_sent_by_the_same_update() {
    let mut server = Server::start(0, 1).unwrap().with_state(0);
    server
        .on_message(4_u16, |server, from: ClientId, message| {
            server.state += 1;
            server.send(message, from)
        })
        .unwrap();
    let client = client_of(&server, Format::V21, ConnectOptions::udp());
    let mut client: Client = connected(&mut server, client);
    client.send(&text_message(MessageSendMode::Unreliable, 4, "quick")).unwrap();
    client.update().unwrap();
    until("it is handled", || {
        server.update().unwrap();
        (server.state == 1).then_some(())
    });
    // The server is not updated again.
    let echo = until("an echo", || {
        client.update().unwrap();
        received(&mut client)
    });
    assert_eq!(echo, (MessageSendMode::Unreliable, Some(4), "quick".into()));
}

#[test]
fn log_lines_reach_the_callback_of_their_level_and_a_kick_has_no_names_of_the_server() {
    let (sender, lines) = std::sync::mpsc::channel();
    let to = |level: &'static str| {
        let sender = sender.clone();
        move |line: &str| sender.send((level, line.to_owned())).unwrap()
    };
    let mut server = Server::start(0, 10).unwrap();
    server.set_logger(Logger::new(to("debug"), to("info"), to("warning"), to("error"), false));
    server.on(|_, _, _: Answer| ()).unwrap();
    let client = client_of(&server, Format::V21, ConnectOptions::udp());
    let mut client = connected(&mut server, client);
    client.send(&Message::create(MessageSendMode::Reliable, 2_u16)).unwrap();
    let data = until("the kick", || {
        update(&mut server, &mut client);
        while let Some(event) = client.poll_event() {
            if let client::Event::Disconnected { data, .. } = event {
                return Some(data.unwrap().get_string().unwrap());
            }
        }
        None
    });
    assert_eq!(data, "invalid message");
    let lines: Vec<_> = lines.try_iter().collect();
    let has = |level, part: &str| lines.iter().any(|line| line.0 == level && line.1.contains(part));
    assert!(has("info", "connected") && has("error", "Answer.double"), "{lines:?}");
    assert!(!lines.iter().any(|line| line.1.starts_with('[')));
    server.set_logger(Logger::new(to("debug"), to("info"), to("warning"), to("error"), true));
}
