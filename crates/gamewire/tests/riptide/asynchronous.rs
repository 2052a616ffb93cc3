//! Client and server on tokio.
#![cfg(feature = "tokio")]

use std::io;
use std::net::{Ipv4Addr, SocketAddr};

use gamewire::riptide::tokio::{Client, Server};
use gamewire::riptide::{ClientConfig, ConnectOptions, DisconnectReason, Format, Message};
use gamewire::riptide::{client, server};
use tokio::time::timeout;

use super::support::{TIMEOUT, tcp};

#[derive(Debug, Message)]
#[message(id = 1, mode = "reliable")]
struct Ask {
    number: u8,
}

#[derive(Debug, Message)]
#[message(id = 2, mode = "reliable")]
struct Answer {
    number: u8,
}

/// Starts a server that replies to numbers, and kicks a client that sends 0. Returns its port and its task.
fn serve() -> (u16, tokio::task::JoinHandle<io::Result<()>>) {
    let mut server = Server::start(0, 10).unwrap();
    server
        .on(|server, from, ask: Ask| {
            assert_ne!(ask.number, 0);
            server.send(&Answer { number: ask.number + 1 }, from)
        })
        .unwrap();
    let port = server.port();
    let task = tokio::spawn(async move {
        loop {
            let event = server.next_event().await?;
            assert!(!matches!(event, server::Event::MessageReceived { .. }));
        }
    });
    (port, task)
}

#[tokio::test]
async fn messages_go_both_ways_over_both_transports_and_a_panic_kicks_only_its_client() {
    let (port, task) = serve();
    let scenario = async {
        // The first address has no server.
        let unused = std::net::UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap();
        let server = [unused, SocketAddr::from((Ipv4Addr::LOCALHOST, port))];
        let mut clients = Vec::new();
        for (format, via) in [(Format::V20, tcp()), (Format::V21, ConnectOptions::udp())] {
            let client = Client::connect_with(&server[..], ClientConfig::new(format), via).await.unwrap();
            let mut client = client.with_state(0);
            client.on(|client, answer: Answer| client.state = answer.number).unwrap();
            let event = client.next_event().await.unwrap();
            assert!(matches!(event, client::Event::Connected { .. }), "{event:?}");
            clients.push(client);
        }
        for mut client in clients {
            client.send(&Ask { number: 7 }).unwrap();
            client.send(&Ask { number: 0 }).unwrap();
            let reason = loop {
                if let client::Event::Disconnected { reason, .. } = client.next_event().await.unwrap() {
                    break reason;
                }
            };
            assert_eq!((reason, client.state), (DisconnectReason::Kicked, 8));
            assert_eq!(client.next_event().await.unwrap_err().kind(), io::ErrorKind::NotConnected);
        }
    };
    timeout(TIMEOUT, scenario).await.unwrap();
    assert!(!task.is_finished());
    task.abort();
}

#[tokio::test]
async fn connecting_over_tcp_without_a_server_fails() {
    let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    // The port of a connected stream is in use, but no one listens there.
    let stream = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let unserved = stream.local_addr().unwrap();
    assert!(Client::connect_with(unserved, ClientConfig::new(Format::V21), tcp()).await.is_err());
}
