use gamewire_machine::{StreamId, StreamOutput};

use super::Server;

impl Server {
    /// Returns the next stream to write or close, and appends the bytes to write to `buffer`.
    pub(super) fn poll_ready(&mut self, buffer: &mut Vec<u8>) -> Option<StreamOutput> {
        while let Some(stream) = self.ready.front().copied() {
            if self.poll_peer(stream, buffer) {
                return Some(StreamOutput::Write(stream));
            }
            match self.closing.get_mut(&stream) {
                Some(unsent) if !unsent.is_empty() => {
                    buffer.append(unsent);
                    return Some(StreamOutput::Write(stream));
                }
                Some(_) => {
                    self.closing.remove(&stream);
                    self.ready.pop_front();
                    return Some(StreamOutput::Close(stream));
                }
                None => drop(self.ready.pop_front()),
            }
        }
        None
    }

    /// Appends the bytes that a peer has to write to `buffer`. Returns whether there were any.
    fn poll_peer(&mut self, stream: StreamId, buffer: &mut Vec<u8>) -> bool {
        let client = self.peers.client_of(stream);
        let Some(peer) = client.and_then(|client| self.peers.get_mut(client)) else { return false };
        peer.is_ready = peer.queue.poll(buffer);
        peer.is_ready
    }
}
