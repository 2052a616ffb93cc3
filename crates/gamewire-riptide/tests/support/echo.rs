//! A server of one client that returns every message.

use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine, Transmit, Wake};
use gamewire_riptide::server::{Event, Server, ServerConfig, ServerPacketError};

#[derive(Debug)]
pub struct EchoServer(Server);

impl EchoServer {
    pub fn new(now: Instant) -> Self {
        Self(Server::new(ServerConfig::new(1), now))
    }
}

impl Machine for EchoServer {
    type Event = ();
    type DatagramError = ServerPacketError;

    fn handle_timeout(&mut self, now: Instant) {
        self.0.handle_timeout(now);
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.0.poll_timeout()
    }

    fn poll_event(&mut self) -> Option<()> {
        while let Some(event) = self.0.poll_event() {
            if let Event::MessageReceived { client, message } = event {
                let _ = self.0.send(&message, client);
            }
        }
        None
    }

    fn handle_datagram(
        &mut self,
        now: Instant,
        from: SocketAddr,
        data: &[u8],
    ) -> Result<(), ServerPacketError> {
        let handled = self.0.handle_datagram(now, from, data);
        self.poll_event();
        handled
    }

    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        self.0.poll_transmit(now, buffer)
    }
}
