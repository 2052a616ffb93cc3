use std::time::Duration;

use gamewire_machine::{Instant, Role, Transport};
use gamewire_net::blocking::Driver;
use gamewire_net::{DriverConfig, Transports};
use gamewire_proxy::replay::riptide::{
    Event, PlayerEvent, RiptideRecording, RiptideReplay, RiptideReplayPlayer,
};
use gamewire_riptide::Format;
use gamewire_riptide::raw::{V20, V21, Version};

use super::options::Replay;
use super::run::first_address;
use super::running::{Counts, ReplayMachine, RunningReplay, controls};
use crate::controls::{Controls, open_server};
use crate::exit_status::{ExitStatus, Failure};
use crate::interrupt::Interrupt;
use crate::output::{Output, OutputEvent, Value, event};
use crate::page::shown_on;
use crate::record::{self, local_for};
use crate::url::{HostPort, Url, UrlProtocol};

/// Returns the name of a format, as in other outputs.
const fn dialect(format: Format) -> Value {
    Value::Keyword(match format {
        Format::V20 => V20::NAME,
        Format::V21 => V21::NAME,
    })
}

/// Timeout for opening a stream to the server.
const CONNECT_TIME: Duration = Duration::from_secs(5);

impl Replay {
    /// Plays the server of a recorded connection of Riptide.
    pub(super) fn serve_riptide(&self, host: &HostPort, transport: Transport) -> Result<ExitStatus, Failure> {
        let recording = self.load("riptide", RiptideRecording::new)?;
        let interrupt = Interrupt::listen()?;
        let page = self.open_page(Role::Server)?;
        let transports = match transport {
            Transport::Udp => Transports::Udp,
            Transport::Tcp => Transports::Tcp,
        };
        let driver = open_server(host, |local| {
            let mut replay = RiptideReplay::new(recording.clone(), Instant::ZERO);
            replay.set_speed(self.speed);
            replay.set_paused(self.paused);
            let settings = shown_on(page.as_ref(), DriverConfig::default());
            Driver::listen_with(local, transports, replay, settings)
        })?;
        let output = Output::begin_server(self.json, self.quiet);
        let local = driver.local_addr();
        output.emit(&event!(
            "listening",
            address: Value::Escaped(local.to_string()),
            port: local.port(),
            dialect: dialect(recording.format()),
            messages: u64::try_from(recording.messages(Role::Server)).unwrap_or(u64::MAX),
            recorded_ms: u64::try_from(recording.duration().as_millis()).unwrap_or(u64::MAX),
        ))?;
        let mut replay = RunningReplay::new(driver, output, page);
        Controls::begin(interrupt, self.duration).run(&mut replay, &record::Recording::default())?;
        replay.end()?;
        Ok(ExitStatus::Success)
    }

    /// Plays the client of a recorded connection of Riptide.
    pub(super) fn play_riptide(
        &self,
        host: &HostPort,
        (format, transport): (Format, Transport),
    ) -> Result<ExitStatus, Failure> {
        let recording = self.load("riptide", RiptideRecording::new)?;
        if recording.format() != format {
            let scheme = Url::scheme_of(UrlProtocol::Riptide(recording.format(), transport));
            let message = format!("the recording is of Riptide {}; use {scheme}://", recording.format());
            return Err(Failure::Usage(message));
        }
        let interrupt = Interrupt::listen()?;
        let server = first_address(host)?;
        let player = RiptideReplayPlayer::connect(recording, transport, server, Instant::ZERO)
            .map_err(|error| Failure::Failed(format!("cannot send the recorded connect data: {error}")))?;
        self.play(player, interrupt, |player, settings| match transport {
            Transport::Udp => Driver::bind_with(local_for(server), player, settings),
            Transport::Tcp => Driver::connect_with(server, CONNECT_TIME, player, settings),
        })
    }
}

impl ReplayMachine for RiptideReplay {
    controls!();

    fn has_ended(&self) -> bool {
        false
    }

    fn describe(event: Event, counts: &mut Counts) -> OutputEvent {
        match event {
            Event::Connected { viewer, address, format } => {
                counts.viewers = counts.viewers.saturating_add(1);
                let from = Value::Escaped(address.map(|address| address.to_string()).unwrap_or_default());
                event!("connected", viewer: viewer.0, from: from, dialect: dialect(format))
            }
            Event::Finished { viewer } => {
                counts.finished = counts.finished.saturating_add(1);
                event!("finished", viewer: viewer.0)
            }
            Event::Closed { viewer, reason } => event!("closed", viewer: viewer.0, reason: reason),
        }
    }
}

impl ReplayMachine for RiptideReplayPlayer {
    controls!();

    fn has_ended(&self) -> bool {
        self.is_closed()
    }

    fn describe(event: PlayerEvent, counts: &mut Counts) -> OutputEvent {
        match event {
            PlayerEvent::Connected { format, .. } => {
                counts.viewers = counts.viewers.saturating_add(1);
                event!("player_connected", dialect: dialect(format))
            }
            PlayerEvent::Finished => {
                counts.finished = counts.finished.saturating_add(1);
                event!("player_finished",)
            }
            PlayerEvent::Closed { reason } => event!("player_closed", reason: reason),
        }
    }
}
