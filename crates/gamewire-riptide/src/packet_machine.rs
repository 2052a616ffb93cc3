use gamewire_machine::{Instant, Machine};

/// A role over the application's own transport, such as Steam or web sockets: anything that carries packets, in any order
/// and with losses. It is a trait of its own, so that only a transport sees these methods.
pub trait PacketMachine: Machine {
    /// A peer of the transport: an [`Endpoint`](crate::Endpoint) of a server; a client has only its server.
    type Peer: Copy;

    /// Handles a packet.
    ///
    /// # Errors
    /// The packet was dropped. The machine is unchanged.
    fn handle_packet(
        &mut self,
        now: Instant,
        from: Self::Peer,
        packet: &[u8],
    ) -> Result<(), Self::DatagramError>;

    /// Handles the end of a peer's transport.
    fn handle_transport_end(&mut self, now: Instant, peer: Self::Peer);

    /// Returns the receiver of the next packet, which replaces the content of `buffer`.
    fn poll_packet(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Self::Peer>;

    /// Returns the next peer whose transport can be closed. Poll all packets first.
    fn poll_close(&mut self) -> Option<Self::Peer>;
}
