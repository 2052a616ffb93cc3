//! The corpora of the fuzz targets, taken from the recorded streams and handmade. With `GAMEWIRE_WRITE_CORPORA=1` the
//! tests write them to `fuzz/corpus`.

use std::collections::BTreeMap;
use std::fs;

use gamewire_freeciv::delta::Direction;
use gamewire_freeciv::frame::{CompressionLevel, FrameWriter};

use super::codec::{Both, Row};
use super::definition::{protocol, repository};
use super::stream::{RECORDED, Recorded};
use super::{sample, targets};
use gamewire_sim::random::Random;

/// Maximum bytes of an input.
const MAX_INPUT_BYTES: usize = 3000;

/// The inputs of a target, by name.
type Corpus = BTreeMap<String, Vec<u8>>;

/// Returns streams: the whole rejected join, the start of the other streams, and pieces of the game after the join.
pub(crate) fn frames() -> Corpus {
    let mut corpus = Corpus::new();
    for recorded in &RECORDED {
        let bytes = recorded.bytes();
        let start = &bytes[..bytes.len().min(1500)];
        corpus.insert(format!("{}-start", recorded.name), [&[0, 7], start].concat());
    }
    // The three chunks of the join end at the first packet of the game.
    let game = Recorded::named("game").bytes();
    let edges = edges(&game);
    for (number, edge) in edges.iter().skip(3).step_by(60).take(14).enumerate() {
        let part = &game[*edge..game.len().min(edge + MAX_INPUT_BYTES / 2)];
        corpus.insert(format!("game-{number:02}"), [&[1, 64], part].concat());
    }
    for (name, depth) in [("chunk", 1), ("nested-twice", 2), ("nested-four-times", 4)] {
        let mut stream = vec![0, 9, 5, 1, b'h', b'i', 0, 0, 0, 0, 4, 0, 25];
        for _ in 0..depth {
            let mut writer = FrameWriter::new(CompressionLevel::DEFAULT);
            let mut out = Vec::new();
            writer.freeze();
            (0..30).for_each(|_| writer.write(25, &stream, &mut out).unwrap());
            writer.thaw(&mut out);
            stream = out;
        }
        corpus.insert(name.to_owned(), [&[7, 3], stream.as_slice()].concat());
    }
    corpus.insert("jumbo-of-nothing".to_owned(), vec![0, 1, 0xff, 0xff, 0, 0, 0, 6]);
    corpus
}

/// Returns the offsets at which frames begin.
fn edges(stream: &[u8]) -> Vec<usize> {
    let mut edges = Vec::new();
    let mut splitter = gamewire_freeciv::frame::FrameSplitter::default();
    let mut data = stream;
    while let Some(packet) = splitter.next(&mut data).unwrap() {
        let start = usize::try_from(packet.offset.stream).unwrap();
        if edges.last() != Some(&start) {
            edges.push(start);
        }
    }
    edges
}

/// Returns packets: for each type, its first packets in the game, and packets of any type with random values.
pub(crate) fn delta() -> Corpus {
    let mut corpus = Corpus::new();
    let mut by_type: BTreeMap<u16, Vec<Vec<u8>>> = BTreeMap::new();
    for packet in Recorded::named("game").packets().0 {
        by_type.entry(packet.number).or_default().push(packet.body);
    }
    let protocol = protocol();
    for (number, all) in by_type.iter().filter(|(_, all)| all.len() > 1) {
        let mut length = 0;
        let fits = |body: &&Vec<u8>| {
            length += body.len() + 4;
            length < MAX_INPUT_BYTES / 2
        };
        let run = all.iter().take(5).take_while(fits).map(|body| (*number, body.as_slice()));
        let name = protocol.packet(*number).unwrap().name.to_lowercase().replace("packet_", "game-");
        corpus.insert(name.replace('_', "-"), targets::bodies(0b1_1110, run));
    }
    for flags in 0..32 {
        corpus.insert(format!("any-{flags:02}"), any(flags));
    }
    corpus
}

/// Returns a few packets with random values, and a reset between them.
fn any(flags: u8) -> Vec<u8> {
    let protocol = protocol();
    let direction = if flags & 1 == 0 { Direction::ToClient } else { Direction::ToServer };
    let active = protocol.capabilities.iter().enumerate();
    let active = active.filter(|(at, _)| flags >> (at + 1) & 1 == 1).map(|(_, name)| name.as_str());
    let active: Vec<&str> = active.collect();
    let mut codec = Both::new(direction);
    codec.set_capabilities(&active);
    let mut random = Random::new(u64::from(flags) + 99);
    let mut packets = Vec::new();
    let mut length = 0;
    while length < MAX_INPUT_BYTES / 12 {
        let packet = &protocol.packets[random.below(protocol.packets.len())];
        let directions = packet.directions;
        if !(if direction == Direction::ToClient { directions.to_client } else { directions.to_server }) {
            continue;
        }
        let values = sample::row(packet, packet.mask(active.iter().copied()), &mut random);
        let row = Row { name: String::new(), values, bits: Vec::new(), is_known: false };
        if let Some(body) = codec.encode(packet.number, &row, false).unwrap()
            && body.len() < MAX_INPUT_BYTES / 12
        {
            length += body.len();
            packets.push((packet.number, body));
        }
        if random.below(9) == 0 {
            codec.forget_game_info();
            packets.push((u16::MAX, Vec::new()));
        }
    }
    targets::bodies(flags, packets.iter().map(|(number, body)| (*number, body.as_slice())))
}

/// Returns the files of a corpus. With `GAMEWIRE_WRITE_CORPORA`, writes `corpus` to the files first.
fn files(target: &str, corpus: &Corpus) -> Vec<Vec<u8>> {
    let folder = repository().join("fuzz/corpus").join(target);
    if std::env::var_os("GAMEWIRE_WRITE_CORPORA").is_some() {
        fs::create_dir_all(&folder).unwrap();
        corpus.iter().for_each(|(name, bytes)| fs::write(folder.join(name), bytes).unwrap());
    }
    let files = fs::read_dir(folder).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap());
    let files: Vec<_> = files.collect();
    let bytes: usize = files.iter().map(Vec::len).sum();
    println!("{target}: {} inputs, {bytes} bytes", files.len());
    assert!(files.len() >= 20 && bytes < 80_000, "{target}: {} inputs, {bytes} bytes", files.len());
    files
}

#[test]
fn the_corpus_of_freeciv_frames_is_survived() {
    let inputs = files("freeciv_frames", &frames());
    assert!(inputs.iter().filter(|bytes| targets::frames(bytes) > 0).count() > inputs.len() / 2);
}

#[test]
fn the_corpus_of_freeciv_delta_is_survived() {
    let inputs = files("freeciv_delta", &delta());
    assert!(inputs.iter().filter(|bytes| targets::delta(bytes) > 1).count() > inputs.len() / 2);
}
