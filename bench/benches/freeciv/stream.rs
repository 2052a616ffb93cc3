//! The recorded streams, and functions that read them without decoding packets.

use std::fs;
use std::path::PathBuf;

use flate2::{Decompress, FlushDecompress, Status};
use gamewire_freeciv::frame::{FrameLimits, FrameSplitter};

/// Returns the bytes of a stream of `vectors/freeciv`.
pub(crate) fn stream(name: &str) -> Vec<u8> {
    let streams = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../vectors/freeciv/streams");
    fs::read(streams.join(name).with_extension("bin")).unwrap()
}

/// Returns the bodies of a stream's packets, each with its packet number.
pub(crate) fn bodies(stream: &[u8]) -> Vec<(u16, Vec<u8>)> {
    let mut splitter = FrameSplitter::new(FrameLimits::DEFAULT);
    let (mut bodies, mut data) = (Vec::new(), stream);
    while let Some(packet) = splitter.next(&mut data).unwrap() {
        bodies.push((packet.number, packet.body.to_vec()));
    }
    bodies
}

/// Splits a stream into frames and returns the number of packets.
pub(crate) fn split(splitter: &mut FrameSplitter, stream: &[u8], read: usize) -> usize {
    let mut packets = 0;
    for mut data in stream.chunks(read) {
        while splitter.next(&mut data).unwrap().is_some() {
            packets += 1;
        }
    }
    packets
}

/// Inflates the chunks of a fully compressed stream with the splitter's zlib, and discards the output.
pub(crate) struct Inflate {
    chunks: Vec<Vec<u8>>,
    zlib: Decompress,
    out: Vec<u8>,
}

impl Inflate {
    pub(crate) fn new(mut stream: &[u8]) -> Self {
        let mut chunks = Vec::new();
        while !stream.is_empty() {
            let short = usize::from(u16::from_be_bytes([stream[0], stream[1]]));
            let (header, whole) = match short {
                0xffff => (6, u32::from_be_bytes(stream[2..6].try_into().unwrap()) as usize),
                short => (2, short - 16_385),
            };
            chunks.push(stream[header..whole].to_vec());
            stream = &stream[whole..];
        }
        Self { chunks, zlib: Decompress::new(true), out: Vec::with_capacity(1 << 19) }
    }

    /// Returns the number of inflated bytes.
    pub(crate) fn run(&mut self) -> usize {
        let mut bytes = 0;
        for chunk in &self.chunks {
            self.zlib.reset(true);
            self.out.clear();
            let status = self.zlib.decompress_vec(chunk, &mut self.out, FlushDecompress::Finish);
            assert!(matches!(status, Ok(Status::StreamEnd)));
            bytes += self.out.len();
        }
        bytes
    }
}
