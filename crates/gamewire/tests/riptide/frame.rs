//! The frame loop over sockets.

use std::collections::BTreeSet;
use std::time::Instant;

use gamewire::net::{Conditions, DriverConfig};
use gamewire::riptide::websocket::WebSocketConfig;
use gamewire::riptide::{
    Client, ClientConfig, ConnectOptions, DisconnectReason, Format, ListenOptions, Message, MessageSendMode,
    RejectReason, Server, ServerConfig,
};
use gamewire::riptide::{client, server};

use super::support::{client_of, connected, left, received, tcp, text_message, until, update};

#[test]
fn one_port_echoes_both_formats_over_both_transports() {
    let mut server = Server::start(0, 10).unwrap();
    let mut clients = Vec::new();
    for (format, via) in [
        (Format::V20, ConnectOptions::udp()),
        (Format::V21, ConnectOptions::udp()),
        (Format::V20, tcp()),
        (Format::V21, tcp()),
    ] {
        let client = client_of(&server, format, via);
        clients.push(connected(&mut server, client));
    }
    assert_eq!(server.client_count(), 4);

    for mode in [MessageSendMode::Reliable, MessageSendMode::Unreliable] {
        for client in &mut clients {
            let text = format!("from {:?}", client.id());
            client.send(&text_message(mode, 7, &text)).unwrap();
            let echo = until("an echo", || {
                server.update().unwrap();
                while let Some(event) = server.poll_event() {
                    if let server::Event::MessageReceived { client, message } = event {
                        server.send(&message, client).unwrap();
                    }
                }
                client.update().unwrap();
                received(client)
            });
            assert_eq!(echo, (mode, Some(7), text));
        }
    }
}

#[test]
fn every_address_of_a_server_is_tried() {
    // A name such as localhost has both addresses, and the server listens on the second.
    let options = || ListenOptions::address(([127, 0, 0, 1], 0).into());
    let mut server = Server::start_with(ServerConfig::new(4), options()).unwrap();
    let silent = std::net::UdpSocket::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap();
    let at = [silent, ([127, 0, 0, 1], server.port()).into()];
    for via in [ConnectOptions::udp(), tcp()] {
        let client = Client::connect_with(&at[..], ClientConfig::default(), via).unwrap();
        connected(&mut server, client);
    }
    let mut config = ClientConfig::default();
    config.link.max_connection_attempts = 1;
    let client = Client::connect_with(&at[..], config, ConnectOptions::udp()).unwrap();
    connected(&mut server, client);
}

#[test]
fn events_wait_until_they_are_polled() {
    let mut server = Server::start(0, 10).unwrap();
    let client = client_of(&server, Format::V21, ConnectOptions::udp());
    let mut client = connected(&mut server, client);
    let id = client.id().unwrap();
    let received = |server: &Server| server.client(id).unwrap().metrics().reliable_in;
    let before = received(&server);
    for number in 0..3 {
        client.send(&text_message(MessageSendMode::Reliable, 7, &number.to_string())).unwrap();
        until("an update that receives it", || {
            update(&mut server, &mut client);
            (received(&server) > before + number).then_some(())
        });
    }
    let mut texts = Vec::new();
    while let Some(event) = server.poll_event() {
        if let server::Event::MessageReceived { mut message, .. } = event {
            texts.push(message.get_string().unwrap());
        }
    }
    assert_eq!(texts, ["0", "1", "2"]);
}

#[test]
fn an_application_that_never_polls_does_not_spin() {
    let mut server = Server::start(0, 10).unwrap();
    let client = Client::connect(("127.0.0.1", server.port()), ClientConfig::default()).unwrap();
    let mut client = connected(&mut server, client);
    until("a wait without an event", || {
        client.update().unwrap();
        server.update().unwrap();
        let began = Instant::now();
        server.wait(std::time::Duration::from_millis(100)).unwrap();
        (began.elapsed().as_millis() >= 90).then_some(())
    });
    assert!(matches!(server.poll_event(), Some(server::Event::ClientConnected { .. })));
}

#[test]
fn a_server_may_have_one_transport_only() {
    let listen = ListenOptions::address(([127, 0, 0, 1], 0).into()).tcp();
    let mut server = Server::start_with(ServerConfig::new(1), listen).unwrap();
    let client = client_of(&server, Format::V21, tcp());
    connected(&mut server, client);
}

