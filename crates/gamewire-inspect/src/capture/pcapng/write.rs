//! Writes the blocks of a file: one section, interfaces, enhanced packets.

use super::super::frame::LinkType;
use super::section::{BYTE_ORDER_MAGIC, ENHANCED_PACKET, INTERFACE_DESCRIPTION, SECTION_HEADER};

/// Option codes, which depend on the kind of block.
const COMMENT: u16 = 1;
const INTERFACE_NAME: u16 = 2;
const SECTION_APPLICATION: u16 = 4;
const INTERFACE_RESOLUTION: u16 = 9;
const OPTIONS_END: u16 = 0;
/// The resolution of timestamps: ten to the power of minus nine seconds.
const NANOSECONDS: u8 = 9;
/// Type, length and the length again.
const FRAMING: usize = 12;

/// Appends a section header: version 1.0, unknown length, made by `application`.
pub(in super::super) fn section_header(application: &str, to: &mut Vec<u8>) {
    block(SECTION_HEADER, to, |to| {
        to.extend(BYTE_ORDER_MAGIC.to_le_bytes());
        to.extend([1, 0, 0, 0]);
        to.extend(u64::MAX.to_le_bytes());
        option(SECTION_APPLICATION, application.as_bytes(), to);
        option(OPTIONS_END, &[], to);
    });
}

/// Appends the description of an interface with nanoseconds and without a snap length; it may have no name.
pub(in super::super) fn interface_description(link: LinkType, name: &str, to: &mut Vec<u8>) {
    block(INTERFACE_DESCRIPTION, to, |to| {
        to.extend(link.0.to_le_bytes());
        to.extend([0; 6]);
        if !name.is_empty() {
            option(INTERFACE_NAME, name.as_bytes(), to);
        }
        option(INTERFACE_RESOLUTION, &[NANOSECONDS], to);
        option(OPTIONS_END, &[], to);
    });
}

/// Appends a packet of an interface, in parts. `time` is nanoseconds since 1970, and the comment may be empty. Without
/// its length on the wire, the packet is whole.
pub(in super::super) fn enhanced_packet(
    interface: u32,
    time: u64,
    parts: &[&[u8]],
    original_len: Option<u32>,
    comment: &str,
    to: &mut Vec<u8>,
) {
    let [h0, h1, h2, h3, l0, l1, l2, l3] = time.to_be_bytes();
    let size = parts.iter().fold(0_usize, |size, part| size.saturating_add(part.len()));
    let length = u32::try_from(size).unwrap_or(u32::MAX);
    block(ENHANCED_PACKET, to, |to| {
        to.extend_from_slice(&interface.to_le_bytes());
        to.extend_from_slice(&[h3, h2, h1, h0, l3, l2, l1, l0]);
        to.extend_from_slice(&length.to_le_bytes());
        to.extend_from_slice(&original_len.unwrap_or(length).to_le_bytes());
        parts.iter().for_each(|part| to.extend_from_slice(part));
        pad(size, to);
        if !comment.is_empty() {
            option(COMMENT, comment.as_bytes(), to);
            option(OPTIONS_END, &[], to);
        }
    });
}

/// Returns the number and the length of the whole blocks within the first `limit` bytes of `blocks`.
pub(in super::super) fn whole_blocks(blocks: &[u8], limit: usize) -> (u64, usize) {
    let (mut count, mut end) = (0_u64, 0_usize);
    loop {
        let length = blocks.get(end..).and_then(|block| block.get(4..)?.first_chunk()).copied();
        let next =
            length.and_then(|length| end.checked_add(usize::try_from(u32::from_le_bytes(length)).ok()?));
        match next {
            Some(next) if next <= limit && next > end => (count, end) = (count.saturating_add(1), next),
            _ => return (count, end),
        }
    }
}

/// Appends a block. `body` must append a multiple of four bytes.
fn block(kind: u32, to: &mut Vec<u8>, body: impl FnOnce(&mut Vec<u8>)) {
    to.extend(kind.to_le_bytes());
    let at = to.len();
    to.extend([0; 4]);
    body(to);
    let written = to.len().saturating_sub(at).saturating_add(FRAMING.saturating_sub(4));
    let length = u32::try_from(written).unwrap_or(u32::MAX).to_le_bytes();
    if let Some(field) = to.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
        *field = length;
    }
    to.extend(length);
}

fn option(code: u16, value: &[u8], to: &mut Vec<u8>) {
    let length = u16::try_from(value.len()).unwrap_or(u16::MAX);
    let value = value.get(..usize::from(length)).unwrap_or_default();
    to.extend(code.to_le_bytes());
    to.extend(length.to_le_bytes());
    to.extend(value);
    pad(value.len(), to);
}

/// Appends padding to a multiple of four.
fn pad(length: usize, to: &mut Vec<u8>) {
    let padding = length.next_multiple_of(4).saturating_sub(length);
    to.extend_from_slice([0; 3].get(..padding).unwrap_or_default());
}
