//! Sets ids that are known only when a packet is sent, in a packet that is already written.

use gamewire_wire::CodecError;

use crate::shared::message::Writer;
use crate::shared::version::Version;

/// Widths in bits of the ids of a notify message, which follow the header.
const NOTIFY_WIDTHS: [usize; 3] = [16, 8, 16];

/// Sets the `seq_id` of a written reliable packet: the 16 bits after its header.
///
/// # Errors
/// If fewer bits are written.
pub fn set_seq_id<V: Version>(packet: &mut Writer<'_, V>, seq_id: u16) -> Result<(), CodecError> {
    packet.replace(V::HEADER_BITS, 16, seq_id.into()).map_err(|error| error.in_field("seq_id"))
}

/// Sets all three ids of a written notify packet.
///
/// # Errors
/// If fewer bits are written.
pub fn set_notify_ids<V: Version>(
    packet: &mut Writer<'_, V>,
    last_received_seq_id: u16,
    received_seq_ids: u8,
    seq_id: u16,
) -> Result<(), CodecError> {
    let values = [last_received_seq_id.into(), received_seq_ids.into(), seq_id.into()];
    let mut at = V::HEADER_BITS;
    for (width, value) in NOTIFY_WIDTHS.into_iter().zip(values) {
        packet.replace(at, width, value).map_err(|error| error.in_packet("notify"))?;
        at = at.saturating_add(width);
    }
    Ok(())
}
