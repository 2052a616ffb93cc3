//! The three kinds of packet blocks.

use super::super::error::Damage;
use super::super::window::ByteOrder;

/// The packet of a block before its interface is looked up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Packet {
    pub(super) interface: u32,
    /// The timestamp in units of the interface, if the block has one.
    pub(super) units: Option<u64>,
    /// Offset of the packet's bytes in the body.
    pub(super) data: usize,
    /// Captured length; `None` if the interface's snap length determines it.
    pub(super) captured: Option<u32>,
    pub(super) original: u32,
}

/// Interface, time (upper half first), captured length, original length.
const ENHANCED: usize = 20;
/// Original length.
const SIMPLE: usize = 4;

impl Packet {
    /// Reads the body of an enhanced packet block.
    #[inline]
    pub(super) fn enhanced(order: ByteOrder, body: &[u8]) -> Result<Self, Damage> {
        Self::timed(order, body, "an enhanced packet block", order.u32(body, 0))
    }

    /// Reads the body of an obsolete packet block, which has an interface of 16 bits and a drop counter
    /// instead of the 32-bit interface of an enhanced packet block.
    pub(super) fn obsolete(order: ByteOrder, body: &[u8]) -> Result<Self, Damage> {
        Self::timed(order, body, "a packet block", order.u16(body, 0).map(u32::from))
    }

    #[inline]
    fn timed(
        order: ByteOrder,
        body: &[u8],
        block: &'static str,
        interface: Option<u32>,
    ) -> Result<Self, Damage> {
        let fixed = body.get(..ENHANCED).unwrap_or_default();
        let times = (order.u32(fixed, 4), order.u32(fixed, 8));
        let lengths = (order.u32(fixed, 12), order.u32(fixed, 16));
        let (Some(interface), (Some(high), Some(low)), (Some(captured), Some(original))) =
            (interface, times, lengths)
        else {
            return Err(Damage::BlockTooShort { block, needed: ENHANCED, found: body.len() });
        };
        let available = body.len().saturating_sub(ENHANCED);
        if usize::try_from(captured).is_ok_and(|captured| captured <= available) {
            let units = u64::from(high) << 32 | u64::from(low);
            let captured = Some(captured);
            Ok(Self { interface, units: Some(units), data: ENHANCED, captured, original })
        } else {
            Err(Damage::PacketLength { captured, available })
        }
    }

    /// Reads the body of a simple packet block, which always belongs to the first interface.
    pub(super) fn simple(order: ByteOrder, body: &[u8]) -> Result<Self, Damage> {
        let Some(original) = order.u32(body, 0) else {
            let (block, found) = ("a simple packet block", body.len());
            return Err(Damage::BlockTooShort { block, needed: SIMPLE, found });
        };
        Ok(Self { interface: 0, units: None, data: SIMPLE, captured: None, original })
    }
}
