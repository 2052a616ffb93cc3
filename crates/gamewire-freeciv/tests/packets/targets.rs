//! Properties that must hold for any bytes. The fuzz targets in `fuzz/`, the mutation tests and the tests of the fuzz
//! corpora check them.

use std::sync::LazyLock;

use gamewire_freeciv::delta::Direction;
use gamewire_freeciv::frame::{CompressionLevel, FrameError, FrameLimits, FrameSplitter, FrameWriter};

use super::codec::{Both, Interpreter};
use super::definition::protocol;

/// Splits a stream. Bit 0 of the first byte is the width of types, and bits 1 and 2 are the maximum depth of chunks.
/// The second byte is the length of the pieces. Returns the number of packets.
///
/// Any pieces must result in the same packets and the same end. The packets must be the same after they are written and
/// split again. No chunk may inflate beyond the limits.
pub(crate) fn frames(bytes: &[u8]) -> usize {
    let Some((&[flags, piece], stream)) = bytes.split_first_chunk::<2>() else { return 0 };
    let depth = usize::from(flags >> 1 & 3) + 1;
    let limits = FrameLimits { chunk: 1 << 16, inflated: 1 << 17, depth, ..FrameLimits::DEFAULT };
    let is_wide = flags & 1 == 1;
    let whole = Split::new(stream, stream.len().max(1), limits, is_wide);
    let pieces = Split::new(stream, usize::from(piece).max(1), limits, is_wide);
    assert_eq!(pieces.packets, whole.packets);
    // The kind of error may differ, because zlib may find its end or damage first. The offset must not differ.
    assert_eq!(pieces.error.map(|error| error.offset), whole.error.map(|error| error.offset));
    assert_eq!((pieces.unfinished, pieces.is_wide), (whole.unfinished, whole.is_wide));
    let again = Split::new(&written(&whole.packets, is_wide), 4096, FrameLimits::DEFAULT, is_wide);
    let short = whole.packets.iter().filter(|(_, body)| body.len() <= MAX_BODY_BYTES);
    assert!(again.packets.iter().eq(short));
    whole.packets.len()
}

/// Maximum bytes of a body that is written, with a header of any width.
const MAX_BODY_BYTES: usize = FrameWriter::MAX_PACKET - 4;

/// The result of splitting a stream.
struct Split {
    packets: Vec<(u16, Vec<u8>)>,
    error: Option<FrameError>,
    unfinished: u64,
    is_wide: bool,
}

impl Split {
    fn new(stream: &[u8], piece: usize, limits: FrameLimits, is_wide: bool) -> Self {
        let mut splitter = FrameSplitter::new(limits);
        if is_wide {
            splitter.use_wide_types();
        }
        let mut packets = Vec::new();
        let mut error = None;
        'pieces: for mut piece in stream.chunks(piece) {
            loop {
                match splitter.next(&mut piece) {
                    Ok(Some(packet)) => packets.push((packet.number, packet.body.to_vec())),
                    Ok(None) => break,
                    Err(first) => {
                        assert_eq!(splitter.next(&mut piece), Err(first), "the error stays");
                        error = Some(first);
                        break 'pieces;
                    }
                }
            }
            assert!(piece.is_empty(), "what was read is used up");
        }
        assert!(splitter.pending_bytes() <= stream.len() as u64);
        let unfinished = if error.is_none() { splitter.pending_bytes() } else { 0 };
        Self { packets, error, unfinished, is_wide: splitter.width().header() == 4 }
    }
}

/// Returns a stream of the packets, compressed together. Packets that are too long are omitted.
fn written(packets: &[(u16, Vec<u8>)], is_wide: bool) -> Vec<u8> {
    let (mut writer, mut stream) = (FrameWriter::new(CompressionLevel::new(1)), Vec::new());
    if is_wide {
        writer.use_wide_types();
    }
    writer.freeze();
    for (number, body) in packets.iter().filter(|(_, body)| body.len() <= MAX_BODY_BYTES) {
        writer.write(*number, body, &mut stream).unwrap();
    }
    writer.thaw(&mut stream);
    stream
}

/// Decodes the bodies of packets in one direction. Bit 0 of the first byte is the direction, bits 1 to 4 are the active
/// capabilities, and bit 5 is set if the capabilities are not known yet. Each packet follows: two bytes with its type,
/// two with the length of its body, and the body. The type 65535 means a reset. Returns the number of decoded packets.
///
/// A decoded packet must encode to bytes that decode to the same values. An error must name its packet and, if it is in
/// a field, the field.
pub(crate) fn delta(bytes: &[u8]) -> usize {
    let Some((&flags, mut rest)) = bytes.split_first() else { return 0 };
    let (mut here, mut there) = codecs(flags);
    let mut decoded = 0;
    while let Some((&[high, low, long, short], bodies)) = rest.split_first_chunk::<4>() {
        let number = u16::from_be_bytes([high, low]);
        let length = usize::from(u16::from_be_bytes([long, short]));
        let (body, behind) = bodies.split_at(length.min(bodies.len()));
        rest = behind;
        if number == u16::MAX {
            here.forget_game_info();
            there.forget_game_info();
            continue;
        }
        match here.echo(number, body, true) {
            Ok((row, again)) => {
                decoded += 1;
                let heard = there.decode(number, &again.unwrap()).unwrap();
                assert_eq!(heard.values, row.values, "{}", row.name);
            }
            Err(error) => {
                assert_eq!(error.number, number);
                let known = protocol();
                let known = known.packet(number);
                assert_eq!(error.packet, known.map_or("", |packet| packet.name.as_str()));
                let name = error.field.as_ref().map(|field| field.name.as_str());
                assert!(name.is_none_or(|name| known.unwrap().field_index(name).is_some()), "{error}");
                assert_eq!(here.decode(number, body), Err(error), "the error stays");
                break;
            }
        }
    }
    decoded
}

/// Returns the input of [`delta`] for these packets.
pub(crate) fn bodies<'a>(flags: u8, packets: impl IntoIterator<Item = (u16, &'a [u8])>) -> Vec<u8> {
    let mut bytes = vec![flags];
    for (number, body) in packets {
        bytes.extend(number.to_be_bytes());
        bytes.extend(u16::try_from(body.len()).unwrap().to_be_bytes());
        bytes.extend(body);
    }
    bytes
}

/// Returns both codecs, and a decoder for their output, at the start of a connection. They are created once.
fn codecs(flags: u8) -> (Both, Interpreter) {
    static CODECS: LazyLock<Vec<(Both, Interpreter)>> = LazyLock::new(|| (0..64).map(made).collect());
    CODECS[usize::from(flags & 63)].clone()
}

fn made(flags: u8) -> (Both, Interpreter) {
    let direction = if flags & 1 == 0 { Direction::ToClient } else { Direction::ToServer };
    let (mut both, mut interpreter) = (Both::new(direction), Interpreter::new(direction));
    if flags & 32 == 0 {
        let protocol = protocol();
        let names = protocol.capabilities.iter().enumerate();
        let active = names.filter(|(at, _)| flags >> (at + 1) & 1 == 1).map(|(_, name)| name.as_str());
        let active: Vec<&str> = active.collect();
        both.set_capabilities(&active);
        interpreter.set_capabilities(&active);
    }
    (both, interpreter)
}
