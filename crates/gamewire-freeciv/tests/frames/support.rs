//! Handmade streams.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use gamewire_freeciv::frame::{FrameError, FrameErrorKind, FrameLimits, FrameSplitter, Packet};

/// Returns a packet with a one-byte type.
pub(crate) fn short(number: u8, body: &[u8]) -> Vec<u8> {
    let length = u16::try_from(3 + body.len()).unwrap();
    [&length.to_be_bytes()[..], &[number], body].concat()
}

/// Returns a packet with a two-byte type.
pub(crate) fn long(number: u16, body: &[u8]) -> Vec<u8> {
    let length = u16::try_from(4 + body.len()).unwrap();
    [&length.to_be_bytes()[..], &number.to_be_bytes(), body].concat()
}

/// Returns an accepting join reply. It only contains the fields that the splitter reads.
pub(crate) fn join_reply() -> Vec<u8> {
    short(5, &[1, b'h', b'i', 0])
}

pub(crate) fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns a zlib stream that stores the bytes without compressing them.
pub(crate) fn stored(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns a chunk with a 16-bit length.
pub(crate) fn chunk_of(compressed: &[u8]) -> Vec<u8> {
    let length = u16::try_from(16385 + 2 + compressed.len()).unwrap();
    [&length.to_be_bytes()[..], compressed].concat()
}

/// Returns a chunk with a 32-bit length.
pub(crate) fn jumbo_of(compressed: &[u8]) -> Vec<u8> {
    let length = u32::try_from(6 + compressed.len()).unwrap();
    [&[0xff, 0xff], &length.to_be_bytes()[..], compressed].concat()
}

pub(crate) fn chunk(packets: &[u8]) -> Vec<u8> {
    chunk_of(&zlib(packets))
}

/// A copy of a packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) number: u16,
    pub(crate) body: Vec<u8>,
    pub(crate) stream: u64,
    pub(crate) inflated: Option<usize>,
}

impl From<Packet<'_>> for Seen {
    fn from(packet: Packet<'_>) -> Self {
        let (stream, inflated) = (packet.offset.stream, packet.offset.inflated);
        Self { number: packet.number, body: packet.body.to_vec(), stream, inflated }
    }
}

/// Splits a stream that arrives in these pieces. Returns all packets, and the error that ended the stream.
pub(crate) fn split<'a>(
    limits: FrameLimits,
    reads: impl IntoIterator<Item = &'a [u8]>,
) -> (Vec<Seen>, Option<FrameError>) {
    let mut splitter = FrameSplitter::new(limits);
    let mut seen = Vec::new();
    for mut read in reads {
        loop {
            match splitter.next(&mut read) {
                Ok(Some(packet)) => seen.push(packet.into()),
                Ok(None) => break,
                Err(error) => return (seen, Some(error)),
            }
        }
        assert!(read.is_empty(), "what was read is used up");
    }
    (seen, None)
}

/// Returns the packets of a valid stream.
pub(crate) fn packets(stream: &[u8]) -> Vec<Seen> {
    let (seen, error) = split(FrameLimits::DEFAULT, [stream]);
    assert_eq!(error, None);
    seen
}

/// Returns the error of a stream, if it has one.
pub(crate) fn fault(stream: &[u8]) -> Option<FrameErrorKind> {
    split(FrameLimits::DEFAULT, [stream]).1.map(|error| error.kind)
}
