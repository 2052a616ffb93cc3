use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use gamewire_freeciv::session::server::{Server, ServerConfig};
use gamewire_machine::{Instant, Role};
use gamewire_net::blocking::Driver;
use gamewire_net::{DriverConfig, Transports};

use super::recording::Recording;
use super::server::ReplayServer;
use crate::compile::definition;
use crate::exit_status::{ExitStatus, Failure};
use crate::interrupt::Interrupt;
use crate::output::{Output, Value, event};
use crate::page::{PageOption, ProtocolFiles, shown_on};
use crate::record;
use crate::session::{Controls, open_server};
use crate::url::HostPort;

/// The default port of freeciv-server.
const PORT: u16 = 5556;

/// Replay a recorded Freeciv game to every client
///
/// Each client that joins receives what a server sent in the recorded game, with its own connection
/// in place of the recorded one: everything up to the first turn immediately, then turn after turn.
/// The graphical client shows the map. Joins, leaves and chat are printed. Ctrl-C and SIGTERM stop
/// the server and disconnect the clients.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = LONG_HELP)]
pub(crate) struct FreecivReplay {
    /// Recording: a pcap or pcapng file, or all bytes that a Freeciv server sent over one connection
    #[arg(long, value_name = "FILE")]
    pub(crate) replay: PathBuf,
    /// Number of the conversation in a pcap or pcapng file [default: the first one of Freeciv]
    #[arg(long, value_name = "N")]
    pub(crate) conversation: Option<u64>,
    /// Protocol definition, a packets.def or a folder of *.def files [default: that of the recorded server, 3.0, 3.1 or 3.2]
    #[arg(long, value_name = "FILE")]
    pub(crate) definition: Option<PathBuf>,
    /// TOML file with the definition's constants from C headers [default: constants.toml next to it]
    #[arg(long, value_name = "FILE", requires = "definition")]
    pub(crate) constants: Option<PathBuf>,
    /// Address to listen on: a name or IP address, :PORT, or both [default: port 5556 of all addresses]
    #[arg(long, value_name = "HOST:PORT", default_value = ":5556", hide_default_value = true,
          value_parser = |text: &str| HostPort::parse_bind(text, PORT))]
    pub(crate) bind: HostPort,
    /// Duration of a turn; it is shorter for a client that ends its turn
    #[arg(long, alias = "pace", value_name = "TIME", default_value = "2s", value_parser = crate::duration::parse)]
    pub(crate) turn_time: Duration,
    #[command(flatten)]
    pub(crate) page: PageOption,
    /// Stop after this time, such as 10s, 500ms or 2m
    #[arg(long, visible_alias = "for", value_name = "TIME", value_parser = crate::duration::parse)]
    pub(crate) duration: Option<Duration>,
    /// Print JSON: one object per line for each event and for the summary
    #[arg(long)]
    pub(crate) json: bool,
    /// Print no summary
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl FreecivReplay {
    pub(crate) fn run(self) -> Result<ExitStatus, Failure> {
        let given = self.definition.as_deref();
        let given = given.map(|path| definition(path, self.constants.as_deref())).transpose()?;
        let recording = Recording::load(&self.replay, self.conversation, given)?;
        let config = ServerConfig::new(recording.definition.clone());
        let interrupt = Interrupt::listen()?;
        let files = ProtocolFiles {
            definition: self.definition.as_deref(),
            constants: self.constants.as_deref(),
            ..ProtocolFiles::default()
        };
        let page = self.page.open(format!("serve freeciv {}", self.bind), Role::Server, files, Vec::new())?;
        let driver = open_server(&self.bind, |local| {
            // The built-in capability string is not too long, so this does not fail.
            let server = Server::new(config.clone(), Instant::ZERO).map_err(std::io::Error::other)?;
            let settings = shown_on(page.as_ref(), DriverConfig::default());
            Driver::listen_with(local, Transports::Tcp, server, settings)
        })?;
        let output = Output::begin_server(self.json, self.quiet);
        let local = driver.local_addr();
        let address = Value::Escaped(local.to_string());
        let (packets, turns) = (recording.packets, recording.turns);
        output.emit(
            &event!("listening", address: address, port: local.port(), packets: packets, turns: turns),
        )?;
        let mut server = ReplayServer::new(driver, &recording, self.turn_time, output);
        Controls::begin(interrupt, self.duration).run(&mut server, &record::Recording::default())?;
        server.end()?;
        Ok(ExitStatus::Success)
    }
}

const EXAMPLES: &str = "\
Examples:
  gamewire serve freeciv --replay game.pcapng
  gamewire serve freeciv --replay game.bin --bind 127.0.0.1:5557 --turn-time 500ms --json
See --help for recordings and the exit codes.";

const LONG_HELP: &str = "\
Recordings:
  A recording is a capture from the first packet of a connection on, such as that of gamewire proxy,
  or one direction of a connection: all bytes that a client read from its socket.
  A client needs the same capabilities as the recorded one.

Exit status:
  0  the server stopped after its time or on request
  1  the server could not listen, or the recording could not be read
  2  invalid options

Examples:
  gamewire serve freeciv --replay game.pcapng
  gamewire serve freeciv --replay game.bin --bind 127.0.0.1:5557 --turn-time 500ms --json
  freeciv-gtk3.22 -a -n me -s 127.0.0.1 -p 5557";
