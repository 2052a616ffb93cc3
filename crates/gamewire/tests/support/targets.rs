//! Properties for any bytes, for the fuzz targets in `fuzz/`, the mutation tests and the tests over the
//! fuzz corpora. Each function decodes its bytes, and panics if a property does not hold.
#![allow(dead_code, unreachable_pub, reason = "each program that includes this uses a part of it")]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a broken promise is a panic"
)]

use std::sync::LazyLock;

use gamewire::inspect::capture::Reader as CaptureReader;
use gamewire::inspect::conversation::{ConversationLimits, Inspector};
use gamewire::inspect::net::tcp::{self, Reassembler};
use gamewire::inspect::net::{Decoder, Payload};
use gamewire::inspect::protocol::{Protocol, ProtocolConfig};
use gamewire::machine::record::NodeKind;
use gamewire::machine::{ConversationSide, Follow, Instant, Record};
use gamewire::teeworlds::Follower;
use gamewire::teeworlds::raw::pack::FifthByte;
use gamewire::teeworlds::raw::snapshot::{Delta, MAX_BYTES, MAX_ITEMS, Sizes, Snapshot};
use gamewire::teeworlds::raw::v06::V06;
use gamewire::teeworlds::raw::v07::V07;
use gamewire::teeworlds::raw::version::Version;
use gamewire::teeworlds::raw::{v06, v07};
use gamewire::wire::{Reader, Writer};

/// The start of a conversation before the bytes of [`packet`]. The first byte of the input, modulo 5, selects it.
pub const HANDSHAKES: [&[(ConversationSide, &[u8])]; 5] = [
    &[],
    // 0.6 up to 0.6.4.
    &[
        (ConversationSide::First, &[0x10, 0, 0, 1]),
        (ConversationSide::Second, &[0x10, 0, 0, 2]),
        (ConversationSide::First, &[0x10, 0, 0, 3]),
    ],
    // 0.6.5. The CONNECT that offers the token is padded, and not needed here.
    &[
        (ConversationSide::First, &[0x10, 0, 0, 1]),
        (ConversationSide::Second, &[0x18, 0, 0, 0x11, 0x22, 0x33, 0x44, 2, 0x9a, 0x5b, 0x76, 0x77]),
    ],
    // DDNet.
    &[
        (ConversationSide::First, b"\x10\0\0\x01TKEN\xff\xff\xff\xff"),
        (ConversationSide::Second, b"\x10\0\0\x02TKEN\x78\x99\xc2\xda"),
        (ConversationSide::First, b"\x10\0\0\x03\x78\x99\xc2\xda"),
    ],
    // 0.7, starting with the server's token.
    &[(ConversationSide::Second, &[4, 0, 0, 0x22, 0x63, 9, 0xe8, 5, 0x4a, 0xbf, 0xd2, 6])],
];

/// Checks the datagrams of one conversation. The first byte selects one of [`HANDSHAKES`]. For each datagram, two bytes
/// with its length follow, and then its bytes. The highest bit of the length selects the sender.
///
/// A trace does not change the result, and all spans are within their sources.
pub fn packet(bytes: &[u8]) {
    let Some((&start, mut bytes)) = bytes.split_first() else { return };
    let mut follow = Comparison::default();
    for (from, datagram) in HANDSHAKES.get(usize::from(start) % HANDSHAKES.len()).copied().unwrap_or_default()
    {
        follow.datagram(*from, datagram);
    }
    while let Some((&[high, low], rest)) = bytes.split_first_chunk::<2>() {
        let length = usize::from(u16::from_be_bytes([high & 0x7f, low])).min(rest.len());
        let (datagram, rest) = rest.split_at(length);
        follow.datagram(
            if high & 0x80 == 0 { ConversationSide::First } else { ConversationSide::Second },
            datagram,
        );
        bytes = rest;
    }
}

/// Returns the input of [`packet`] for `datagrams` after handshake number `start`.
pub fn conversation<'a>(
    start: u8,
    datagrams: impl IntoIterator<Item = (ConversationSide, &'a [u8])>,
) -> Vec<u8> {
    let mut bytes = vec![start];
    for (from, datagram) in datagrams {
        let sender = if from == ConversationSide::First { 0 } else { 0x8000 };
        bytes.extend((sender | datagram.len() as u16).to_be_bytes());
        bytes.extend(datagram);
    }
    bytes
}

/// Two followers of one conversation. Only the first one reports to a trace.
#[derive(Default)]
pub struct Comparison {
    watched: Follower,
    alone: Follower,
    record: Record,
}

impl Comparison {
    /// Passes a datagram to both. Returns whether it has an error.
    pub fn datagram(&mut self, from: ConversationSide, datagram: &[u8]) -> bool {
        let at = Instant::from_micros(0);
        self.record.clear();
        self.watched.follow(at, from, datagram, &mut self.record);
        self.alone.follow(at, from, datagram, &mut ());
        assert_eq!(self.watched.dialect(), self.alone.dialect());
        assert_eq!(self.watched.client(), self.alone.client());
        assert_eq!(counters(&self.watched), counters(&self.alone));
        for node in self.record.nodes().filter(|node| node.kind() != NodeKind::Error) {
            let source = self.record.source(node.source()).expect("a node has a source");
            let span = node.span().byte_range();
            assert!(span.start <= span.end && span.end <= source.len(), "{} at {span:?}", node.name());
        }
        self.record.errors() > 0
    }
}

