//! The antispoof handshake of 0.6.5: the server sends a number in the ticks of three empty snapshots, and the client
//! returns it as the tick that an input acknowledges. MAP_CHANGE and CON_READY are sent too, because old clients ignore
//! snapshots without them. The login then starts with another MAP_CHANGE.

use super::context::Context;
use crate::Dialect;
use crate::session::message::ClientMessage;
use crate::shared::version::SnapshotMessage;

/// Number of snapshots. Old clients send their first input after the third.
const SNAPSHOTS: u8 = 3;

/// Handles a snapshot before ENTERGAME. Returns `false` if it is not part of the handshake.
pub(super) fn take_antispoof_snapshot(snapshot: &SnapshotMessage<'_>, context: &mut Context<'_>) -> bool {
    let SnapshotMessage::Empty { .. } = snapshot else { return false };
    let dialect = context.dialect();
    if dialect != Dialect::V06 || context.online.early_snapshots >= SNAPSHOTS {
        return false;
    }
    context.online.early_snapshots = context.online.early_snapshots.saturating_add(1);
    context.shared.receiver.receive(snapshot, dialect.fifth_byte(), dialect.item_sizes());
    let ack_snapshot = context.shared.receiver.ack();
    if context.online.early_snapshots == SNAPSHOTS && ack_snapshot >= 0 {
        let result = context.send_nonvital(&ClientMessage::Input {
            ack_snapshot,
            intended_tick: ack_snapshot.saturating_add(1),
            input: context.shared.input,
            ping_correction: 0,
        });
        context.count_failure(result);
    }
    true
}
