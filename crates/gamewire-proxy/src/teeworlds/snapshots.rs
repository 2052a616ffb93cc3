use gamewire_teeworlds::Dialect;
use gamewire_teeworlds::model::ServerMessage;
use gamewire_teeworlds::raw::snapshot::{DeltaScratch, Receiver, Sender, Snapshot, SnapshotOutcome};
use gamewire_teeworlds::raw::version::SnapshotMessage;

use super::outgoing::Outgoing;

/// The snapshots of a bridge. Received snapshots are deltas to earlier ones from the server. Sent snapshots are
/// deltas to the one that the client has acknowledged.
#[derive(Debug)]
pub(crate) struct Snapshots {
    client: Dialect,
    server: Dialect,
    receiver: Receiver,
    sender: Sender,
    scratch: DeltaScratch,
}

impl Snapshots {
    pub(crate) fn new(client: Dialect, server: Dialect) -> Self {
        Self {
            client,
            server,
            receiver: Receiver::default(),
            sender: Sender::default(),
            scratch: DeltaScratch::default(),
        }
    }

    /// Drops all snapshots, for a new map.
    pub(crate) fn reset(&mut self) {
        self.receiver.reset();
        self.sender.reset();
    }

    /// Handles the client's ack, and returns the ack for the server. The client's tick is forwarded, so that the
    /// server measures the round trip to the client.
    pub(crate) fn acknowledge(&mut self, tick: i32) -> i32 {
        self.sender.acknowledge(tick);
        if self.receiver.ack() < 0 { -1 } else { tick }
    }

    /// Receives a snapshot or a part of one. Returns the tick and the items once a new snapshot is complete.
    pub(crate) fn receive(&mut self, message: &SnapshotMessage<'_>) -> Option<(i32, &Snapshot)> {
        match self.receiver.receive(message, self.server.fifth_byte(), self.server.item_sizes()) {
            SnapshotOutcome::Complete { tick, snapshot } => Some((tick, snapshot)),
            _ => None,
        }
    }

    /// Sends a snapshot to the client.
    pub(crate) fn send(&mut self, tick: i32, snapshot: &Snapshot, out: &mut Outgoing) {
        send(&mut self.sender, &mut self.scratch, self.client, (tick, snapshot), out);
    }

    /// Relays a snapshot unchanged. Returns its tick once it is complete and new.
    pub(crate) fn relay(&mut self, message: &SnapshotMessage<'_>, out: &mut Outgoing) -> Option<i32> {
        let Self { client, server, receiver, sender, scratch } = self;
        let outcome = receiver.receive(message, server.fifth_byte(), server.item_sizes());
        let SnapshotOutcome::Complete { tick, snapshot } = outcome else { return None };
        send(sender, scratch, *client, (tick, snapshot), out);
        Some(tick)
    }
}

fn send(
    sender: &mut Sender,
    scratch: &mut DeltaScratch,
    client: Dialect,
    (tick, snapshot): (i32, &Snapshot),
    out: &mut Outgoing,
) {
    let Ok(messages) = sender.send(tick, snapshot, client.item_sizes(), scratch) else {
        out.leave_out();
        return;
    };
    for message in messages {
        out.client(false, &ServerMessage::Snapshot(message));
    }
}
