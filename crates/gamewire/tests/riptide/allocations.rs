//! Allocations of a warm client and server over sockets.

use allocation_counter::measure;
use gamewire::riptide::{Client, ConnectOptions, Format, Message, MessageSendMode, Server};
use gamewire::riptide::{client, server};

use super::support::{client_of, connected, tcp, until};

/// Sends `count` messages of a mode without a pause, and waits until the server has echoed all of them.
fn echo(server: &mut Server, client: &mut Client, mode: MessageSendMode, count: usize) {
    for _ in 0..count {
        let mut message = Message::create(mode, 7_u16);
        for number in 0..8 {
            message.add_ulong(number);
        }
        client.send(&message).unwrap();
    }
    let mut echoes = 0;
    until("the echoes", || {
        server.update().unwrap();
        while let Some(event) = server.poll_event() {
            if let server::Event::MessageReceived { client, message } = event {
                server.send(&message, client).unwrap();
            }
        }
        client.update().unwrap();
        while let Some(event) = client.poll_event() {
            if let client::Event::MessageReceived { mut message } = event {
                (0..8).for_each(|number| assert_eq!(message.get_ulong().unwrap(), number));
                echoes += 1;
            }
        }
        (echoes == count).then_some(())
    });
}

/// Exchanges single messages of both modes.
fn exchange(server: &mut Server, client: &mut Client, times: usize) {
    for _ in 0..times {
        echo(server, client, MessageSendMode::Reliable, 1);
        echo(server, client, MessageSendMode::Unreliable, 1);
    }
}

#[test]
fn an_echo_over_sockets_allocates_nothing_once_warm() {
    for via in [ConnectOptions::udp, tcp] {
        for format in Format::ALL {
            let options = via();
            let what = format!("{format:?}, {options:?}");
            let mut server = Server::start(0, 1).unwrap();
            let client = client_of(&server, format, options);
            let mut client = connected(&mut server, client);
            // Heartbeats and resends may join a message in a batch, so a burst first grows the buffers.
            echo(&mut server, &mut client, MessageSendMode::Reliable, 10);
            exchange(&mut server, &mut client, 300);
            let used = measure(|| exchange(&mut server, &mut client, 100));
            assert_eq!(used.count_total, 0, "{what}: {used:?}");
        }
    }
}
