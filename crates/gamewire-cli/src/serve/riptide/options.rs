use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, ValueEnum};
use gamewire_net::Transports;
use gamewire_riptide::server::RelayBudget;

use super::relay::Relay;
use crate::impairment::Impairment;
use crate::page::PageOption;
use crate::riptide::PeerLimits;
use crate::url::{HostPort, SECURE_WEBSOCKET_PORT, WEBSOCKET_PORT};

/// The port of the examples of the C# library.
const PORT: u16 = 7777;

/// Run a Riptide relay server: every client receives the messages of the others
///
/// Clients of 2.0 and 2.1 share one port, over UDP and TCP. Relayed messages go to all other clients
/// in the mode they were sent in. Joins, leaves, rejections and messages are printed; connection
/// attempts that are rejected because the server is full are counted. A terminal shows figures below
/// them. Lines from standard input are commands. Ctrl-C and SIGTERM stop the server and disconnect the clients.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = LONG_HELP)]
#[command(group(ArgGroup::new("websockets").args(["ws", "wss"]).multiple(true)))]
pub(in crate::serve) struct RiptideRelay {
    /// Read options from this TOML file, under the names of their flags; flags take precedence
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// Address to listen on: a name or IP address, :PORT, or both [default: port 7777 of all addresses]
    #[arg(long, alias = "bind", value_name = "HOST:PORT", default_value = ":7777", hide_default_value = true,
          value_parser = |text: &str| HostPort::parse_bind(text.strip_prefix("riptide://").unwrap_or(text), PORT))]
    pub(super) listen: HostPort,
    /// Maximum number of clients
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u16).range(1..=65534))]
    pub(super) max_clients: u16,
    /// Transports to listen on: udp, tcp or both
    #[arg(long, value_name = "NAME", default_value = "both", hide_possible_values = true)]
    pub(super) transport: Transport,
    /// Address for players in browsers, over WebSocket: a name or IP address, :PORT, or both [port: 7778]
    #[arg(long, value_name = "HOST:PORT", value_parser = |text: &str| HostPort::parse_bind(text, WEBSOCKET_PORT))]
    pub(super) ws: Option<HostPort>,
    /// Address for players in browsers, over WebSocket and TLS, for pages of https [port: 7779] (feature tls)
    #[arg(long, value_name = "HOST:PORT", requires = "cert",
          value_parser = |text: &str| HostPort::parse_bind(text, SECURE_WEBSOCKET_PORT))]
    pub(super) wss: Option<HostPort>,
    /// Certificate of the server with its chain, a PEM file; read again when it changes (feature tls)
    #[arg(long, value_name = "FILE", requires = "wss", requires = "key_file")]
    pub(super) cert: Option<PathBuf>,
    /// Key of the certificate, a PEM file; read again when it changes (feature tls)
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub(super) key_file: Option<PathBuf>,
    /// Origin of web pages that may connect, such as https://game.example, or any; may be repeated [default: pages of
    /// this machine]
    #[arg(long, value_name = "ORIGIN", requires = "websockets")]
    pub(super) ws_origin: Vec<String>,
    /// Accept encrypted clients over UDP (riptide-2.1+udps://) with the key in this file, 64 hexadecimal digits
    #[arg(long, value_name = "FILE")]
    pub(super) key: Option<PathBuf>,
    /// Ignore clients without encryption; only with --transport udp
    #[arg(long, requires = "key", conflicts_with = "websockets")]
    pub(super) require_key: bool,
    /// Ids of the messages to relay: all, none, or a list such as 1,5,10-20
    #[arg(long, value_name = "IDS", default_value = "all")]
    pub(super) relay: Relay,
    /// Maximum messages per second that are relayed for each client, or MESSAGES,BYTES with the bytes for all receivers.
    /// Above it, reliable messages are not acknowledged, so the client resends them; other messages are dropped
    #[arg(long, value_name = "RATE", default_value = "10000,8388608", value_parser = relay_budget)]
    pub(super) relay_budget: RelayBudget,
    /// Send each message that is not relayed back to its sender
    #[arg(long)]
    pub(super) echo: bool,
    /// Accept only clients with the connect data VALUES, for example 'string:"let me in"'
    #[arg(long, alias = "expect", value_name = "VALUES")]
    pub(super) require_data: Option<String>,
    /// Data to send to rejected clients
    #[arg(long, alias = "refuse-with", value_name = "VALUES", requires = "require_data")]
    pub(super) reject_data: Option<String>,
    /// Resist forged addresses: few answers, few connections, and no messages from clients that have
    /// not proven their address
    #[arg(long)]
    pub(super) strict: bool,
    #[command(flatten)]
    pub(super) limits: PeerLimits,
    /// Names and types of the game's own messages, a TOML file; needed to translate them between 2.0 and 2.1
    #[arg(long, value_name = "FILE")]
    pub(super) messages: Option<PathBuf>,
    /// Impair UDP datagrams in both directions: loss=5%,delay=40ms,jitter=10ms,reorder=1%,duplicate=1%
    #[arg(long, alias = "bad-link", value_name = "LIST")]
    pub(super) impair: Option<Impairment>,
    #[command(flatten)]
    pub(super) page: PageOption,
    /// Serve Prometheus metrics at http://ADDRESS/metrics, and /health and /ready: a port, or a loopback address with a
    /// port such as [::1]:9100
    #[arg(long, value_name = "ADDRESS", value_parser = crate::metrics::parse_loopback_address)]
    pub(super) metrics: Option<SocketAddr>,
    /// Serve /health and /ready at http://ADDRESS, for orchestrators: a port, or an address with a port such as
    /// 0.0.0.0:8080
    #[arg(long, value_name = "ADDRESS", value_parser = crate::metrics::parse_address)]
    pub(super) health: Option<SocketAddr>,
    /// Stop after this time, such as 10s, 500ms or 2m
    #[arg(long, visible_alias = "for", value_name = "TIME", value_parser = crate::duration::parse)]
    pub(super) duration: Option<Duration>,
    /// After a signal, let the clients stay for at most this time, such as 30s, and reject new ones. A second signal
    /// disconnects the clients [default: a first signal does]
    #[arg(long, value_name = "TIME", value_parser = crate::duration::parse)]
    pub(super) drain: Option<Duration>,
    /// Print JSON: one object per line for each event and for the summary
    #[arg(long)]
    pub(super) json: bool,
    /// Print no messages and no summary
    #[arg(short, long)]
    pub(super) quiet: bool,
}

