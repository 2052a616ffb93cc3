use gamewire_teeworlds::model::{ClientMessage, ServerMessage};
use gamewire_teeworlds::{Dialect, MessageBuf};

use super::outgoing::{Outgoing, Relayed};
use super::snapshots::Snapshots;

/// Relays messages between two sides of the same version. Messages are sent unchanged. Snapshots are sent as deltas to
/// the snapshot that the client has acknowledged.
#[derive(Debug)]
pub(super) struct SameVersion {
    snapshots: Snapshots,
}

impl SameVersion {
    pub(super) fn new(client: Dialect, server: Dialect) -> Self {
        Self { snapshots: Snapshots::new(client, server) }
    }
}

impl Relayed for SameVersion {
    fn on_client(&mut self, message: &MessageBuf, out: &mut Outgoing) {
        match message.dialect.decode_client_message(&message.content) {
            Ok(ClientMessage::Input { ack_snapshot, intended_tick, input, ping_correction }) => {
                let ack = self.snapshots.acknowledge(ack_snapshot);
                if ack != ack_snapshot {
                    let input =
                        ClientMessage::Input { ack_snapshot: ack, intended_tick, input, ping_correction };
                    out.server(message.vital, &input);
                    return;
                }
            }
            Ok(ClientMessage::EnterGame) => self.snapshots.reset(),
            _ => {}
        }
        out.to_server.push(message.vital, &message.content);
    }

    fn on_server(&mut self, message: &MessageBuf, out: &mut Outgoing) {
        match message.dialect.decode_server_message(&message.content) {
            Ok(ServerMessage::Snapshot(snapshot)) => {
                self.snapshots.relay(&snapshot, out);
                return;
            }
            Ok(ServerMessage::MapChange { .. }) => self.snapshots.reset(),
            _ => {}
        }
        out.to_client.push(message.vital, &message.content);
    }
}
