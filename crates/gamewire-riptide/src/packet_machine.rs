use gamewire_machine::{Instant, Machine};

/// A role over the application's own transport, such as Steam or web sockets. A transport may carry packets in any
/// order and lose them. These methods are in a separate trait, so that only a transport sees them.
pub trait PacketMachine: Machine {
    /// A peer of the transport: an [`Endpoint`](crate::Endpoint) for a server, `()` for a client, which has only its
    /// server.
    type Peer: Copy;

    /// Handles a packet.
    ///
    /// # Errors
    /// [`Machine::DatagramError`] if the packet was dropped. The machine is unchanged.
    fn handle_packet(
        &mut self,
        now: Instant,
        from: Self::Peer,
        packet: &[u8],
    ) -> Result<(), Self::DatagramError>;

    /// Handles the end of a peer's transport.
    fn handle_transport_end(&mut self, now: Instant, peer: Self::Peer);

    /// Replaces the content of `buffer` with the next packet and returns its receiver.
    fn poll_packet(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Self::Peer>;

    /// Returns the next peer that the application can now disconnect from its transport. Poll all packets first.
    fn poll_close(&mut self) -> Option<Self::Peer>;
}
