//! A server of 0.6.5 asks clients without tokens for a number before anything else, to see that
//! they are where they say: it is in the ticks of three empty snapshots, and comes back as the
//! tick that an input acknowledges. A map change and CON_READY come along, so that old clients
//! look at the snapshots at all; the login then begins with another map change.

use super::context::Context;
use crate::Dialect;
use crate::session::message::ClientMessage;
use crate::shared::version::SnapshotMessage;

/// How many snapshots the number is in: old clients send no input before the third.
const SNAPSHOTS: u8 = 3;

/// Takes a snapshot that comes before the game is entered; whether such a server may have sent it.
pub(super) fn take_antispoof_snapshot(snapshot: &SnapshotMessage<'_>, context: &mut Context<'_>) -> bool {
    let SnapshotMessage::Empty { .. } = snapshot else { return false };
    if context.dialect() != Dialect::V06 || context.line.early_snapshots >= SNAPSHOTS {
        return false;
    }
    context.line.early_snapshots = context.line.early_snapshots.saturating_add(1);
    let dialect = context.dialect();
    context.desk.receiver.receive(snapshot, dialect.fifth_byte(), dialect.item_sizes());
    let ack_snapshot = context.desk.receiver.ack();
    if context.line.early_snapshots == SNAPSHOTS && ack_snapshot >= 0 {
        let said = context.send_nonvital(&ClientMessage::Input {
            ack_snapshot,
            intended_tick: ack_snapshot.saturating_add(1),
            input: context.desk.input,
            ping_correction: 0,
        });
        context.count_failure(said);
    }
    true
}
