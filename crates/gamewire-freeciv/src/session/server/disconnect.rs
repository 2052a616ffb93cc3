use gamewire_machine::StreamId;

use super::commands::any_state;
use super::{ClientId, CloseReason, Event, SendError, Server};
use crate::session::codec::SessionPacket;

impl Server {
    /// Disconnects a client after sending the reason to it as a chat line.
    ///
    /// # Errors
    /// [`SendError::NoSuchClient`] if no client has this id.
    pub fn kick(&mut self, client: ClientId, reason: &str) -> Result<(), SendError> {
        self.command(client, any_state, |peer| {
            if peer.playing().is_some() {
                peer.send(SessionPacket::Chat, &[("message", reason.into())])?;
            }
            Err(CloseReason::Kicked(reason.to_owned()))
        })
    }

    /// Disconnects all clients.
    pub fn shut_down(&mut self) {
        let clients: Vec<ClientId> = self.peers.iter().map(|peer| peer.id).collect();
        for client in clients {
            self.update(client, |peer| {
                if peer.playing().is_some() {
                    peer.send(SessionPacket::ServerShutdown, &[])?;
                }
                Err(CloseReason::Shutdown)
            });
        }
    }

    /// Handles the end of a stream in both directions.
    pub(super) fn on_close(&mut self, stream: StreamId) {
        if let Some(client) = self.peers.client_of(stream) {
            self.close(client, CloseReason::Left);
        }
        self.closing.remove(&stream);
    }

    /// Removes a peer and emits its last event. Its unsent packets are still written before its stream closes.
    pub(super) fn close(&mut self, client: ClientId, reason: CloseReason) {
        let Some(peer) = self.peers.remove(client) else { return };
        self.timers.set(client.timer_key(), None);
        if peer.is_announced {
            self.events.push(Event::Closed { client, reason });
        }
        let was_playing = peer.playing().is_some();
        self.close_stream(peer.stream, peer.queue.into_bytes());
        if was_playing {
            self.broadcast_leave(client);
        }
    }

    /// Closes a stream after these bytes are written.
    pub(super) fn close_stream(&mut self, stream: StreamId, unsent: Vec<u8>) {
        self.closing.insert(stream, unsent);
        self.ready.push_back(stream);
    }
}
