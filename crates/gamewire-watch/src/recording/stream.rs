use std::io::Write;
use std::net::SocketAddr;

use gamewire_inspect::capture::WriteError;
use gamewire_machine::Role;

use super::Recorder;
use super::headers::{self, Segment};

/// The state of a recorded stream: the sequence numbers of both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordedStream {
    client: SocketAddr,
    server: SocketAddr,
    /// The sequence numbers of the next bytes.
    client_next: u32,
    server_next: u32,
}

/// Maximum stream bytes in one packet.
const MAX_SEGMENT: usize = 1 << 14;

impl<W: Write> Recorder<W> {
    /// Starts a TCP stream that `client` opened to `server`, and records its handshake. [`datagram`](Self::datagram)
    /// documents times and addresses.
    ///
    /// ```
    /// # use gamewire_inspect::capture::WriteError;
    /// # use gamewire_watch::recording::Recorder;
    /// # use gamewire_machine::Role;
    /// # fn record(client: std::net::SocketAddr, server: std::net::SocketAddr) -> Result<(), WriteError> {
    /// let mut recorder = Recorder::new(Vec::new())?;
    /// let time = 1_700_000_000_000_000_000; // nanoseconds since 1970
    /// let mut stream = recorder.open_stream(time, client, server)?;
    /// recorder.stream(time, &mut stream, Role::Client, &[0, 3, 88])?;
    /// recorder.close_stream(time, stream, Role::Client)?;
    /// recorder.flush()
    /// # }
    /// # record(([127, 0, 0, 1], 40_000).into(), ([127, 0, 0, 1], 5556).into()).unwrap();
    /// ```
    ///
    /// # Errors
    /// [`WriteError`] once if the output fails; later packets are only counted in
    /// [`dropped_packets`](Self::dropped_packets).
    pub fn open_stream(
        &mut self,
        time: i64,
        client: SocketAddr,
        server: SocketAddr,
    ) -> Result<RecordedStream, WriteError> {
        let stream = RecordedStream { client, server, client_next: 1, server_next: 1 };
        self.handshake(time, &stream)?;
        Ok(stream)
    }

    /// Records the handshake before the next bytes of a stream.
    pub(super) fn handshake(&mut self, time: i64, stream: &RecordedStream) -> Result<(), WriteError> {
        let RecordedStream { client, server, client_next, server_next } = *stream;
        let sequence = client_next.wrapping_sub(1);
        let first = Segment { sequence, acknowledged: None, is_first: true, is_last: false };
        self.segment(time, (client, server), first, &[])?;
        let sequence = server_next.wrapping_sub(1);
        let answer = Segment { sequence, acknowledged: Some(client_next), ..first };
        self.segment(time, (server, client), answer, &[])?;
        self.empty(time, stream, Role::Client, false)
    }

    /// Records the next bytes of a stream, of any length.
    ///
    /// # Errors
    /// The errors of [`open_stream`](Self::open_stream).
    pub fn stream(
        &mut self,
        time: i64,
        stream: &mut RecordedStream,
        from: Role,
        bytes: &[u8],
    ) -> Result<(), WriteError> {
        for part in bytes.chunks(MAX_SEGMENT) {
            let (sequence, acknowledged) = stream.next_seqs(from);
            let segment =
                Segment { sequence, acknowledged: Some(acknowledged), is_first: false, is_last: false };
            self.segment(time, stream.ends(from), segment, part)?;
            stream.advance(from, u32::try_from(part.len()).unwrap_or_default());
        }
        Ok(())
    }

    /// Ends a stream that `first` closed before the other side.
    ///
    /// # Errors
    /// The errors of [`open_stream`](Self::open_stream).
    pub fn close_stream(
        &mut self,
        time: i64,
        mut stream: RecordedStream,
        first: Role,
    ) -> Result<(), WriteError> {
        let second = first.other();
        self.empty(time, &stream, first, true)?;
        stream.advance(first, 1);
        self.empty(time, &stream, second, true)?;
        stream.advance(second, 1);
        self.empty(time, &stream, first, false)
    }

    fn empty(
        &mut self,
        time: i64,
        stream: &RecordedStream,
        from: Role,
        is_last: bool,
    ) -> Result<(), WriteError> {
        let (sequence, acknowledged) = stream.next_seqs(from);
        let segment = Segment { sequence, acknowledged: Some(acknowledged), is_first: false, is_last };
        self.segment(time, stream.ends(from), segment, &[])
    }

    fn segment(
        &mut self,
        time: i64,
        (source, destination): (SocketAddr, SocketAddr),
        segment: Segment,
        payload: &[u8],
    ) -> Result<(), WriteError> {
        // A part of a stream is never too long.
        if headers::tcp(source, destination, segment, payload, &mut self.header).is_ok() {
            self.write_packet(time, payload)?;
        }
        Ok(())
    }
}

impl RecordedStream {
    /// Returns source and destination.
    const fn ends(&self, from: Role) -> (SocketAddr, SocketAddr) {
        match from {
            Role::Client => (self.client, self.server),
            Role::Server => (self.server, self.client),
        }
    }

    /// Returns the sequence numbers of the next byte of this side and of the other side.
    const fn next_seqs(&self, from: Role) -> (u32, u32) {
        match from {
            Role::Client => (self.client_next, self.server_next),
            Role::Server => (self.server_next, self.client_next),
        }
    }

    /// Returns the position in the stream before the last bytes of both sides.
    pub(super) fn before(self, client: usize, server: usize) -> Self {
        let back = |next: u32, bytes: usize| next.wrapping_sub(u32::try_from(bytes).unwrap_or(u32::MAX));
        let (client_next, server_next) = (back(self.client_next, client), back(self.server_next, server));
        Self { client_next, server_next, ..self }
    }

    const fn advance(&mut self, from: Role, count: u32) {
        let next = match from {
            Role::Client => &mut self.client_next,
            Role::Server => &mut self.server_next,
        };
        *next = next.wrapping_add(count);
    }
}