fn counters(follower: &Follower) -> Vec<(&'static str, u64)> {
    let mut counters = Vec::new();
    follower.counters(|name, count| counters.push((name, count)));
    counters
}

/// Checks the content of a chunk. The first byte selects the version (bit 0) and the encoding of integers (bit 1).
/// Returns whether the content is valid.
///
/// Every decoded message encodes; the result decodes to the same message and encodes to the same bytes.
pub fn message(bytes: &[u8]) -> bool {
    let Some((&flags, content)) = bytes.split_first() else { return false };
    let fifth_byte = if flags & 2 == 0 { FifthByte::Teeworlds } else { FifthByte::DdNet };
    macro_rules! check {
        ($message:ty) => {{
            let Ok(read) = <$message>::decode(Reader::new(content), fifth_byte, &mut ()) else {
                return false;
            };
            let mut buffers = [vec![0; 2 * content.len() + 64], vec![0; 2 * content.len() + 64]];
            let [first, second] = &mut buffers;
            let (mut first, mut second) = (Writer::new(first), Writer::new(second));
            read.encode(&mut first).expect("what was read can be written");
            let again = <$message>::decode(Reader::new(first.written()), fifth_byte, &mut ());
            assert_eq!(again, Ok(read));
            again.unwrap().encode(&mut second).unwrap();
            assert_eq!(first.written(), second.written());
            true
        }};
    }
    if flags & 1 == 0 { check!(v06::Message<'_>) } else { check!(v07::Message<'_>) }
}

/// Checks a delta from a base. The first byte selects the version (bit 0) and the encoding of integers (bit 1). Two
/// bytes follow with the length of the delta that creates the base from the empty snapshot, then that delta, then the
/// delta to check. Returns whether it is valid.
///
/// A snapshot stays within its limits and in order. The delta between two snapshots, encoded and decoded again, leads
/// from one to the other.
pub fn snapshot_delta(bytes: &[u8]) -> bool {
    let Some((&[flags, high, low], bytes)) = bytes.split_first_chunk::<3>() else { return false };
    let fifth_byte = if flags & 2 == 0 { FifthByte::Teeworlds } else { FifthByte::DdNet };
    let sizes = if flags & 1 == 0 { V06::SIZES } else { V07::SIZES };
    let (first, second) = bytes.split_at(usize::from(u16::from_be_bytes([high, low])).min(bytes.len()));
    let base = applied(first, &Snapshot::new(), fifth_byte, sizes).unwrap_or_default();
    let Some(to) = applied(second, &base, fifth_byte, sizes) else { return false };
    for (from, to) in [(&base, &to), (&to, &base), (&Snapshot::new(), &to)] {
        let mut delta = Delta::default();
        delta.build(from, to).expect("applying keeps the sizes of items");
        let mut made = Snapshot::new();
        delta.apply(from, &mut made).expect("a delta between two snapshots that are there");
        assert_eq!(&made, to);
        let mut buffer = vec![0; 128 * 1024];
        let mut writer = Writer::new(&mut buffer);
        delta.write(sizes, &mut writer).expect("room for any delta");
        if writer.len() <= MAX_BYTES {
            assert_eq!(applied(writer.written(), from, fifth_byte, sizes).as_ref(), Some(to));
        }
    }
    true
}

/// Returns the input of [`snapshot_delta`].
pub fn base_and_delta(flags: u8, base: &[u8], delta: &[u8]) -> Vec<u8> {
    [&[flags], (base.len() as u16).to_be_bytes().as_slice(), base, delta].concat()
}

fn applied(bytes: &[u8], base: &Snapshot, fifth_byte: FifthByte, sizes: Sizes) -> Option<Snapshot> {
    let (mut delta, mut to) = (Delta::default(), Snapshot::new());
    delta.read(Reader::new(bytes), fifth_byte, sizes, &mut ()).ok()?;
    delta.apply(base, &mut to).ok()?;
    assert!(to.len() <= MAX_ITEMS && to.bytes() <= MAX_BYTES);
    assert!(to.items().map(|item| item.key).is_sorted_by(|a, b| a < b));
    let sum = to.items().flat_map(|item| item.ints).fold(0_i32, |sum, int| sum.wrapping_add(*int));
    assert_eq!(to.crc(), sum);
    Some(to)
}

/// Checks a capture file: reads it to its end, follows its conversations, and reassembles its TCP streams.
///
/// Reading ends, and buffers stay small.
pub fn capture_file(bytes: &[u8]) {
    // Building the definitions of Freeciv takes much longer than reading an input.
    static CONFIG: LazyLock<ProtocolConfig> = LazyLock::new(ProtocolConfig::default);
    let Ok(mut reader) = CaptureReader::new(bytes) else { return };
    let limits = ConversationLimits { followed: 16, ..ConversationLimits::default() };
    let mut inspector = Inspector::<Protocol>::with_config(limits, CONFIG.clone());
    let (mut decoder, mut record) = (Decoder::new(), Record::new());
    let mut streams =
        Reassembler::new(tcp::ReassemblyLimits { total: 100_000, ..tcp::ReassemblyLimits::default() });
    while let Some(frame) = reader.next() {
        let Ok(frame) = frame else { continue };
        record.clear();
        inspector.frame(&frame, &mut record);
        if let Ok(Payload::Tcp(segment)) = decoder.decode(&frame) {
            streams.push(frame.time, &segment, |_| ());
        }
    }
    assert!(reader.position() <= bytes.len() as u64);
    assert!(reader.buffered_bytes() < 1024 * 1024);
    assert!(streams.buffered_bytes() <= 100_000);
}
