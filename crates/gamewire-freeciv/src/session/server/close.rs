use gamewire_machine::StreamId;

use super::stage::Stage;
use super::{Event, Reason, Server};
use crate::session::codec::Kind;

impl Server {
    /// A client is gone; what waits for it still leaves.
    pub(super) fn close(&mut self, stream: StreamId, reason: Reason) {
        let Some(peer) = self.peers.get_mut(&stream) else { return };
        if matches!(peer.stage, Stage::Closed) {
            return;
        }
        let client = peer.id;
        let was_playing = peer.playing().is_some();
        peer.stage = Stage::Closed;
        peer.link.flush();
        self.streams.remove(&client);
        if peer.is_announced {
            self.events.push_back(Event::Closed { client, reason });
        }
        self.enqueue(stream);
        if was_playing {
            self.tell_of_leaving(client);
        }
    }

    /// Tells all clients that the server shuts down, and closes them.
    pub fn shut_down(&mut self) {
        let streams: Vec<StreamId> = self.streams.values().copied().collect();
        for stream in streams {
            self.with(stream, |peer, _| match peer.playing() {
                Some(_) => peer.send(Kind::ServerShutdown, &[]),
                None => Ok(()),
            });
            self.close(stream, Reason::Shutdown);
        }
    }
}
