use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use gamewire_inspect::conversation::{PacketInfo, PacketMeta, PacketSplitter};
use gamewire_inspect::filter::Filter;
use gamewire_inspect::render::{self, Palette};
use gamewire_machine::{Record, Role, Transport};
use gamewire_page::Source;
use gamewire_watch::recording::RecordError;
use gamewire_watch::{Event, PeerConnection, PeerNumber, Sink};

use super::describe::client_event;
use crate::exit_status::{Failure, warn};
use crate::output::Output;

/// State that the watcher shares with the main thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Shared(Arc<Mutex<State>>);

#[derive(Debug, Default)]
pub(super) struct State {
    /// The connected clients.
    pub(super) clients: BTreeMap<PeerNumber, (SocketAddr, Transport)>,
    /// Number of packets that were not printed, because the reader of the output was too slow.
    pub(super) not_shown: u64,
    /// The failure that ended the output.
    pub(super) failure: Option<Failure>,
}

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The packets that are printed.
#[derive(Debug)]
pub(super) enum Shown {
    Nothing,
    All,
    Matching(Box<Filter>),
}

/// A sink that prints events and packets on the watcher's thread.
pub(super) struct Printer {
    pub(super) output: Output,
    pub(super) shared: Shared,
    /// Wakes the main thread after a failure.
    pub(super) waker: Waker,
    /// The source that represents the proxy on the page.
    pub(super) source: Option<Source>,
    pub(super) shown: Shown,
    pub(super) palette: Palette,
    pub(super) splitter: PacketSplitter,
}

impl Printer {
    /// Keeps the first failure. Nothing is printed after it.
    fn note(&self, result: Result<(), Failure>) {
        if let Err(failure) = result {
            self.shared.lock().failure.get_or_insert(failure);
            self.waker.wake_by_ref();
        }
    }

    fn has_failed(&self) -> bool {
        self.shared.lock().failure.is_some()
    }

    fn print(
        &self,
        connection: PeerConnection,
        meta: PacketMeta<'_>,
        record: &Record,
    ) -> Result<(), Failure> {
        let mut text = Vec::new();
        if self.output.is_json() {
            let (time, client) = (self.output.seconds(), connection.peer);
            let side = connection.side.map_or("", Role::name);
            let start =
                format!(r#"{{"event":"packet","time":{time},"client":{client},"side":"{side}","packet":"#);
            text.extend(start.bytes());
            render::json(&mut text, meta, record, false)?;
            text.pop_if(|byte| *byte == b'\n');
            text.extend(b"}\n");
        } else {
            render::line(&mut text, meta, record, &self.palette)?;
        }
        if !self.output.write(&text)? {
            let mut state = self.shared.lock();
            state.not_shown = state.not_shown.saturating_add(1);
            if let Some(source) = &self.source {
                source.set_not_printed(state.not_shown);
            }
        }
        Ok(())
    }
}

impl Sink for Printer {
    fn event(&mut self, _time: i64, event: &Event) {
        let mut state = self.shared.lock();
        match event {
            Event::Opened { client, address, transport } => {
                state.clients.insert(*client, (*address, *transport));
            }
            Event::Closed { client, .. } => _ = state.clients.remove(client),
        }
        drop(state);
        if !self.has_failed() {
            self.note(self.output.emit(&client_event(event)));
        }
    }

    fn packet(&mut self, connection: PeerConnection, info: &PacketInfo, record: &Record) {
        if matches!(self.shown, Shown::Nothing) || self.has_failed() {
            return;
        }
        let mut splitter = core::mem::take(&mut self.splitter);
        let printed = splitter.split(info, record, |meta, record| {
            let is_shown = match &self.shown {
                Shown::Nothing => false,
                Shown::All => true,
                Shown::Matching(filter) => filter.holds(meta, record),
            };
            if is_shown { self.print(connection, meta, record) } else { Ok(()) }
        });
        self.splitter = splitter;
        self.note(printed);
    }

    fn wants_packets(&self) -> bool {
        !matches!(self.shown, Shown::Nothing)
    }

    fn recording_failed(&mut self, error: &RecordError) {
        warn(format_args!("the recording stopped: {error}"));
    }
}
