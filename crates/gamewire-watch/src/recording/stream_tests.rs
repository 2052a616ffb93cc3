//! Tests that read recorded streams back.

use std::net::SocketAddr;

use gamewire_inspect::capture::Reader;
use gamewire_inspect::net::tcp::{Reassembler, ReassemblyLimits, TcpEvent};
use gamewire_inspect::net::{Decoder, Payload};
use gamewire_machine::Role;

use super::Recorder;

const TIME: i64 = 1_700_000_000_123_456_789;

fn ends() -> [(SocketAddr, SocketAddr); 2] {
    [("10.0.0.1:40000", "10.0.0.2:5556"), ("[fd00::1]:40000", "[fd00::2]:5556")]
        .map(|(client, server)| (client.parse().unwrap(), server.parse().unwrap()))
}

/// Returns the sender and the bytes of each run, in the order of the capture, and the other events. Consecutive runs of
/// the same side are joined.
fn read(capture: &[u8]) -> (Vec<(SocketAddr, Vec<u8>)>, Vec<String>) {
    let (mut reader, mut decoder) = (Reader::new(capture).unwrap(), Decoder::new());
    let mut reassembler = Reassembler::new(ReassemblyLimits::default());
    let (mut runs, mut events) = (Vec::<(SocketAddr, Vec<u8>)>::new(), Vec::new());
    while let Some(frame) = reader.next() {
        let frame = frame.unwrap();
        let Payload::Tcp(segment) = decoder.decode(&frame).unwrap() else { panic!("no segment") };
        reassembler.push(frame.time, &segment, |delivery| match delivery.event {
            TcpEvent::Data(bytes) => match runs.last_mut() {
                Some((source, run)) if *source == delivery.source => run.extend_from_slice(bytes),
                _ => runs.push((delivery.source, bytes.to_vec())),
            },
            event => events.push(format!("{} {event:?}", delivery.source)),
        });
    }
    (runs, events)
}

#[test]
fn a_recorded_stream_reads_back_whole_with_its_beginning_and_its_end() {
    for (client, server) in ends() {
        let mut file = Vec::new();
        let mut recorder = Recorder::new(&mut file).unwrap();
        let mut stream = recorder.open_stream(TIME, client, server).unwrap();
        let long: Vec<u8> = (0..200_000_u32).map(|number| (number % 251) as u8).collect();
        let sent = [
            (Role::Client, client, b"join".to_vec()),
            (Role::Server, server, long),
            (Role::Client, client, vec![7]),
        ];
        for (sender, _, bytes) in &sent {
            recorder.stream(TIME, &mut stream, *sender, bytes).unwrap();
        }
        recorder.stream(TIME, &mut stream, Role::Client, &[]).unwrap();
        recorder.close_stream(TIME, stream, Role::Server).unwrap();
        drop(recorder);
        let (runs, events) = read(&file);
        assert!(
            runs.iter().zip(&sent).all(|((source, run), (_, ends, bytes))| source == ends && run == bytes)
        );
        assert_eq!(runs.len(), sent.len());
        let expected = [
            format!("{client} Opened {{ saw_syn: true }}"),
            format!("{server} Finished"),
            format!("{client} Finished"),
        ];
        assert_eq!(events, expected);
    }
}

#[test]
fn streams_and_datagrams_share_a_recording() {
    let mut file = Vec::new();
    let mut recorder = Recorder::new(&mut file).unwrap();
    let mut streams = ends().map(|(client, server)| recorder.open_stream(TIME, client, server).unwrap());
    for (stream, byte) in streams.iter_mut().zip(1_u8..) {
        recorder.stream(TIME, stream, Role::Server, &[byte]).unwrap();
    }
    drop(recorder);
    let (runs, _) = read(&file);
    assert_eq!(
        runs,
        ends().map(|(_, server)| server).into_iter().zip([vec![1], vec![2]]).collect::<Vec<_>>()
    );
}
