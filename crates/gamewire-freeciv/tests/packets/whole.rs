//! Whole streams are decoded to the end, and encoded to the same bytes.

use gamewire_freeciv::frame::{CompressionLevel, FrameLimits, FrameSplitter, FrameWriter};

use super::client::Client;
use super::stream::{Framed, RECORDED, Recorded, count, plain, split};

#[test]
fn every_stream_is_read_to_its_last_byte() {
    for recorded in &RECORDED {
        let (packets, left_over) = recorded.packets();
        assert_eq!(left_over, 0, "{}", recorded.name);
        assert_eq!(count(&recorded.bytes(), &packets), recorded.counts, "{}", recorded.name);
    }
}

#[test]
fn reads_of_any_size_give_the_same_packets() {
    for recorded in &RECORDED {
        let (stream, whole) = (recorded.bytes(), recorded.packets().0);
        for size in [1, 7, 1460, 4096, 65_536] {
            let mut splitter = FrameSplitter::new(FrameLimits::DEFAULT);
            let mut expected = whole.iter();
            for mut data in stream.chunks(size) {
                while let Some(packet) = splitter.next(&mut data).unwrap() {
                    let next = expected.next().unwrap();
                    assert_eq!((packet.number, packet.body), (next.number, next.body.as_slice()));
                }
            }
            assert_eq!((expected.next(), splitter.pending_bytes()), (None, 0), "{} by {size}", recorded.name);
        }
    }
}

/// Decodes and encodes every packet.
fn again(recorded: &Recorded) -> Vec<Framed> {
    let mut client = Client::new(recorded.capabilities);
    let mut again = Vec::new();
    for packet in recorded.packets().0 {
        let (row, body) = client.hear_and_say(&packet);
        let body = body.unwrap_or_else(|| panic!("{} of {} was not sent", row.name, recorded.name));
        assert_eq!(body, packet.body, "{} of {}", row.name, recorded.name);
        again.push(Framed { body, ..packet });
    }
    again
}

#[test]
fn every_packet_is_encoded_to_the_bytes_it_came_in() {
    for recorded in &RECORDED {
        let again = again(recorded);
        assert_eq!(plain(&again), plain(&recorded.packets().0), "{}", recorded.name);
    }
}

/// Returns the stream of a server that compresses the same packets together as the recorded server.
fn rebuilt(packets: &[Framed], level: CompressionLevel) -> Vec<u8> {
    let (mut writer, mut stream) = (FrameWriter::new(level), Vec::new());
    let mut chunk = None;
    for packet in packets {
        if chunk != packet.chunk {
            writer.thaw(&mut stream);
            packet.chunk.iter().for_each(|_| writer.freeze());
            chunk = packet.chunk;
        }
        writer.write(packet.number, &packet.body, &mut stream).unwrap();
    }
    writer.thaw(&mut stream);
    stream
}

#[test]
fn the_uncompressed_stream_is_rebuilt_byte_for_byte() {
    let recorded = Recorded::named("join-level0");
    assert_eq!(rebuilt(&again(recorded), CompressionLevel::NONE), recorded.bytes());
}

/// Another zlib compresses to different bytes, so the inflated bytes are compared.
#[test]
fn compressed_streams_are_rebuilt_with_the_same_packets_in_the_same_chunks() {
    for recorded in &RECORDED {
        let packets = recorded.packets().0;
        let stream = rebuilt(&packets, CompressionLevel::DEFAULT);
        let (again, left_over) = split(&stream);
        assert_eq!(left_over, 0);
        assert_eq!(count(&stream, &again), recorded.counts, "{}", recorded.name);
        assert_eq!(edges(&again), edges(&packets), "{}", recorded.name);
        assert_eq!(plain(&again), plain(&packets), "{}", recorded.name);
        println!("{}: {} bytes of {}", recorded.name, stream.len(), recorded.bytes().len());
    }
}

#[test]
fn the_queue_limit_cuts_a_long_freeze_where_the_server_did() {
    let packets = Recorded::named("join").packets().0;
    let (mut writer, mut stream) = (FrameWriter::new(CompressionLevel::DEFAULT), Vec::new());
    writer.freeze();
    packets.iter().for_each(|packet| writer.write(packet.number, &packet.body, &mut stream).unwrap());
    writer.thaw(&mut stream);
    assert_eq!(edges(&split(&stream).0), edges(&packets));
    assert_eq!(edges(&packets).len(), 3);
}

/// Returns the indices of the packets at which chunks begin or end.
fn edges(packets: &[Framed]) -> Vec<usize> {
    let is_edge = |at: &usize| *at == 0 || packets[*at].chunk != packets[at - 1].chunk;
    (0..packets.len()).filter(is_edge).collect()
}
