//! Decodes the packets that a Freeciv server sent, by a `packets.def`, and encodes them again.
//!
//! `cargo run -p gamewire-freeciv --example decode -- PACKETS.DEF CONSTANTS.TOML STREAM [CAPS] [READ]`
//!
//! STREAM contains all bytes from the server, in order from the first byte. CAPS are the client's capabilities,
//! separated by commas. The default is `all`; `none` means no capabilities. READ is the number of bytes in each piece
//! in which the stream is read.

use std::collections::BTreeSet;
use std::error::Error;
use std::sync::Arc;
use std::{env, fs};

use gamewire_freeciv::delta::{
    DeltaDecoder, DeltaEncoder, DeltaLimits, Direction, EncodeOptions, RoleTracker, Variants,
    active_capabilities,
};
use gamewire_freeciv::frame::{CompressionLevel, FrameLimits, FrameSplitter, FrameWriter, Packet, TypeWidth};
use gamewire_schema::{Constants, compile};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [definition, constants, stream, options @ ..] = arguments.as_slice() else {
        return Err("usage: decode PACKETS.DEF CONSTANTS.TOML STREAM [CAPS] [READ]".into());
    };
    let text = fs::read_to_string(definition)?;
    let constants = Constants::from_toml(&fs::read_to_string(constants)?)?;
    let protocol = compile(&text, &constants).map_err(|errors| errors.render(definition, &text, false))?;
    let all = protocol.capabilities.join(",");
    let active = match options.first().map(String::as_str) {
        None | Some("all") => all.clone(),
        Some("none") => String::new(),
        Some(list) => list.to_owned(),
    };
    let active = active_capabilities(&protocol.capabilities, &active, &all);
    let variants = Variants::new(Arc::new(protocol.clone()), &active)?;
    let stream = fs::read(stream)?;
    let read = options.get(1).map_or(Ok(stream.len()), |size| size.parse())?.max(1);

    let mut round = Round::new(Arc::new(variants));
    let mut splitter = FrameSplitter::new(FrameLimits::DEFAULT);
    for mut data in stream.chunks(read) {
        while let Some(packet) = splitter.next(&mut data)? {
            round.packet(&packet).map_err(|error| format!("at byte {}: {error}", packet.offset))?;
        }
    }
    println!("packets           {}", round.packets);
    println!("types             {}", round.types.len());
    println!("bytes of packets  {}", round.was.len());
    println!("outside chunks    {}", round.outside);
    println!("left-over bytes   {}", splitter.pending_bytes());
    println!("deltas forgotten  {}", round.resets);
    let usage = round.decoder.memory_usage();
    println!("remembered        {} packets, {} bytes", usage.packets, usage.bytes);
    println!("encoded otherwise {}", round.different);
    println!("identical again   {}", round.is == round.was);
    if splitter.pending_bytes() > 0 || round.is != round.was {
        return Err("the stream is not what came of it".into());
    }
    Ok(())
}

/// Decodes each packet, and encodes it again.
struct Round {
    decoder: DeltaDecoder,
    encoder: DeltaEncoder,
    watch: RoleTracker,
    writer: FrameWriter,
    body: Vec<u8>,
    /// All packets without compression: the original bytes and the encoded bytes.
    was: Vec<u8>,
    is: Vec<u8>,
    types: BTreeSet<u16>,
    packets: usize,
    outside: usize,
    different: usize,
    resets: usize,
}

impl Round {
    fn new(variants: Arc<Variants>) -> Self {
        let (direction, limits) = (Direction::ToClient, DeltaLimits::DEFAULT);
        Self {
            decoder: DeltaDecoder::new(Arc::clone(&variants), direction, limits),
            encoder: DeltaEncoder::new(Arc::clone(&variants), direction, limits),
            watch: RoleTracker::new(variants.protocol(), RoleTracker::NO_PLAYER),
            writer: FrameWriter::new(CompressionLevel::NONE),
            body: Vec::new(),
            was: Vec::new(),
            is: Vec::new(),
            types: BTreeSet::new(),
            packets: 0,
            outside: 0,
            different: 0,
            resets: 0,
        }
    }

    fn packet(&mut self, packet: &Packet<'_>) -> Result<(), Box<dyn Error>> {
        self.was.extend(plain(packet));
        self.packets = self.packets.saturating_add(1);
        self.outside = self.outside.saturating_add(usize::from(packet.offset.inflated.is_none()));
        self.types.insert(packet.number);
        let decoded = self.decoder.decode(packet.number, packet.body)?;
        self.body.clear();
        let sending = EncodeOptions { force: false, bits: decoded.bits() };
        let is_sent = self.encoder.encode(packet.number, decoded.values(), sending, &mut self.body)?;
        if !is_sent || self.body != packet.body {
            self.different = self.different.saturating_add(1);
            eprintln!("{} at {}: {:02x?}", decoded.packet().name, packet.offset, packet.body);
            eprintln!("  encoded as {:02x?}", self.body);
        }
        if is_sent {
            self.writer.write(packet.number, &self.body, &mut self.is)?;
        }
        if self.watch.observe(&decoded) {
            self.resets = self.resets.saturating_add(1);
            self.decoder.forget_game_info();
            self.encoder.forget_game_info();
        }
        Ok(())
    }
}

/// Returns the packet in the form that it has outside a chunk.
fn plain(packet: &Packet<'_>) -> Vec<u8> {
    let length = packet.width.header().saturating_add(packet.body.len());
    let length = u16::try_from(length).unwrap_or(u16::MAX).to_be_bytes();
    let [high, low] = packet.number.to_be_bytes();
    let kind: &[u8] = match packet.width {
        TypeWidth::One => &[low],
        TypeWidth::Two => &[high, low],
    };
    [&length, kind, packet.body].concat()
}
