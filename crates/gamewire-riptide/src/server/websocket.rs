//! Streams that begin with the upgrade request of a WebSocket.

use gamewire_machine::{Role, StreamId};
use gamewire_websocket::{MAX_QUEUED_CONTROL_BYTES, RequestError, Socket, SocketError, close_code};

use super::Server;
use super::streams::FORMAT_PROBE_BYTES;
use crate::Endpoint;

/// The first bytes of an upgrade request. No packet in a TCP frame begins with them.
const UPGRADE_START: [u8; FORMAT_PROBE_BYTES] = *b"GET";

impl Server {
    /// Returns whether the first bytes of a stream begin an upgrade request that the server may accept.
    pub(super) fn is_upgrade(&self, start: [u8; FORMAT_PROBE_BYTES]) -> bool {
        start == UPGRADE_START && self.config.websocket.is_some()
    }

    /// Reads the rest of an upgrade request, if the stream has one.
    pub(super) fn receive_upgrade(&mut self, stream: StreamId, data: &mut &[u8]) {
        let Some(config) = &self.config.websocket else { return };
        let Some((upgrade, replies)) = self.streams.upgrading(stream) else { return };
        match upgrade.handle_bytes(data, &config.allowed_origins, replies) {
            Ok(false) => return,
            Ok(true) => {
                count(&mut self.websocket.accepted);
                self.streams.set_socket(stream, Socket::new(Role::Server, self.scratch.len(), 0));
            }
            Err(error) => {
                match error {
                    RequestError::Origin(origin) => {
                        count(&mut self.websocket.refused_origins);
                        self.websocket.last_refused_origin = Some(origin);
                    }
                    _ => count(&mut self.websocket.refused),
                }
                self.close_transport(Endpoint::Tcp(stream));
            }
        }
        self.streams.note_replies(stream);
    }

    /// Handles all packets in `data`, and answers pings and close frames.
    pub(super) fn receive_websocket(&mut self, stream: StreamId, mut data: &[u8]) {
        let Some(mut socket) = self.streams.socket(stream).and_then(Option::take) else { return };
        let ended = loop {
            match socket.next_message(&mut data) {
                Ok(Some(packet)) => {
                    if self.receive_stream_packet(stream, packet).is_err() {
                        return self.end_stream(stream);
                    }
                    if !self.streams.is_open(stream) {
                        return;
                    }
                }
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        let ended = ended.and_then(|()| self.check_replies(stream, &mut socket));
        self.move_control(stream, &mut socket);
        let Err(error) = ended else {
            if let Some(place) = self.streams.socket(stream) {
                *place = Some(socket);
            }
            return;
        };
        if !matches!(error, SocketError::Closed(_)) {
            count(&mut self.websocket.violations);
        }
        self.end_stream(stream);
        // No packet may follow the close frame.
        self.streams.drop_packets(stream);
    }

    /// Ends a WebSocket if its peer does not read the answers to its pings.
    fn check_replies(&mut self, stream: StreamId, socket: &mut Socket) -> Result<(), SocketError> {
        let waiting = self.streams.replies(stream).map_or(0, |replies| replies.len());
        if waiting <= MAX_QUEUED_CONTROL_BYTES {
            return Ok(());
        }
        socket.queue_close(close_code::POLICY);
        Err(SocketError::TooManyPings)
    }

    /// Moves pongs and the close frame to the replies of the stream.
    fn move_control(&mut self, stream: StreamId, socket: &mut Socket) {
        let Some(replies) = self.streams.replies(stream) else { return };
        let was_empty = replies.is_empty();
        if socket.take_control(replies) && was_empty {
            self.streams.note_replies(stream);
        }
    }
}

const fn count(counter: &mut u64) {
    *counter = counter.saturating_add(1);
}
