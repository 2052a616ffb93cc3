//! Writes the UDP datagrams of a capture, with generated headers, as pcapng:
//! `rewrite IN.pcap OUT.pcapng`.

use std::error::Error;
use std::fs::File;

use gamewire_inspect::capture::Reader;
use gamewire_inspect::net::{Decoder, Payload};
use gamewire_watch::recording::Recorder;

fn main() -> Result<(), Box<dyn Error>> {
    let mut paths = std::env::args_os().skip(1);
    let (Some(input), Some(output)) = (paths.next(), paths.next()) else {
        return Err("usage: rewrite IN.pcap OUT.pcapng".into());
    };
    let mut reader = Reader::new(File::open(input)?)?;
    let mut decoder = Decoder::new();
    let mut recorder = Recorder::create(output)?;
    while let Some(frame) = reader.next() {
        let frame = frame?;
        if let Payload::Udp(udp) = decoder.decode(&frame)? {
            recorder.datagram(frame.time, udp.source, udp.destination, udp.data)?;
        }
    }
    recorder.flush()?;
    Ok(())
}
