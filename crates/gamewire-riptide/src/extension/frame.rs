//! What the reliable messages of the extension hold once both sides have given their word. All
//! numbers are little-endian.

const ORDERED: u8 = 2;
const PART: u8 = 3;
const ORDERED_PART: u8 = 4;

/// Bytes before the content of a whole message, and of a part.
pub(super) const WHOLE_HEADER: usize = 9;
pub(super) const PART_HEADER: usize = 13;

/// What a message is, whole or in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameHeader {
    /// Its place among the ordered ones; else what tells it from others that are under way.
    pub(super) number: u16,
    pub(super) is_ordered: bool,
    pub(super) id: u16,
    /// Of its values, all together.
    pub(super) bits: u32,
}

/// One packet of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame<'a> {
    pub(super) about: FrameHeader,
    pub(super) place: Fragment,
    /// Exactly as long as its place says.
    pub(super) content: &'a [u8],
}

/// Where its content belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fragment {
    /// It is all of it.
    Whole,
    /// It is this part, from 0, where all but the last have `size` bytes.
    Part { index: u16, size: u16 },
}

impl FrameHeader {
    /// How many bytes its values take.
    pub(super) fn bytes(&self) -> usize {
        usize::try_from(self.bits.div_ceil(8)).unwrap_or(usize::MAX)
    }

    /// How many parts of `size` bytes it has; 0 if that cannot be.
    pub(super) fn parts(&self, size: u16) -> usize {
        self.bytes().saturating_add(usize::from(size).saturating_sub(1)).checked_div(size.into()).unwrap_or(0)
    }
}

impl<'a> Frame<'a> {
    /// `None` if it is none, or says of itself what cannot be.
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

    /// Appends the header; the content follows it.
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

/// The next bytes.
pub(super) fn take<const COUNT: usize>(from: &mut &[u8]) -> Option<[u8; COUNT]> {
    let (bytes, rest) = from.split_first_chunk()?;
    *from = rest;
    Some(*bytes)
}
