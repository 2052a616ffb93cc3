use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use gamewire_proxy::replay::Playback;

use crate::page::PageOption;
use crate::url::Url;

/// Play the server of a recorded game to every client that joins, or the client to a server
///
/// Each client sees the recording from its beginning: it logs in at its own speed, and then receives the
/// server's messages at the speed of the recording, faster, slower or in steps. The messages of a client
/// do not change the replay. Lines from standard input are commands. Ctrl-C and SIGTERM stop the server.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = LONG_HELP)]
pub(crate) struct Replay {
    /// Recording: a pcap or pcapng file, such as one from gamewire proxy; for Freeciv, also the bytes of a server
    pub(super) file: PathBuf,
    /// Game and address to listen on, such as teeworlds://:8303, riptide://:7777 or freeciv://:5556
    #[arg(long, alias = "bind", value_name = "URL", value_parser = Url::of_listen, required_unless_present = "to")]
    pub(super) listen: Option<Url>,
    /// Play the client's side to this server instead: teeworlds://HOST, riptide://HOST:PORT or freeciv://HOST
    #[arg(long, value_name = "URL", conflicts_with_all = ["listen", "map"])]
    pub(super) to: Option<Url>,
    /// Number of the conversation in the file [default: the first one with a login]
    #[arg(long, value_name = "N")]
    pub(super) conversation: Option<u64>,
    /// Speed: 2 is twice as fast
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = speed)]
    pub(super) speed: f64,
    /// Begin paused, until the command step or play
    #[arg(long)]
    pub(super) paused: bool,
    /// Map file, for clients without the map of a Teeworlds recording that does not contain its download
    #[arg(long, value_name = "FILE")]
    pub(super) map: Option<PathBuf>,
    /// Duration of a turn of Freeciv; it is shorter for a client that ends its turn
    #[arg(long, alias = "pace", value_name = "TIME", default_value = "2s", value_parser = crate::duration::parse)]
    pub(super) turn_time: Duration,
    /// Freeciv protocol definition, a packets.def or a folder of *.def files [default: the version of the recorded server]
    #[arg(long, value_name = "FILE")]
    pub(super) definition: Option<PathBuf>,
    /// TOML file with the definition's constants from C headers [default: constants.toml next to it]
    #[arg(long, value_name = "FILE", requires = "definition")]
    pub(super) constants: Option<PathBuf>,
    #[command(flatten)]
    pub(super) page: PageOption,
    /// Stop after this time, such as 10s, 500ms or 2m
    #[arg(long, visible_alias = "for", value_name = "TIME", value_parser = crate::duration::parse)]
    pub(super) duration: Option<Duration>,
    /// Print JSON: one object per line for each event and for the summary
    #[arg(long)]
    pub(super) json: bool,
    /// Print no summary
    #[arg(short, long)]
    pub(super) quiet: bool,
}

/// Parses a speed.
pub(super) fn speed(text: &str) -> Result<f64, String> {
    let range = Playback::MIN_SPEED..=Playback::MAX_SPEED;
    let speed = text.parse::<f64>().ok().filter(|speed| range.contains(speed));
    speed
        .ok_or_else(|| format!("expected a number from {} to {}, found `{text}`", range.start(), range.end()))
}

const EXAMPLES: &str = "\
Examples:
  gamewire replay game.pcapng --listen teeworlds://:8303
  gamewire replay game.pcapng --listen teeworlds://127.0.0.1:8303 --speed 0.5
  gamewire replay game.pcapng --listen freeciv://:5556 --turn-time 500ms
  gamewire replay game.pcapng --to teeworlds://127.0.0.1
  gamewire replay game.pcapng --listen riptide://:7777
See --help for the commands of standard input and the exit codes.";

const LONG_HELP: &str = "\
Lines of standard input:
  pause            pause
  play             go on
  step [TIME]      go on by this time of the recording, such as 500ms, and pause [default: 20ms, a tick]
  speed FACTOR     change the speed: speed 0.5
  stop             stop the server
  help             list the commands
  Freeciv with --listen has only the command stop; a client receives the next turn when it ends its turn.

Recordings:
  The file must contain the login of a player. A client needs the same version of the game: 0.6 with any
  kind of token, or 0.7. It sees the snapshots of the recorded player.
  With --to, the server receives the messages of the recorded client, including its login and inputs.
  A Riptide client needs the format of the recording; for a server of 2.0, use riptide-2.0+udp://. The
  transport may differ from that of the recording.
  With --to, Freeciv logs in under the recorded name. The recorded packets of a turn are sent when the
  server starts this turn, so that a game with the same settings and seed takes the same course.
  With --listen, a Freeciv client receives everything up to the first turn immediately, then turn after
  turn; the graphical client shows the map. It needs the capabilities of the recorded client. A recording
  is a capture that starts with the first packet of a connection, or a file with all bytes that a client
  received.

Environment:
  FREECIV_COMPRESSION_LEVEL  compression of what clients of Freeciv get, as for freeciv-server: 0 for none,
                             1 to 9, -1 for the default, which any other value means too

Exit status:
  0  the server stopped after its time or on request; with --to, everything was played
  1  the recording could not be read or not be played to its end, or the server could not listen
  2  invalid options

Examples:
  gamewire replay game.pcapng --listen teeworlds://:8303
  gamewire replay game.pcapng --listen teeworlds://127.0.0.1:8303 --speed 0.5
  gamewire replay game.pcapng --listen freeciv://:5556 --turn-time 500ms
  gamewire replay game.bin --listen freeciv://127.0.0.1:5557 --json
  gamewire replay game.pcapng --to teeworlds://127.0.0.1
  gamewire replay game.pcapng --listen riptide-2.1+tcp://:7777
  gamewire replay demo.pcap --listen teeworlds://:8303 --paused --map maps/dm1.map --json";

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use super::*;

    #[test]
    fn a_speed_is_a_number_within_its_limits() {
        assert_eq!((speed("1"), speed("0.25")), (Ok(1.0), Ok(0.25)));
        for text in ["", "0", "-1", "1001", "fast", "nan", "inf"] {
            assert!(speed(text).unwrap_err().contains("from 0.01 to 1000"), "{text}");
        }
    }
}
