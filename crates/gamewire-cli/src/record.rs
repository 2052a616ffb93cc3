//! `--record`: the traffic of a socket in a pcapng file.

use std::fmt;
use std::fs::File;
use std::net::{SocketAddr, UdpSocket};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gamewire_inspect::recording::{RecordedStream, Recorder};
use gamewire_machine::{Role, StreamId};
use gamewire_net::{Direction, DriverConfig, Tap, TapPacket};

use crate::exit_status::{Failure, warn};

/// An open recording, if one was requested.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recording(Option<Arc<Mutex<RecorderState>>>);

#[derive(Debug)]
struct RecorderState {
    file: String,
    recorder: Recorder<File>,
    /// The client's stream, opened with its first bytes, and the time of its last bytes.
    stream: Option<(RecordedStream, i64)>,
    /// The reason why the recording ended early, until it is reported.
    failure: Option<String>,
}

impl Recording {
    /// Starts to record to `file` everything that a client's driver with these settings sends and receives.
    pub(crate) fn begin(
        file: Option<&Path>,
        settings: DriverConfig,
    ) -> Result<(Self, DriverConfig), Failure> {
        let Some(path) = file else { return Ok((Self::default(), settings)) };
        let name = path.display().to_string();
        let recorder = Recorder::create(path)
            .map_err(|error| Failure::Failed(format!("cannot record to {name}: {error}")))?;
        let state = RecorderState { file: name, recorder, stream: None, failure: None };
        let recording = Self(Some(Arc::new(Mutex::new(state))));
        let settings = DriverConfig { tap: Some(Box::new(recording.clone())), ..settings };
        Ok((recording, settings))
    }

    /// Warns once if the recording ended early; the file is valid up to that point.
    pub(crate) fn check(&self) {
        let Some(mut state) = self.lock() else { return };
        if let Some(failure) = state.failure.take() {
            warn(format_args!("the recording to {} stopped: {failure}", state.file));
        }
    }

    /// Writes the buffered data.
    pub(crate) fn finish(&self) {
        if let Some(mut state) = self.lock() {
            state.finish();
        }
        self.check();
    }

    fn lock(&self) -> Option<MutexGuard<'_, RecorderState>> {
        self.0.as_ref().map(|state| state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Tap for Recording {
    fn on_datagram(&mut self, crossing: &TapPacket<'_>) {
        if let Some(mut state) = self.lock() {
            state.datagram(crossing);
        }
    }

    fn on_stream_bytes(&mut self, _: StreamId, crossing: &TapPacket<'_>) {
        if let Some(mut state) = self.lock() {
            state.run(crossing);
        }
    }
}

impl RecorderState {
    fn datagram(&mut self, crossing: &TapPacket<'_>) {
        let recorded =
            self.recorder.datagram(nanos(crossing), crossing.from(), crossing.to(), crossing.bytes);
        self.note(recorded);
    }

    /// Records the next bytes of the client's stream. The first bytes open the stream in the recording.
    fn run(&mut self, crossing: &TapPacket<'_>) {
        let time = nanos(crossing);
        let sender = match crossing.direction {
            Direction::Outgoing => Role::Client,
            Direction::Incoming => Role::Server,
        };
        let opened = match self.stream {
            Some((stream, _)) => Ok(stream),
            None => self.recorder.open_stream(time, crossing.local, crossing.peer),
        };
        let recorded = opened.and_then(|mut stream| {
            let recorded = self.recorder.stream(time, &mut stream, sender, crossing.bytes);
            self.stream = Some((stream, time));
            recorded
        });
        self.note(recorded);
    }

    fn finish(&mut self) {
        if let Some((stream, time)) = self.stream.take() {
            let recorded = self.recorder.close_stream(time, stream, Role::Client);
            self.note(recorded);
        }
        let flushed = self.recorder.flush();
        self.note(flushed);
    }

    /// Keeps the first failure. Later packets are ignored.
    fn note(&mut self, recorded: Result<(), impl fmt::Display>) {
        if let Err(error) = recorded {
            self.failure = Some(error.to_string());
        }
    }
}

fn nanos(crossing: &TapPacket<'_>) -> i64 {
    i64::try_from(crossing.unix_micros.saturating_mul(1000)).unwrap_or(i64::MAX)
}

/// Returns the local address of a socket that reaches `server`, so that a recording has real addresses.
pub(crate) fn local_for(server: SocketAddr) -> SocketAddr {
    let any = SocketAddr::new(if server.is_ipv4() { [0; 4].into() } else { [0; 16].into() }, 0);
    let towards = UdpSocket::bind(any).and_then(|probe| {
        probe.connect(server)?;
        probe.local_addr()
    });
    towards.map_or(any, |address| SocketAddr::new(address.ip(), 0))
}
