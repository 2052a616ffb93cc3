//! `gamewire replay`: plays one side of a recorded game.

mod command;
mod freeciv;
mod options;
mod riptide;
mod running;

use std::fmt::Display;
use std::net::SocketAddr;
use std::path::Path;

use gamewire_machine::{Instant, Role, Transport};
use gamewire_net::blocking::Driver;
use gamewire_net::{DriverConfig, OpenError, Transports};
use gamewire_page::CommandKind;
use gamewire_proxy::replay::teeworlds::{TeeworldsRecording, TeeworldsReplay, TeeworldsReplayPlayer};
use gamewire_proxy::replay::{RecordedConversation, ReplayMachine};
use gamewire_teeworlds::Offer;

use self::running::{Describe, RunningReplay};
use crate::controls::Controls;
use crate::driving::open_server;
use crate::exit_status::{ExitStatus, Failure};
use crate::interrupt::Interrupt;
use crate::output::{Output, OutputEvent, Value, event};
use crate::page::{ProtocolFiles, TappedPage, shown_on};
use crate::record::{self, local_for};
use crate::url::{HostPort, RiptideTransport, Url, UrlProtocol};
use crate::user_file::{name_of, read_bytes};

pub(crate) use self::options::Replay;

/// Maximum size of a recording or a map in bytes.
const MAX_SIZE: u64 = 256 << 20;

/// Returns the transport of a URL, or an error for WebSockets and encrypted datagrams.
fn without_websocket(url: &Url, transport: RiptideTransport) -> Result<Transport, Failure> {
    let error = || {
        Failure::Usage(format!(
            "unsupported transport for a replay: {url}; use riptide-2.1+tcp or riptide-2.1+udp"
        ))
    };
    transport.plain().ok_or_else(error)
}

impl Replay {
    pub(crate) fn run(self) -> Result<ExitStatus, Failure> {
        if let Some(server) = &self.to {
            return match server.protocol {
                UrlProtocol::Teeworlds(offer) => self.play_teeworlds(&server.host, offer),
                UrlProtocol::Riptide(format, transport) => {
                    self.play_riptide(&server.host, format, without_websocket(server, transport)?)
                }
                UrlProtocol::Freeciv(version) => self.play_freeciv(&server.host, version),
            };
        }
        let Some(listen) = &self.listen else {
            return Err(Failure::Usage("missing --listen or --to".into()));
        };
        match listen.protocol {
            UrlProtocol::Freeciv(_) => self.serve_freeciv(&listen.host),
            UrlProtocol::Teeworlds(_) => self.serve_teeworlds(&listen.host),
            UrlProtocol::Riptide(_, transport) => {
                self.serve_riptide(&listen.host, without_websocket(listen, transport)?)
            }
        }
    }

    fn serve_teeworlds(&self, host: &HostPort) -> Result<ExitStatus, Failure> {
        let recording = self.recording()?;
        let new = || TeeworldsReplay::new(recording.clone(), gamewire::seed(), Instant::ZERO);
        self.serve(host, Transports::Udp, new, |local| {
            event!(
                "listening",
                address: Value::Escaped(local.to_string()),
                port: local.port(),
                dialect: Value::Keyword(recording.dialect().name()),
                map: recording.map_name().to_owned(),
                messages: u64::try_from(recording.messages()).unwrap_or(u64::MAX),
                recorded_ms: u64::try_from(recording.duration().as_millis()).unwrap_or(u64::MAX),
            )
        })
    }