#[test]
fn the_application_accepts_and_rejects_clients() {
    let config = ServerConfig { handle_connection: true, ..ServerConfig::new(10) };
    let mut server = Server::start_with(config, ListenOptions::port(0)).unwrap();
    let mut password = Message::create_data();
    password.add_string("swordfish");
    let config = ClientConfig { connect_data: Some(password), ..ClientConfig::new(Format::V21) };
    let address = ("127.0.0.1", server.port());
    let mut member = Client::connect(address, config).unwrap();
    let mut other = Client::connect(address, ClientConfig::new(Format::V21)).unwrap();

    let (reason, text) = until("one client is rejected and the other connected", || {
        server.update().unwrap();
        while let Some(event) = server.poll_event() {
            if let server::Event::ConnectionRequested { connection, mut data, .. } = event {
                if data.get_string().is_ok_and(|password| password == "swordfish") {
                    server.accept(connection);
                } else {
                    let mut why = Message::create_data();
                    why.add_string("members only");
                    server.reject(connection, Some(&why)).unwrap();
                }
            }
        }
        member.update().unwrap();
        other.update().unwrap();
        let refused = other.poll_event().filter(|_| member.is_connected());
        let Some(client::Event::ConnectionFailed { reason, data }) = refused else { return None };
        Some((reason, data.unwrap().get_string().unwrap()))
    });
    assert_eq!((reason, text.as_str()), (RejectReason::Custom, "members only"));
}

#[test]
fn a_kicked_client_receives_the_data_of_the_application() {
    let mut server = Server::start(0, 10).unwrap();
    let client = client_of(&server, Format::V21, ConnectOptions::udp());
    let mut client = connected(&mut server, client);
    let mut why = Message::create_data();
    why.add_string("no cheating");
    server.disconnect_client(client.id().unwrap(), Some(&why)).unwrap();
    let (reason, data) = until("the client is kicked", || {
        update(&mut server, &mut client);
        let event = client.poll_event()?;
        if let client::Event::Disconnected { reason, data, .. } = event { Some((reason, data)) } else { None }
    });
    assert_eq!(reason, DisconnectReason::Kicked);
    assert_eq!(data.unwrap().get_string().unwrap(), "no cheating");
}

#[test]
fn a_server_that_stops_disconnects_its_clients() {
    let mut server = Server::start(0, 10).unwrap();
    let mut clients = Vec::new();
    for via in [ConnectOptions::udp(), tcp()] {
        let client = client_of(&server, Format::V21, via);
        clients.push(connected(&mut server, client));
    }
    server.stop();
    assert!(!server.is_running());
    drop(server);
    for mut client in clients {
        let reason = until("the client is disconnected", || {
            client.update().unwrap();
            while let Some(event) = client.poll_event() {
                if let client::Event::Disconnected { reason, .. } = event {
                    return Some(reason);
                }
            }
            None
        });
        assert_eq!(reason, DisconnectReason::ServerStopped);
    }
}

#[test]
fn a_client_that_disconnects_is_removed() {
    let mut server = Server::start(0, 10).unwrap();
    let client = client_of(&server, Format::V20, ConnectOptions::udp());
    let mut client = connected(&mut server, client);
    let id = client.id().unwrap();
    client.disconnect();
    let gone = until("the client is disconnected", || {
        update(&mut server, &mut client);
        left(&mut server).pop()
    });
    assert_eq!(gone, (id, DisconnectReason::Disconnected));
}

#[test]
fn relayed_messages_reach_only_the_other_clients() {
    let mut config = ServerConfig::new(10);
    config.relay_filter.enable_relay(3_u16);
    let mut server = Server::start_with(config, ListenOptions::port(0)).unwrap();
    let one = client_of(&server, Format::V20, ConnectOptions::udp());
    let mut one = connected(&mut server, one);
    let two = client_of(&server, Format::V21, tcp());
    let mut two = connected(&mut server, two);

    one.send(&text_message(MessageSendMode::Reliable, 3, "relayed text")).unwrap();
    let relayed = until("the other client receives it", || {
        update(&mut server, &mut one);
        while let Some(event) = server.poll_event() {
            assert!(!matches!(event, server::Event::MessageReceived { .. }), "{event:?}");
        }
        two.update().unwrap();
        received(&mut two)
    });
    assert_eq!(relayed, (MessageSendMode::Reliable, Some(3), "relayed text".into()));
}

#[test]
fn reliable_messages_over_the_relay_budget_arrive_later() {
    // So few messages that they arrive together, within a small part of the time of the budget.
    const COUNT: usize = 60;
    let budget = server::RelayBudget { messages_per_second: 20, ..server::RelayBudget::default() };
    let config = ServerConfig {
        relay_filter: [7_u16].into_iter().collect(),
        relay_budget: budget,
        ..ServerConfig::new(10)
    };
    let mut server = Server::start_with(config, ListenOptions::port(0)).unwrap();
    let [mut sender, mut receiver] = [(); 2].map(|()| {
        let client = client_of(&server, Format::V21, ConnectOptions::udp());
        connected(&mut server, client)
    });
    for number in 0..COUNT {
        sender.send(&text_message(MessageSendMode::Reliable, 7, &number.to_string())).unwrap();
    }
    let mut texts = BTreeSet::new();
    until("all of them", || {
        sender.update().unwrap();
        update(&mut server, &mut receiver);
        while let Some((_, _, text)) = received(&mut receiver) {
            texts.insert(text.parse::<u32>().unwrap());
        }
        assert!(sender.is_connected());
        (texts.len() == COUNT).then_some(())
    });
    assert!(server.relay_deferred() > 0);
    assert_eq!(server.relay_dropped(), 0);
}

