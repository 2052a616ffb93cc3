//! Captures for tests: built from vectors, from other captures, or from random data.

#[cfg(all(feature = "teeworlds", feature = "riptide", feature = "freeciv"))]
pub(crate) mod filters;

use std::cell::RefCell;
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::rc::Rc;

use etherparse::PacketBuilder;
use gamewire_inspect::capture::{LinkType, Reader, Writer};
use gamewire_inspect::net::{Decoder, Payload};

const SERVER: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1)), 7777);
const TIME: i64 = 1_700_000_000_000_000_000;

/// Returns the bytes of a capture in `vectors`.
pub(crate) fn capture(path: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
    std::fs::read(folder.join(path)).unwrap()
}

/// A packet of a golden vector.
pub(crate) struct Vector {
    pub(crate) version: String,
    pub(crate) is_client: bool,
    pub(crate) packet: Vec<u8>,
    /// The packet with its length prefix; empty for UDP.
    pub(crate) frame: Vec<u8>,
}

/// Returns the packets that were sent over `transport`, in their order.
pub(crate) fn vectors(transport: &str) -> Vec<Vector> {
    let text = String::from_utf8(capture("riptide/vectors.jsonl")).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    lines
        .filter(|line| line["transport"] == transport)
        .map(|line| Vector {
            version: line["version"].as_str().unwrap().to_owned(),
            is_client: line["direction"] == "c2s",
            packet: unhex(line["hex"].as_str().unwrap()),
            frame: line["frame_hex"].as_str().map(unhex).unwrap_or_default(),
        })
        .collect()
}

fn unhex(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap());
    pairs.map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect()
}

/// The output of a capture, which the test reads at the end.
#[derive(Clone, Default)]
pub(crate) struct Shared(Rc<RefCell<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A recorder of datagrams.
pub(crate) struct Datagrams {
    bytes: Shared,
    writer: Writer<Shared>,
}

impl Datagrams {
    fn add(&mut self, from: SocketAddr, to: SocketAddr, data: &[u8]) {
        let (SocketAddr::V4(from), SocketAddr::V4(to)) = (from, to) else { panic!("an IPv6 address") };
        let step = PacketBuilder::ipv4(from.ip().octets(), to.ip().octets(), 64).udp(from.port(), to.port());
        let mut packet = Vec::new();
        step.write(&mut packet, data).unwrap();
        self.writer.frame(TIME, &packet).unwrap();
    }
}

pub(crate) fn recorder() -> Datagrams {
    let bytes = Shared::default();
    Datagrams { writer: Writer::new(bytes.clone(), LinkType::RAW).unwrap(), bytes }
}

/// Records a datagram between the server and one of its clients.
pub(crate) fn datagram(recorder: &mut Datagrams, client: u32, is_client: bool, data: &[u8]) {
    let client = SocketAddr::from((Ipv4Addr::from_bits(0x0a01_0000 + client), 40_000));
    let (from, to) = if is_client { (client, SERVER) } else { (SERVER, client) };
    recorder.add(from, to, data);
}

/// Returns the capture of a recorder.
pub(crate) fn recorded(mut recorder: Datagrams) -> Vec<u8> {
    recorder.writer.flush().unwrap();
    recorder.bytes.0.take()
}

/// Returns a capture of one conversation. Each datagram has a flag that is true for the client's.
pub(crate) fn datagrams(sent: &[(bool, &[u8])]) -> Vec<u8> {
    let mut recorder = recorder();
    sent.iter().for_each(|(is_client, data)| datagram(&mut recorder, 1, *is_client, data));
    recorded(recorder)
}

/// Returns one capture with the datagrams of two captures by turns.
pub(crate) fn mixed(one: &[u8], other: &[u8]) -> Vec<u8> {
    let (mut one, mut other) = (Reader::new(one).unwrap(), Reader::new(other).unwrap());
    let mut recorder = recorder();
    let mut decoder = Decoder::new();
    loop {
        let mut is_any = false;
        for reader in [&mut one, &mut other] {
            let Some(Ok(frame)) = reader.next() else { continue };
            is_any = true;
            if let Ok(Payload::Udp(udp)) = decoder.decode(&frame) {
                recorder.add(udp.source, udp.destination, udp.data);
            }
        }
        if !is_any {
            return recorded(recorder);
        }
    }
}

/// A TCP connection that is written to a capture.
pub(crate) struct Segments {
    bytes: Shared,
    writer: Writer<Shared>,
    /// The next sequence numbers of client and server.
    next: [u32; 2],
}

impl Segments {
    pub(crate) fn new() -> Self {
        let bytes = Shared::default();
        Self { writer: Writer::new(bytes.clone(), LinkType::RAW).unwrap(), bytes, next: [1000, 9000] }
    }

    /// Opens the connection with the SYNs of both ends.
    pub(crate) fn open(&mut self) {
        self.segment(true, &[], |step| step.syn());
        let ack = self.next[0] + 1;
        self.segment(false, &[], |step| step.syn().ack(ack));
        self.next = self.next.map(|next| next + 1);
    }

    /// Closes the connection with the FINs of both ends.
    pub(crate) fn close(&mut self) {
        self.segment(true, &[], |step| step.fin());
        self.segment(false, &[], |step| step.fin());
        self.next = self.next.map(|next| next + 100);
    }

    pub(crate) fn send(&mut self, is_client: bool, data: &[u8]) {
        self.segment(is_client, data, |step| step);
        self.next[usize::from(!is_client)] += u32::try_from(data.len()).unwrap();
    }

    fn segment(&mut self, is_client: bool, data: &[u8], flags: impl FnOnce(Step) -> Step) {
        let (from, to) =
            if is_client { ([10, 0, 0, 2], [10, 0, 0, 1]) } else { ([10, 0, 0, 1], [10, 0, 0, 2]) };
        let (source, destination) = if is_client { (40_000, 7777) } else { (7777, 40_000) };
        let sequence = self.next[usize::from(!is_client)];
        let step = PacketBuilder::ipv4(from, to, 64).tcp(source, destination, sequence, 1024);
        let mut packet = Vec::new();
        flags(step).write(&mut packet, data).unwrap();
        self.writer.frame(TIME, &packet).unwrap();
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.writer.flush().unwrap();
        self.bytes.0.take()
    }
}

type Step = etherparse::PacketBuilderStep<etherparse::TcpHeader>;