    /// Serves the replay that `new` creates until the command ends. `listening` describes the server.
    fn serve<M: ReplayMachine<Event: Describe>>(
        &self,
        host: &HostPort,
        transports: Transports,
        new: impl Fn() -> M,
        listening: impl FnOnce(SocketAddr) -> OutputEvent,
    ) -> Result<ExitStatus, Failure> {
        let interrupt = Interrupt::listen()?;
        let page = self.open_page(Role::Server)?;
        let driver = open_server(host, |local| {
            let mut replay = new();
            self.begin(&mut replay);
            let settings = shown_on(page.as_ref(), DriverConfig::default());
            Driver::listen_with(local, transports, replay, settings)
        })?;
        let output = Output::begin_server(self.json, self.quiet);
        output.emit(&listening(driver.local_addr()))?;
        let mut replay = RunningReplay::new(driver, output, page);
        Controls::begin(interrupt, self.duration).run(&mut replay, &record::Recording::default())?;
        replay.end()?;
        Ok(ExitStatus::Success)
    }

    fn play_teeworlds(&self, host: &HostPort, offer: Option<Offer>) -> Result<ExitStatus, Failure> {
        let recording = self.recording()?;
        let interrupt = Interrupt::listen()?;
        let server = first_address(host)?;
        let player =
            TeeworldsReplayPlayer::connect(recording, server, offer, gamewire::seed(), Instant::ZERO);
        self.play(player, interrupt, |player, settings| {
            Driver::bind_with(local_for(server), player, settings)
        })
    }

    /// Applies the options of the replay's clock.
    fn begin(&self, replay: &mut impl ReplayMachine) {
        replay.playback_mut().set_speed(self.speed);
        replay.playback_mut().set_paused(self.paused);
    }

    /// Returns the title of the page.
    fn title(&self) -> String {
        format!("replay {}", name_of(&self.file))
    }

    /// Serves the page, if the option was given. The page's users can control the replay.
    fn open_page(&self, role: Role) -> Result<Option<TappedPage>, Failure> {
        self.page.open(self.title(), role, ProtocolFiles::default(), vec![CommandKind::Replay])
    }

    /// Loads the recorded conversation of a protocol, and reads it with `read`.
    fn load<R, E: Display>(
        &self,
        protocol: &'static str,
        read: impl FnMut(&RecordedConversation) -> Result<R, E>,
    ) -> Result<R, Failure> {
        let (name, capture) = self::read(&self.file)?;
        RecordedConversation::load(&capture, protocol, self.conversation, read)
            .map_err(|error| Failure::Failed(format!("cannot replay {name}: {error}")))
    }

    fn recording(&self) -> Result<TeeworldsRecording, Failure> {
        let recording = self.load("teeworlds", TeeworldsRecording::new)?;
        match &self.map {
            Some(path) => Ok(recording.with_map(read(path)?.1)),
            None => Ok(recording),
        }
    }

    /// Plays the recording to a server until the replay has ended.
    fn play<M: ReplayMachine<Event: Describe>>(
        &self,
        mut player: M,
        interrupt: Interrupt,
        open: impl FnOnce(M, DriverConfig) -> Result<Driver<M>, OpenError>,
    ) -> Result<ExitStatus, Failure> {
        self.begin(&mut player);
        let page = self.open_page(Role::Client)?;
        let settings = shown_on(page.as_ref(), DriverConfig::default());
        let driver = open(player, settings).map_err(|error| Failure::Failed(error.to_string()))?;
        let mut replay = RunningReplay::new(driver, Output::begin_server(self.json, self.quiet), page);
        Controls::begin(interrupt, self.duration).run(&mut replay, &record::Recording::default())?;
        if replay.end()? {
            Ok(ExitStatus::Success)
        } else {
            Err(Failure::Failed("the recording was not played to its end".to_owned()))
        }
    }
}

/// Returns the first address of a host.
fn first_address(host: &HostPort) -> Result<SocketAddr, Failure> {
    host.resolve()?.first().copied().ok_or_else(|| Failure::Failed(format!("{host} has no address")))
}

/// Returns the printable name of a file, and the content of the file.
fn read(path: &Path) -> Result<(String, Vec<u8>), Failure> {
    Ok((name_of(path).to_string(), read_bytes(path, MAX_SIZE, Failure::Failed)?))
}
