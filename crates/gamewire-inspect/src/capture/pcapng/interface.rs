//! Interface description blocks.

use super::super::error::Damage;
use super::super::frame::LinkType;
use super::super::order::Order;
use super::options::Options;
use super::resolution::Resolution;

/// Link type, two reserved bytes, snap length.
const FIXED: usize = 8;

const IF_TSRESOL: u16 = 9;
const IF_TSOFFSET: u16 = 14;

/// What the packets of an interface need to be understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Interface {
    pub(super) link: LinkType,
    /// The longest packet captured, 0 for no limit.
    pub(super) snap_length: u32,
    pub(super) resolution: Resolution,
    /// Seconds to add to the timestamps.
    pub(super) offset: i64,
}

impl Interface {
    /// Reads the body of a block. Damage to the options leaves what was read before it; damage to the fixed
    /// fields leaves nothing.
    pub(super) fn read(order: Order, body: &[u8]) -> (Option<Self>, Option<Damage>) {
        let too_short =
            Damage::BlockTooShort { block: "an interface description", needed: FIXED, found: body.len() };
        let fields = (order.u16(body, 0), order.u32(body, 4), body.get(FIXED..));
        let (Some(link), Some(snap_length), Some(rest)) = fields else { return (None, Some(too_short)) };
        let mut interface =
            Self { link: LinkType(link), snap_length, resolution: Resolution::DEFAULT, offset: 0 };
        for option in (Options { order, rest }) {
            match option {
                Ok((IF_TSRESOL, &[value])) => interface.resolution = Resolution::from_option(value),
                Ok((IF_TSOFFSET, value)) if value.len() == 8 => {
                    interface.offset = order.u64(value, 0).unwrap_or(0).cast_signed();
                }
                Ok(_) => {}
                Err(damage) => return (Some(interface), Some(damage)),
            }
        }
        (Some(interface), None)
    }
}
