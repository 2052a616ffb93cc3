//! Encodes a decoded datagram again: header, chunks, message fields, snapshot deltas, compression.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part of this")]

use gamewire::teeworlds::Dialect;
use gamewire::teeworlds::raw::connless::PREFIX;
use gamewire::teeworlds::raw::control::Control;
use gamewire::teeworlds::raw::data::SizedData;
use gamewire::teeworlds::raw::definition::MessageSet;
use gamewire::teeworlds::raw::huffman::{TrailingByte, compress_if_smaller};
use gamewire::teeworlds::raw::message::Message;
use gamewire::teeworlds::raw::pack::Unpacker;
use gamewire::teeworlds::raw::packet::{MAX_PAYLOAD, Packet, inflate};
use gamewire::teeworlds::raw::snapshot::Delta;
use gamewire::teeworlds::raw::v06::V06;
use gamewire::teeworlds::raw::v06::system::SnapSingle;
use gamewire::teeworlds::raw::v07::V07;
use gamewire::teeworlds::raw::version::{MessageOf, SnapshotMessage, SystemSet, Version};
use gamewire::wire::{CodecError, Reader, Writer};

/// Buffers for decoding and encoding, reused for every datagram.
pub struct Workshop {
    inflated: [u8; MAX_PAYLOAD],
    payload: [u8; 2048],
    compressed: [u8; 2048],
    body: [u8; 2048],
    delta: Delta,
}

impl Workshop {
    /// Creates empty buffers.
    pub fn new() -> Self {
        Self {
            inflated: [0; MAX_PAYLOAD],
            payload: [0; 2048],
            compressed: [0; 2048],
            body: [0; 2048],
            delta: Delta::default(),
        }
    }

    /// Decodes `datagram` in `dialect` and encodes it to `out` as its sender would. Returns the length.
    pub fn again(
        &mut self,
        dialect: Dialect,
        datagram: &[u8],
        ending: TrailingByte,
        out: &mut [u8],
    ) -> Result<usize, CodecError> {
        match dialect {
            Dialect::V07 => self.again_as::<V07>(dialect, datagram, ending, out),
            _ => self.again_as::<V06>(dialect, datagram, ending, out),
        }
    }

    fn again_as<V: Version>(
        &mut self,
        dialect: Dialect,
        datagram: &[u8],
        ending: TrailingByte,
        out: &mut [u8],
    ) -> Result<usize, CodecError> {
        let mut to = Writer::new(out);
        let (header, payload) = match V::parse(datagram, &mut ())? {
            Packet::Connless { header, payload } => {
                V::write_connless(&header, &mut to)?;
                connless::<V>(payload, &mut to)?;
                return Ok(to.len());
            }
            Packet::Connected { header, payload } => (header, payload),
        };
        let content = payload.remaining();
        let content = if header.compressed { inflate(content, &mut self.inflated)? } else { content };
        let at_the_end = if dialect == Dialect::Tken { 4 } else { 0 };
        let (content, token) = content.split_at(content.len().saturating_sub(at_the_end));

        let mut payload = Writer::new(&mut self.payload);
        if header.control {
            Control::<V::Control<'_>>::decode(Reader::new(content), &mut ())?.encode(&mut payload)?;
        } else {
            let mut from = Reader::new(content);
            for _ in 0..header.chunks {
                let chunk = V::read_chunk(&mut from, &mut ())?;
                let message = MessageOf::<V>::decode(chunk.content, dialect.fifth_byte(), &mut ())?;
                let mut body = Writer::new(&mut self.body);
                message.encode(&mut body)?;
                let length = body.len();
                if let Message::System(system) = &message
                    && let Some(SnapshotMessage::Single(SnapSingle { data: SizedData(data), .. })) =
                        system.snapshot()
                {
                    // The delta is the end of the message. Overwrite it with the encoding of its items.
                    self.delta.read(Reader::new(data), dialect.fifth_byte(), V::SIZES, &mut ())?;
                    let start = length - data.len();
                    self.body[start..length].fill(0);
                    self.delta.write(V::SIZES, &mut Writer::new(&mut self.body[start..length]))?;
                }
                V::write_chunk(&chunk.header, length, &mut payload)?;
                payload.bytes(&self.body[..length])?;
            }
        }
        payload.bytes(token)?;
        let length = payload.len();
        let raw = &self.payload[..length];
        let smaller = if header.control {
            None
        } else {
            compress_if_smaller(raw, &mut self.compressed[..length + 1], ending)
        };
        let mut header = header;
        header.compressed = smaller.is_some();
        V::write(&header, &mut to)?;
        to.bytes(smaller.map_or(raw, |length| &self.compressed[..length]))?;
        Ok(to.len())
    }
}

fn connless<V: Version>(mut payload: Reader<'_>, to: &mut Writer<'_>) -> Result<(), CodecError> {
    let prefix: [u8; 4] = payload.array("a prefix")?;
    assert_eq!(prefix, PREFIX);
    let letters = payload.take(4, "four letters")?.first_chunk::<4>().unwrap();
    let mut from = Unpacker::new(payload, Default::default());
    let message = V::Connless::decode(letters, &mut from, &mut ())?.expect("a known message");
    to.bytes(&PREFIX)?;
    to.bytes(message.id())?;
    message.encode(to)
}
