use gamewire_machine::StreamId;

use super::Server;
use super::peer::PeerInput;

impl Server {
    /// Handles bytes of a client, cut anywhere.
    pub(super) fn on_bytes(&mut self, stream: StreamId, mut data: &[u8]) {
        let Some(client) = self.peers.client_of(stream) else { return };
        let now = self.clock.now();
        while let Some(peer) = self.peers.get_mut(client) {
            match peer.receive(now, &mut data) {
                Ok(Some(PeerInput::Handled(None))) => {}
                Ok(Some(PeerInput::Handled(event))) => self.update(client, |_| Ok(event)),
                Ok(Some(PeerInput::JoinRequest { name, capabilities })) => {
                    self.on_join_request(client, name, &capabilities);
                }
                Ok(None) => break,
                Err(reason) => self.close(client, reason),
            }
        }
        self.update(client, |_| Ok(None));
    }
}
