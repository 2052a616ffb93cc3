//! Datagrams of an attacker: valid enough to be decoded, with one invalid part.

use gamewire::teeworlds::raw::data::{SizedData, Token};
use gamewire::teeworlds::raw::huffman::{TrailingByte, compress};
use gamewire::teeworlds::raw::pack::pack_int;
use gamewire::teeworlds::raw::packet::{ChunkHeader, Header};
use gamewire::teeworlds::raw::v06::system::{Snap, SnapEmpty, SnapSingle};
use gamewire::teeworlds::raw::v06::{Message, System};
use gamewire::teeworlds::raw::version::Version as _;
use gamewire::teeworlds::raw::{v06, v07};
use gamewire::wire::{CodecError, Writer};

/// The 0.7 token of both ends in every conversation.
pub(crate) const TOKEN: u32 = 0x1122_3344;
/// Returns the distance from `tick` to the base of a first snapshot, which is the empty one.
pub(crate) const fn from_empty(tick: i32) -> i32 {
    tick + 1
}

/// Returns the bytes that `write` writes.
pub(crate) fn bytes(write: impl FnOnce(&mut Writer<'_>) -> Result<(), CodecError>) -> Vec<u8> {
    let mut buffer = vec![0; 128 * 1024];
    let mut to = Writer::new(&mut buffer);
    write(&mut to).unwrap();
    to.written().to_vec()
}

/// Returns packed integers.
pub(crate) fn ints(values: &[i32]) -> Vec<u8> {
    bytes(|to| values.iter().try_for_each(|value| pack_int(*value, to)))
}

/// Returns a chunk of 0.6 that is not vital.
pub(crate) fn chunk(content: &[u8]) -> Vec<u8> {
    let header = bytes(|to| v06::V06::write_chunk(&ChunkHeader::default(), content.len(), to));
    [&header, content].concat()
}

/// Returns a chunk of 0.7 that is not vital.
pub(crate) fn chunk_07(content: &[u8]) -> Vec<u8> {
    let header = bytes(|to| v07::V07::write_chunk(&ChunkHeader::default(), content.len(), to));
    [&header, content].concat()
}

/// Returns a packet of 0.6. Its header announces `count` chunks.
pub(crate) fn packet(count: u8, payload: &[u8]) -> Vec<u8> {
    let header = Header { chunks: count, ..Header::default() };
    [bytes(|to| v06::packet::write(&header, to)), payload.to_vec()].concat()
}

/// Returns a packet of 0.7. Its header announces `count` chunks.
pub(crate) fn packet_07(count: u8, payload: &[u8]) -> Vec<u8> {
    let header = Header { chunks: count, token: Some(Token(TOKEN)), ..Header::default() };
    [bytes(|to| v07::packet::write(&header, to)), payload.to_vec()].concat()
}

/// Returns a packet of 0.6 with `chunks` in a compressed payload.
pub(crate) fn compressed(chunks: &[Vec<u8>]) -> Vec<u8> {
    let header = Header { chunks: chunks.len() as u8, compressed: true, ..Header::default() };
    [bytes(|to| v06::packet::write(&header, to)), squeeze(&chunks.concat())].concat()
}

/// Returns a compressed payload.
pub(crate) fn squeeze(payload: &[u8]) -> Vec<u8> {
    let mut buffer = vec![0; 2 * payload.len() + 16];
    let length = compress(payload, &mut buffer, TrailingByte::Exact).unwrap();
    buffer[..length].to_vec()
}

/// Returns a control packet of 0.6.
pub(crate) fn control(payload: &[u8]) -> Vec<u8> {
    [&[0x10, 0, 0], payload].concat()
}

/// Returns a packet of 0.6 with one message.
pub(crate) fn message(content: &[u8]) -> Vec<u8> {
    packet(1, &chunk(content))
}

/// Returns a SNAPSINGLE with a delta from the snapshot `back` ticks before.
pub(crate) fn snap_single(tick: i32, back: i32, crc: i32, delta: &[u8]) -> Vec<u8> {
    let snap = SnapSingle { tick, delta: back, crc, data: SizedData(delta) };
    bytes(|to| Message::System(System::SnapSingle(snap)).encode(to))
}

/// Returns a SNAPEMPTY.
pub(crate) fn snap_empty(tick: i32, back: i32) -> Vec<u8> {
    bytes(|to| Message::System(System::SnapEmpty(SnapEmpty { tick, delta: back })).encode(to))
}

/// Returns part `part` of the `num_parts` parts of a snapshot.
pub(crate) fn snap_part(tick: i32, num_parts: i32, part: i32, crc: i32, data: &[u8]) -> Vec<u8> {
    let snap = Snap { tick, delta: from_empty(tick), num_parts, part, crc, data: SizedData(data) };
    bytes(|to| Message::System(System::Snap(snap)).encode(to))
}

/// Returns the packets that carry `delta` in parts of 900 bytes.
pub(crate) fn in_parts(tick: i32, crc: i32, delta: &[u8]) -> Vec<Vec<u8>> {
    let parts = delta.chunks(900);
    let count = parts.len() as i32;
    parts.zip(0..).map(|(data, part)| message(&snap_part(tick, count, part, crc, data))).collect()
}

/// Returns a delta: deleted keys, and updates with type, number and integers.
pub(crate) fn delta(deleted: &[i32], updates: &[&[i32]]) -> Vec<u8> {
    let counts = [deleted.len() as i32, updates.len() as i32, 0];
    ints(&[&counts, deleted, &updates.concat()].concat())
}