#[test]
fn reliable_messages_arrive_on_a_poor_link() {
    let bad = Conditions { loss: 0.2, delay: std::time::Duration::from_millis(5), ..Conditions::PERFECT };
    let mut server = Server::start_with(
        ServerConfig::new(1),
        ListenOptions { driver: DriverConfig::default().impair(bad), ..ListenOptions::port(0) },
    )
    .unwrap();
    let client = client_of(&server, Format::V21, ConnectOptions::udp());
    let mut client = connected(&mut server, client);
    for number in 0..20_u16 {
        client.send(&Message::create(MessageSendMode::Reliable, number)).unwrap();
    }
    let mut missing: BTreeSet<u16> = (0..20).collect();
    until("all have arrived", || {
        update(&mut server, &mut client);
        while let Some(event) = server.poll_event() {
            if let server::Event::MessageReceived { message, .. } = event {
                assert!(missing.remove(&message.id().unwrap()), "exactly once");
            }
        }
        missing.is_empty().then_some(())
    });
}

#[test]
fn six_thousand_reliable_messages_in_a_second_go_through_a_room() {
    const COUNT: u32 = 6_000;
    let mut config = ServerConfig::new(2);
    config.relay_filter.enable_relay(10_u16);
    let mut server = Server::start_with(config, ListenOptions::port(0)).unwrap();
    let receiver = client_of(&server, Format::V21, ConnectOptions::udp());
    let mut receiver = connected(&mut server, receiver);
    let sender = client_of(&server, Format::V21, ConnectOptions::udp());
    let mut sender = connected(&mut server, sender);
    let (began, mut sent, mut numbers) = (Instant::now(), 0, BTreeSet::new());
    until("every message arrives", || {
        let due = u32::try_from(began.elapsed().as_millis()).unwrap() * COUNT / 1_000;
        while sent < due.min(COUNT) {
            let mut message = Message::create(MessageSendMode::Reliable, 10_u16);
            message.add_uint(sent);
            sender.send(&message).unwrap();
            sent += 1;
        }
        update(&mut server, &mut sender);
        update(&mut server, &mut receiver);
        while let Some(event) = receiver.poll_event() {
            if let client::Event::MessageReceived { mut message } = event {
                assert!(numbers.insert(message.get_uint().unwrap()), "twice");
            }
        }
        (numbers.len() == COUNT as usize).then_some(())
    });
    assert!(sender.is_connected() && server.relay_deferred() == 0);
}

#[test]
fn players_over_websocket_tcp_and_udp_share_a_room() {
    let mut config = ServerConfig::new(10);
    config.websocket = Some(WebSocketConfig::default());
    config.relay_filter.enable_relay(7_u16);
    let options = ListenOptions::address(([127, 0, 0, 1], 0).into());
    let mut server = Server::start_with(config, options.websocket(([127, 0, 0, 1], 0).into())).unwrap();
    let own_port = server.websocket_addrs()[0];
    assert_ne!(own_port.port(), server.port());
    let via = || ConnectOptions::websocket("localhost");
    let at_own_port = Client::connect_with(own_port, ClientConfig::default(), via()).unwrap();
    let mut clients = vec![connected(&mut server, at_own_port)];
    for (format, via) in [
        (Format::V20, via()),
        (Format::V21, via()),
        (Format::V21, tcp()),
        (Format::V21, ConnectOptions::udp()),
    ] {
        let client = client_of(&server, format, via);
        clients.push(connected(&mut server, client));
    }
    clients[0].send(&text_message(MessageSendMode::Reliable, 7, "hello")).unwrap();
    for at in 1..clients.len() {
        let message = until("the message", || {
            server.update().unwrap();
            clients[0].update().unwrap();
            clients[at].update().unwrap();
            received(&mut clients[at])
        });
        assert_eq!(message, (MessageSendMode::Reliable, Some(7), "hello".into()));
    }
    assert_eq!(server.websocket_stats().accepted, 3);
}

#[test]
fn a_server_without_websockets_refuses_them() {
    let mut server = Server::start(0, 10).unwrap();
    let mut client = client_of(&server, Format::V21, ConnectOptions::websocket("localhost"));
    until("the end of the attempt", || {
        update(&mut server, &mut client);
        client.is_ended().then_some(())
    });
}
