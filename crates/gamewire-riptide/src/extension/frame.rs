//! The content of the extension's reliable messages after the negotiation. All numbers are little-endian.

const ORDERED: u8 = 2;
const PART: u8 = 3;
const ORDERED_PART: u8 = 4;

/// Bytes before the content of a complete message, and of a part.
pub(super) const WHOLE_HEADER: usize = 9;
pub(super) const PART_HEADER: usize = 13;

/// The header of a message, complete or in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameHeader {
    /// Position among the ordered messages. An unordered message has a number that is unique among the pending ones.
    pub(super) number: u16,
    pub(super) is_ordered: bool,
    pub(super) id: u16,
    /// Bits of all values.
    pub(super) bits: u32,
}

/// One packet of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame<'a> {
    pub(super) about: FrameHeader,
    pub(super) place: Fragment,
    /// The bytes of the fragment.
    pub(super) content: &'a [u8],
}

/// The position of a packet's content in its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fragment {
    /// The complete message.
    Whole,
    /// The part with this index. All parts except the last have `size` bytes.
    Part { index: u16, size: u16 },
}

impl FrameHeader {
    /// Returns the bytes of all values.
    pub(super) fn bytes(&self) -> usize {
        usize::try_from(self.bits.div_ceil(8)).unwrap_or(usize::MAX)
    }

    /// Returns the number of parts of `size` bytes; 0 if `size` is 0.
    pub(super) fn parts(&self, size: u16) -> usize {
        self.bytes().saturating_add(usize::from(size).saturating_sub(1)).checked_div(size.into()).unwrap_or(0)
    }
}

impl<'a> Frame<'a> {
    /// Returns `None` if the bytes are not a valid frame.
    pub(super) fn decode(mut bytes: &'a [u8]) -> Option<Self> {
        let from = &mut bytes;
        let [kind] = take(from)?;
        let number = u16::from_le_bytes(take(from)?);
        let id = u16::from_le_bytes(take(from)?);
        let bits = u32::from_le_bytes(take(from)?);
        let is_ordered = match kind {
            ORDERED | ORDERED_PART => true,
            PART => false,
            _ => return None,
        };
        let about = FrameHeader { number, is_ordered, id, bits };
        if kind == ORDERED {
            let content = from.get(..about.bytes())?;
            return Some(Self { about, place: Fragment::Whole, content });
        }
        let size = u16::from_le_bytes(take(from)?);
        let index = u16::from_le_bytes(take(from)?);
        let count = about.parts(size);
        if count < 2 || count > usize::from(u16::MAX) || usize::from(index) >= count {
            return None;
        }
        let start = usize::from(index).saturating_mul(size.into());
        let length = about.bytes().saturating_sub(start).min(size.into());
        Some(Self { about, place: Fragment::Part { index, size }, content: from.get(..length)? })
    }

    /// Appends the header.
    pub(super) fn encode_header(about: &FrameHeader, place: Fragment, to: &mut Vec<u8>) {
        let kind = match (place, about.is_ordered) {
            (Fragment::Whole, _) => ORDERED,
            (Fragment::Part { .. }, false) => PART,
            (Fragment::Part { .. }, true) => ORDERED_PART,
        };
        to.push(kind);
        to.extend(about.number.to_le_bytes());
        to.extend(about.id.to_le_bytes());
        to.extend(about.bits.to_le_bytes());
        if let Fragment::Part { index, size } = place {
            to.extend(size.to_le_bytes());
            to.extend(index.to_le_bytes());
        }
    }
}

/// Takes the next bytes.
pub(super) fn take<const COUNT: usize>(from: &mut &[u8]) -> Option<[u8; COUNT]> {
    let (bytes, rest) = from.split_first_chunk()?;
    *from = rest;
    Some(*bytes)
}
