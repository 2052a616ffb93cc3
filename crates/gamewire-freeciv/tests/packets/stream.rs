//! The recorded streams, and known facts about them.

use std::collections::BTreeSet;
use std::fs;

use gamewire_freeciv::frame::{FrameLimits, FrameSplitter, Packet, TypeWidth};

use super::definition::repository;

/// A recorded stream, and the counts of an independent decoder.
pub(crate) struct Recorded {
    pub(crate) name: &'static str,
    /// The capabilities that the client offered and that select fields.
    pub(crate) capabilities: &'static str,
    pub(crate) counts: Counts,
}

/// The contents of a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) packets: usize,
    pub(crate) types: usize,
    /// Bytes of all packets with their headers, inflated.
    pub(crate) bytes: usize,
    pub(crate) jumbo_chunks: usize,
    pub(crate) other_chunks: usize,
    pub(crate) outside_chunks: usize,
}

const ALL: &str = "year32 plrculture32 pingfix researchclr cityculture32";

/// The numbers of the table in `vectors/freeciv/README.md`.
pub(crate) const RECORDED: [Recorded; 5] = [
    recorded("join", ALL, [3022, 59, 536_863, 2, 1, 0]),
    recorded("join-level0", ALL, [3022, 59, 536_863, 0, 0, 3022]),
    recorded("join-nocaps", "", [3022, 59, 536_793, 2, 1, 0]),
    recorded("game", ALL, [4004, 73, 551_528, 2, 13, 839]),
    recorded("reject", ALL, [3, 3, 213, 0, 1, 0]),
];

const fn recorded(name: &'static str, capabilities: &'static str, counts: [usize; 6]) -> Recorded {
    let [packets, types, bytes, jumbo_chunks, other_chunks, outside_chunks] = counts;
    let counts = Counts { packets, types, bytes, jumbo_chunks, other_chunks, outside_chunks };
    Recorded { name, capabilities, counts }
}

impl Recorded {
    pub(crate) fn named(name: &str) -> &'static Self {
        RECORDED.iter().find(|recorded| recorded.name == name).unwrap()
    }

    /// Returns the bytes in the order in which they arrived at the socket.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let streams = repository().join("vectors/freeciv/streams");
        fs::read(streams.join(self.name).with_extension("bin")).unwrap()
    }

    /// Returns its packets, and the number of bytes of an incomplete packet at its end.
    pub(crate) fn packets(&self) -> (Vec<Framed>, u64) {
        split(&self.bytes())
    }
}

/// A copy of a packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Framed {
    pub(crate) number: u16,
    pub(crate) body: Vec<u8>,
    pub(crate) width: TypeWidth,
    /// Offset in the stream of its chunk, if it is in one.
    pub(crate) chunk: Option<u64>,
}

impl Framed {
    pub(crate) fn new(packet: &Packet<'_>) -> Self {
        let chunk = packet.offset.inflated.map(|_| packet.offset.stream);
        Self { number: packet.number, body: packet.body.to_vec(), width: packet.width, chunk }
    }

    /// Returns the packet in the form that it has outside a chunk.
    pub(crate) fn plain(&self) -> Vec<u8> {
        let length = u16::try_from(self.width.header() + self.body.len()).unwrap().to_be_bytes();
        let [high, low] = self.number.to_be_bytes();
        let number: &[u8] = if self.width == TypeWidth::One { &[low] } else { &[high, low] };
        [&length, number, &self.body].concat()
    }
}

/// Returns the packets of a valid stream, and the number of bytes of an incomplete frame at its end.
pub(crate) fn split(stream: &[u8]) -> (Vec<Framed>, u64) {
    let mut splitter = FrameSplitter::new(FrameLimits::DEFAULT);
    let mut packets = Vec::new();
    let mut data = stream;
    while let Some(packet) = splitter.next(&mut data).unwrap() {
        packets.push(Framed::new(&packet));
    }
    (packets, splitter.pending_bytes())
}

/// Returns the bytes of all packets in the form that they have outside of chunks.
pub(crate) fn plain(packets: &[Framed]) -> Vec<u8> {
    packets.iter().flat_map(Framed::plain).collect()
}

/// Counts the contents of a stream.
pub(crate) fn count(stream: &[u8], packets: &[Framed]) -> Counts {
    let chunks: BTreeSet<u64> = packets.iter().filter_map(|packet| packet.chunk).collect();
    let is_jumbo = |at: &&u64| stream[usize::try_from(**at).unwrap()..].starts_with(&[0xff, 0xff]);
    let jumbo_chunks = chunks.iter().filter(is_jumbo).count();
    Counts {
        packets: packets.len(),
        types: packets.iter().map(|packet| packet.number).collect::<BTreeSet<_>>().len(),
        bytes: plain(packets).len(),
        jumbo_chunks,
        other_chunks: chunks.len() - jumbo_chunks,
        outside_chunks: packets.iter().filter(|packet| packet.chunk.is_none()).count(),
    }
}
