use gamewire_machine::{Instant, Role, StreamId, StreamOutput};
use gamewire_websocket::{ClientUpgrade, ResponseError, Socket, Target, close_code};

use super::Client;

/// The client's end of a WebSocket.
#[derive(Debug)]
pub(super) struct ClientSocket {
    upgrade: UpgradeState,
    socket: Socket,
    /// The request, until it is sent.
    request: Vec<u8>,
}

#[derive(Debug)]
enum UpgradeState {
    /// `has_waiting_request` is true if a connect request became due before the end of the upgrade.
    Upgrading {
        upgrade: ClientUpgrade,
        has_waiting_request: bool,
    },
    Open,
    Failed(ResponseError),
}

impl ClientSocket {
    pub(super) fn new(target: &Target, max_size: usize, seed: u64) -> Self {
        let (upgrade, request) = ClientUpgrade::new(target, seed);
        let socket = Socket::new(Role::Client, max_size, seed);
        Self { upgrade: UpgradeState::Upgrading { upgrade, has_waiting_request: false }, socket, request }
    }

    /// Returns whether a connect request may be sent now. Otherwise it is sent after the upgrade.
    pub(super) const fn may_request(&mut self) -> bool {
        match &mut self.upgrade {
            UpgradeState::Upgrading { has_waiting_request, .. } => {
                *has_waiting_request = true;
                false
            }
            UpgradeState::Open => true,
            UpgradeState::Failed(_) => false,
        }
    }

    pub(super) const fn error(&self) -> Option<ResponseError> {
        match self.upgrade {
            UpgradeState::Failed(error) => Some(error),
            UpgradeState::Upgrading { .. } | UpgradeState::Open => None,
        }
    }
}

impl Client {
    /// Handles the response to the upgrade request, and all packets.
    pub(super) fn receive_websocket(&mut self, now: Instant, socket: &mut ClientSocket, mut data: &[u8]) {
        if let UpgradeState::Upgrading { upgrade, has_waiting_request } = &mut socket.upgrade {
            match upgrade.handle_bytes(&mut data) {
                Ok(false) => return,
                Ok(true) => {
                    if *has_waiting_request {
                        self.request_connection();
                    }
                    socket.upgrade = UpgradeState::Open;
                }
                Err(error) => {
                    socket.upgrade = UpgradeState::Failed(error);
                    return self.end_transport();
                }
            }
        }
        while !self.is_ended() {
            match socket.socket.next_message(&mut data) {
                Ok(Some(packet)) => {
                    self.receive_packet(now, packet).ok();
                }
                Ok(None) => return,
                Err(_) => self.end_transport(),
            }
        }
    }

    /// Returns the next output of the stream: the upgrade request, pongs, packets, a close frame.
    pub(super) fn poll_websocket(
        &mut self,
        now: Instant,
        stream: StreamId,
        socket: &mut ClientSocket,
        buffer: &mut Vec<u8>,
    ) -> Option<StreamOutput> {
        if !socket.request.is_empty() {
            buffer.append(&mut core::mem::take(&mut socket.request));
            return Some(StreamOutput::Write(stream));
        }
        if matches!(socket.upgrade, UpgradeState::Open) {
            let socket = &mut socket.socket;
            if !socket.is_closed()
                && self.poll_packet_with(now, |packet| socket.append_message(packet, buffer)).is_some()
            {
                return Some(StreamOutput::Write(stream));
            }
            if self.is_ended() {
                socket.queue_close(close_code::NORMAL);
            }
            if socket.take_control(buffer) {
                return Some(StreamOutput::Write(stream));
            }
        }
        if self.is_ended() { self.stream.take().map(StreamOutput::Close) } else { None }
    }
}
