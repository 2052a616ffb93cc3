//! `--record`: the traffic of a socket in a pcapng file.

use std::io::ErrorKind;
use std::net::{SocketAddr, UdpSocket};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gamewire_inspect::capture::WriteError;
use gamewire_machine::{Role, StreamId};
use gamewire_net::{DriverConfig, Tap, TapPacket};
use gamewire_watch::recording::{self, RecordError, RecordedSides, RecordingConfig, Rotation};
use gamewire_watch::{PeerNumber, TapObserver};

use crate::exit_status::{Failure, create_message, warn};
use crate::user_file::name_of;

/// An open recording, if one was requested.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recording(Option<Arc<Mutex<RecordingState>>>);

#[derive(Debug)]
struct RecordingState {
    file: String,
    recording: recording::Recording,
    observer: TapObserver,
    /// Time of the last packet.
    last: i64,
    /// The reason why the recording ended early, until it is reported.
    failure: Option<String>,
}

impl Recording {
    /// Starts to record to `file`, if one is given.
    pub(crate) fn begin(file: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = file else { return Ok(Self::default()) };
        let name = path.display().to_string();
        let (rotation, sides) = (Rotation::default(), RecordedSides::default());
        let recording =
            recording::Recording::create(RecordingConfig { path: path.to_owned(), rotation, sides })
                .map_err(|error| cannot_record(path, &error))?;
        let observer = TapObserver::new(Role::Client);
        let state = RecordingState { file: name, recording, observer, last: 0, failure: None };
        Ok(Self(Some(Arc::new(Mutex::new(state)))))
    }

    /// Returns the settings of a driver. Everything that the driver sends and receives is recorded.
    pub(crate) fn recorded(&self, settings: DriverConfig) -> DriverConfig {
        if self.0.is_none() {
            return settings;
        }
        DriverConfig { tap: Some(Box::new(self.clone())), ..settings }
    }

    /// Writes the buffered data, so that the file is complete if the program is killed. Warns once if the recording ended
    /// early; the file is valid up to that point.
    pub(crate) fn flush(&self) {
        let Some(mut state) = self.lock() else { return };
        let flushed = state.recording.flush();
        state.note(flushed);
        if let Some(failure) = state.failure.take() {
            warn(format_args!("the recording to {} stopped: {failure}", state.file));
        }
    }

    /// Writes the end of the connection and the buffered data.
    pub(crate) fn finish(&self) {
        if let Some(mut state) = self.lock() {
            state.finish();
        }
        self.flush();
    }

    fn lock(&self) -> Option<MutexGuard<'_, RecordingState>> {
        self.0.as_ref().map(|state| state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Tap for Recording {
    fn on_datagram(&mut self, packet: &TapPacket<'_>) {
        if let Some(mut state) = self.lock() {
            state.packet(None, packet);
        }
    }

    fn on_stream_bytes(&mut self, stream: StreamId, packet: &TapPacket<'_>) {
        if let Some(mut state) = self.lock() {
            state.packet(Some(stream), packet);
        }
    }
}

impl RecordingState {
    fn packet(&mut self, stream: Option<StreamId>, packet: &TapPacket<'_>) {
        let observed = self.observer.observe(stream, packet);
        self.last = observed.time;
        let recorded = self.recording.packet(&observed, packet.bytes, "");
        self.note(recorded);
    }

    fn finish(&mut self) {
        // A client has one peer.
        let closed = self.recording.closed(self.last, PeerNumber(1), Role::Client);
        self.note(closed);
    }

    /// Keeps the failure that ended the recording.
    fn note(&mut self, recorded: Result<(), RecordError>) {
        if let Err(error) = recorded {
            self.failure = Some(error.to_string());
        }
    }
}

/// Returns the error message for a recording that could not begin.
pub(crate) fn cannot_record(path: &Path, error: &WriteError) -> Failure {
    let name = name_of(path);
    Failure::Failed(match error.source.kind() {
        ErrorKind::AlreadyExists => format!(
            "cannot record to {name}: the file exists; name another file, or a folder such as recordings/ for numbered \
             files"
        ),
        _ => format!("cannot record to {name}: {}", create_message(path, error)),
    })
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
