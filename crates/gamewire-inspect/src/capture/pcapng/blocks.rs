//! The bodies of blocks: packets of three kinds, and interface descriptions.

use super::super::error::Damage;
use super::super::frame::{LinkType, STATE_INTERFACE};
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
    pub(super) fn enhanced(order: ByteOrder, body: &[u8]) -> Result<Self, Damage> {
        Self::timed(order, body, "an enhanced packet block", order.u32(body, 0))
    }

    /// Reads the body of an obsolete packet block, which has an interface of 16 bits and a drop counter
    /// instead of the 32-bit interface of an enhanced packet block.
    pub(super) fn obsolete(order: ByteOrder, body: &[u8]) -> Result<Self, Damage> {
        Self::timed(order, body, "a packet block", order.u16(body, 0).map(u32::from))
    }

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

/// Link type, two reserved bytes, snap length.
const DESCRIPTION: usize = 8;

const IF_NAME: u16 = 2;
const IF_TSRESOL: u16 = 9;
const IF_TSOFFSET: u16 = 14;

/// The properties of an interface that decoding its packets needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Interface {
    pub(super) link: LinkType,
    /// Maximum captured length; 0 for no limit.
    pub(super) snap_length: u32,
    pub(super) resolution: Resolution,
    /// Seconds to add to the timestamps.
    pub(super) offset: i64,
    /// Its frames were not on the wire.
    pub(super) is_state: bool,
}

impl Interface {
    /// Reads the body of a block. If an option is damaged, the interface has the options before it; if the
    /// fixed fields are damaged, there is no interface.
    pub(super) fn read(order: ByteOrder, body: &[u8]) -> (Option<Self>, Option<Damage>) {
        let too_short = Damage::BlockTooShort {
            block: "an interface description",
            needed: DESCRIPTION,
            found: body.len(),
        };
        let fields = (order.u16(body, 0), order.u32(body, 4), body.get(DESCRIPTION..));
        let (Some(link), Some(snap_length), Some(rest)) = fields else { return (None, Some(too_short)) };
        let mut interface = Self {
            link: LinkType(link),
            snap_length,
            resolution: Resolution::DEFAULT,
            offset: 0,
            is_state: false,
        };
        for option in (Options { order, rest }) {
            match option {
                Ok((IF_NAME, name)) => interface.is_state = name == STATE_INTERFACE.as_bytes(),
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

/// The option that ends the list. The end of the block also ends it.
const END_OF_OPTIONS: u16 = 0;

/// The options in `rest`: code, length, value and padding to four bytes. Damage ends the iteration.
pub(super) struct Options<'a> {
    pub(super) order: ByteOrder,
    pub(super) rest: &'a [u8],
}

impl<'a> Iterator for Options<'a> {
    type Item = Result<(u16, &'a [u8]), Damage>;

    fn next(&mut self) -> Option<Self::Item> {
        let code = self.order.u16(self.rest, 0)?;
        if code == END_OF_OPTIONS {
            self.rest = &[];
            return None;
        }
        let length = usize::from(self.order.u16(self.rest, 2)?);
        let (_, body) = self.rest.split_at_checked(4)?;
        let Some((value, padded)) = body.split_at_checked(length) else {
            self.rest = &[];
            return Some(Err(Damage::OptionLength { code, length, available: body.len() }));
        };
        // The padding of the last option may be missing, because nothing follows it.
        let padding = length.next_multiple_of(4).saturating_sub(length);
        self.rest = padded.get(padding..).unwrap_or_default();
        Some(Ok((code, value)))
    }
}

/// The unit of an interface's timestamps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Resolution {
    /// A decimal unit of a nanosecond or more: nanoseconds per unit.
    Coarse(u64),
    /// A decimal unit below a nanosecond: units per nanosecond.
    Fine(u64),
    /// One second divided by two to this power.
    Binary(u8),
    /// So fine that every possible timestamp is less than a nanosecond.
    Vanishing,
}

impl Resolution {
    /// Microseconds, for interfaces without a resolution.
    pub(super) const DEFAULT: Self = Self::Coarse(1000);

    /// Returns the unit for a value of the option `if_tsresol`: the negated exponent of ten, or of two if the
    /// upper bit is set.
    pub(super) fn from_option(value: u8) -> Self {
        const NANO: u32 = 9;
        let exponent = value & 0x7f;
        if value & 0x80 != 0 {
            return Self::Binary(exponent);
        }
        let exponent = u32::from(exponent);
        let ratio = 10_u64.checked_pow(exponent.abs_diff(NANO));
        match ratio {
            Some(ratio) if exponent <= NANO => Self::Coarse(ratio),
            Some(ratio) => Self::Fine(ratio),
            None => Self::Vanishing,
        }
    }

    /// Returns the time of `units` after `offset` seconds since the epoch, in nanoseconds, saturating.
    pub(super) fn nanoseconds(self, units: u64, offset: i64) -> i64 {
        const NANOS: i128 = 1_000_000_000;
        let units = i128::from(units);
        let since_offset = match self {
            Self::Coarse(ratio) => units.saturating_mul(i128::from(ratio)),
            Self::Fine(ratio) => units.checked_div(i128::from(ratio)).unwrap_or(0),
            Self::Binary(power) => units.saturating_mul(NANOS).checked_shr(u32::from(power)).unwrap_or(0),
            Self::Vanishing => 0,
        };
        let time = since_offset.saturating_add(i128::from(offset).saturating_mul(NANOS));
        i64::try_from(time).unwrap_or(if time < 0 { i64::MIN } else { i64::MAX })
    }
}
