use std::io::Write;
use std::net::SocketAddr;

use gamewire_machine::{Role, Transport};

use super::{RecordError, RecordedStream, Recorder};
use crate::packet::ObservedPacket;

/// A function that passes the packets of a conversation's state to a callback, each with its source and destination,
/// its time and its bytes, as [`Inspector::resume`](gamewire_inspect::conversation::Inspector::resume) does. Its
/// arguments are the transport, the two addresses, the time of the state in nanoseconds since 1970, and the callback.
pub type StateOf<'a> = dyn Fn(Transport, (SocketAddr, SocketAddr), i64, &mut dyn FnMut((SocketAddr, SocketAddr), i64, &[u8]))
    + 'a;

/// The addresses of a recorded connection, and the position in its stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Connection {
    transport: Transport,
    client: SocketAddr,
    server: SocketAddr,
    pub(super) stream: Option<RecordedStream>,
}

impl Connection {
    pub(super) const fn of(packet: &ObservedPacket) -> Self {
        let ObservedPacket { transport, client, server, .. } = *packet;
        Self { transport, client, server, stream: None }
    }
}

/// Records the state of a connection on an interface, each packet with a comment. In a stream, the sequence numbers of
/// the state end where the recorded bytes continue.
pub(super) fn write_state<W: Write>(
    recorder: &mut Recorder<W>,
    (interface, comment): (u32, &str),
    connection: &Connection,
    time: i64,
    state: &StateOf<'_>,
) -> Result<(), RecordError> {
    let Connection { transport, client, server, stream } = *connection;
    let mut packets = Vec::new();
    state(transport, (client, server), time, &mut |(from, _), at, bytes| {
        let sender = if from == client { Role::Client } else { Role::Server };
        packets.push((sender, at, bytes.to_vec()));
    });
    let Some((_, began, _)) = packets.first() else { return Ok(()) };
    let bytes_of = |role| {
        let bytes = packets.iter().filter(|(sender, ..)| *sender == role).map(|(.., bytes)| bytes.len());
        bytes.fold(0, usize::saturating_add)
    };
    let mut stream = stream.map(|stream| stream.before(bytes_of(Role::Client), bytes_of(Role::Server)));
    if let Some(stream) = &stream {
        recorder.set_next(interface, comment);
        recorder.handshake(*began, stream)?;
    }
    for (sender, at, bytes) in &packets {
        recorder.set_next(interface, comment);
        match &mut stream {
            Some(stream) => recorder.stream(*at, stream, *sender, bytes)?,
            None if *sender == Role::Client => recorder.datagram(*at, client, server, bytes)?,
            None => recorder.datagram(*at, server, client, bytes)?,
        }
    }
    Ok(())
}