/// The transports that the server listens on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Transport {
    Udp,
    Tcp,
    Both,
}

impl From<Transport> for Transports {
    fn from(transport: Transport) -> Self {
        match transport {
            Transport::Udp => Self::Udp,
            Transport::Tcp => Self::Tcp,
            Transport::Both => Self::UdpAndTcp,
        }
    }
}

/// Parses a number of messages per second, and optionally a number of bytes per second.
fn relay_budget(text: &str) -> Result<RelayBudget, String> {
    let (messages, bytes) =
        text.split_once(',').map_or((text, None), |(messages, bytes)| (messages, Some(bytes)));
    let number = |digits: &str| {
        let expected = || {
            format!("expected messages a second, or messages,bytes, such as 10000,8388608; found `{text}`")
        };
        // With 0, no reliable message would be acknowledged.
        digits.parse::<u32>().ok().filter(|number| *number > 0).ok_or_else(expected)
    };
    let default = RelayBudget::default();
    Ok(RelayBudget {
        messages_per_second: number(messages)?,
        bytes_per_second: bytes.map_or(Ok(default.bytes_per_second), number)?,
    })
}

const EXAMPLES: &str = "\
Examples:
  gamewire serve riptide
  gamewire serve riptide --listen 127.0.0.1:7777 --relay 10-20 --echo
See --help for the commands of standard input and the exit codes.";

const LONG_HELP: &str = "\
Lines of standard input:
  clients                         list the clients
  kick CLIENT [VALUES]            disconnect a client, with optional data
  send CLIENT [MODE] ID VALUES    send a message to a client
  all [MODE] ID VALUES            send a message to all clients
  stop                            stop the server
  help                            list the commands
  MODE is reliable (the default), unreliable or notify, which has no ID. VALUES are types with
  values: int:5 bool:true string:\"Hi there\" bytes:0aff floats:1,2.5 bits:3:5 hex:0aff.
  With --messages, the name of a message and its fields in any order: all player_move tick=5.

Messages between 2.0 and 2.1:
  Payloads are relayed as bytes. Numbers and text of less than 128 bytes are encoded alike in both
  formats; bools, longer lists and numbers of variable length are not, and need --messages.

Signals:
  With --drain TIME, after a first Ctrl-C or SIGTERM, new clients get the reason Rejected. The
  server stops when its clients have left, after TIME, or after a second signal. Clients that
  are there then get the reason ServerStopped. A third signal ends the server without a
  Disconnect, and so does a second one without --drain.

Health:
  /health is 200 while the server's loop runs, and 503 if it has not run for 5 seconds. /ready
  is 200 while the server accepts clients, also if it is full, and 503 during a drain. Other
  machines can reach them at the address of --health; the one of --metrics is for this machine
  only.

Configuration file:
  --config FILE reads options from a TOML file: listen = \":7777\", max-clients = 100, echo = true,
  ws-origin = [\"https://game.example\"]. A flag replaces the option of the file. Paths are
  relative to the current folder.

TLS:
  With --wss, players of pages of https connect. The certificate and its key are read again within
  a second after a change of their files; as long as they do not fit, the server warns and uses
  the old ones. UDP, TCP and --ws are not encrypted by them.

Agones:
  With AGONES_SDK_HTTP_PORT in the environment, the server sends /ready, /health and /shutdown
  to the sidecar of Agones on that port of this machine.

Exit status:
  0  the server stopped after its time or on request
  1  the server, its metrics or health checks could not listen, or a file could not be read
  2  invalid options, also of the configuration file

Examples:
  gamewire serve riptide
  gamewire serve riptide --listen 127.0.0.1:7777 --relay 10-20 --echo
  gamewire serve riptide --require-data 'string:\"let me in\"' --reject-data 'string:\"who are you?\"'
  gamewire serve riptide --messages game.toml --transport udp --strict
  gamewire serve riptide --metrics 127.0.0.1:9100
  gamewire serve riptide --ws :7778 --ws-origin https://game.example
  gamewire serve riptide --wss :7779 --cert fullchain.pem --key-file privkey.pem --ws-origin https://game.example
  gamewire serve riptide --drain 30s --health 0.0.0.0:8080
  gamewire serve riptide --config server.toml --max-clients 20
  gamewire serve riptide --max-clients 100 --duration 1h --json > relay.jsonl";

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use super::*;

    #[test]
    fn a_relay_budget_is_a_number_of_messages_and_one_of_bytes() {
        let budget =
            |messages_per_second, bytes_per_second| RelayBudget { messages_per_second, bytes_per_second };
        assert_eq!(relay_budget("500").unwrap(), budget(500, RelayBudget::default().bytes_per_second));
        assert_eq!(relay_budget("500,1000000").unwrap(), budget(500, 1_000_000));
        for text in ["", ",", "5,", "-1", "0", "5,0", "1e3", "1,2,3", "4294967296"] {
            let error = relay_budget(text).unwrap_err();
            assert!(error.contains("such as 10000,8388608"), "{error}");
        }
    }
}
