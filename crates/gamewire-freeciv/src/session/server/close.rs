use gamewire_machine::StreamId;

use super::stage::PeerState;
use super::{CloseReason, Event, Server};
use crate::session::codec::SessionPacket;

impl Server {
    /// A client is gone; what waits for it still leaves.
    pub(super) fn close(&mut self, stream: StreamId, reason: CloseReason) {
        let Some(peer) = self.peers.get_mut(&stream) else { return };
        if matches!(peer.stage, PeerState::Closed) {
            return;
        }
        let client = peer.id;
        let was_playing = peer.playing().is_some();
        peer.stage = PeerState::Closed;
        peer.link.flush();
        self.streams.remove(&client);
        if peer.is_announced {
            self.events.push_back(Event::Closed { client, reason });
        }
        self.enqueue(stream);
        if was_playing {
            self.broadcast_leave(client);
        }
    }

    /// Tells all clients that the server shuts down, and closes them.
    pub fn shut_down(&mut self) {
        let streams: Vec<StreamId> = self.streams.values().copied().collect();
        for stream in streams {
            self.with(stream, |peer, _| match peer.playing() {
                Some(_) => peer.send(SessionPacket::ServerShutdown, &[]),
                None => Ok(()),
            });
            self.close(stream, CloseReason::Shutdown);
        }
    }
}
