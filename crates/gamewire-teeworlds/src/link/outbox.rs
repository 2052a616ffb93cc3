use std::net::SocketAddr;

/// Datagrams that were written and not yet polled; one for each machine.
pub type Outbox = gamewire_machine::TransmitQueue<SocketAddr>;
