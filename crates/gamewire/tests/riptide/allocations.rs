//! Allocations of a warm client and server over sockets.

use allocation_counter::measure;
use gamewire::riptide::{Client, ConnectOptions, Format, Message, MessageSendMode, Server};
use gamewire::riptide::{client, server};

use super::support::{client_of, connected, tcp, until};

/// Sends a message of each mode, and waits until the server has echoed both.
fn echo(server: &mut Server, client: &mut Client) {
    for mode in [MessageSendMode::Reliable, MessageSendMode::Unreliable] {
        let mut message = Message::create(mode, 7_u16);
        for number in 0..8 {
            message.add_ulong(number);
        }
        client.send(&message).unwrap();
        drop(message);
        until("the echo", || {
            server.update().unwrap();
            while let Some(event) = server.poll_event() {
                if let server::Event::MessageReceived { client, message } = event {
                    server.send(&message, client).unwrap();
                }
            }
            client.update().unwrap();
            let mut has_come = None;
            while let Some(event) = client.poll_event() {
                if let client::Event::MessageReceived { mut message } = event {
                    (0..8).for_each(|number| assert_eq!(message.get_ulong().unwrap(), number));
                    has_come = Some(());
                }
            }
            has_come
        });
    }
}

#[test]
fn an_echo_over_sockets_allocates_nothing_once_warm() {
    for via in [ConnectOptions::udp, tcp] {
        for format in Format::ALL {
            let mut server = Server::start(0, 1).unwrap();
            let client = client_of(&server, format, via());
            let mut client = connected(&mut server, client);
            // Every buffer has reached its largest size.
            (0..300).for_each(|_| echo(&mut server, &mut client));
            let used = measure(|| (0..100).for_each(|_| echo(&mut server, &mut client)));
            assert_eq!(used.count_total, 0, "{format:?}");
        }
    }
}
