use gamewire_machine::Role;
use gamewire_net::Conditions;
use gamewire_watch::PeerNumber;
use serde::Deserialize;

use crate::impairment::Impairment;
use crate::json_command::from_json;

pub(super) const HELP: &str = "\
clients                list the clients
link DIRECTION LIST    change a direction: link to-client loss=5%,burst=4; link both off
close CLIENT           disconnect a client
stats                  print the figures so far
stop                   stop the proxy";

/// A command on standard input.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command {
    Help,
    Clients,
    Link(Direction, Conditions),
    Close(PeerNumber),
    Stats,
    Stop,
}

/// The directions of a link that a command changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Direction {
    ToServer,
    ToClient,
    Both,
}

impl Direction {
    /// Returns the sides that receive the traffic.
    pub(super) const fn sides(self) -> &'static [Role] {
        match self {
            Self::ToServer => &[Role::Server],
            Self::ToClient => &[Role::Client],
            Self::Both => &Role::BOTH,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::ToServer => "to_server",
            Self::ToClient => "to_client",
            Self::Both => "both",
        }
    }
}

/// A command in JSON. Its fields are the parts of the command's text form.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum JsonCommand {
    Help {},
    Clients {},
    Link { direction: Direction, conditions: String },
    Close { client: u64 },
    Stats {},
    Stop {},
}

impl Command {
    /// Parses a line of text or of JSON, or returns an error message.
    pub(super) fn parse(line: &str, is_json: bool) -> Result<Self, String> {
        if is_json { Self::parse_json(line) } else { Self::parse_text(line) }
    }

    fn parse_json(json: &str) -> Result<Self, String> {
        Ok(match from_json::<JsonCommand>(json)? {
            JsonCommand::Help {} => Self::Help,
            JsonCommand::Clients {} => Self::Clients,
            JsonCommand::Link { direction, conditions } => {
                Self::Link(direction, parse_conditions(&conditions)?)
            }
            JsonCommand::Close { client } => Self::Close(PeerNumber(client)),
            JsonCommand::Stats {} => Self::Stats,
            JsonCommand::Stop {} => Self::Stop,
        })
    }

    fn parse_text(line: &str) -> Result<Self, String> {
        let mut words = line.split_whitespace();
        let word = words.next().unwrap_or_default();
        let mut argument =
            |what: &str| words.next().ok_or_else(|| format!("missing {what}; type help for a list"));
        let command = match word {
            "help" => Self::Help,
            "clients" => Self::Clients,
            "stats" => Self::Stats,
            "stop" => Self::Stop,
            "link" => {
                let direction = match argument("direction")? {
                    "to-server" => Direction::ToServer,
                    "to-client" => Direction::ToClient,
                    "both" => Direction::Both,
                    other => {
                        return Err(format!("unknown direction {other:?}; use to-server, to-client or both"));
                    }
                };
                Self::Link(direction, parse_conditions(argument("list of conditions")?)?)
            }
            "close" => {
                let word = argument("client")?;
                let number =
                    word.parse().map_err(|_| format!("invalid client {word:?}; type clients for a list"))?;
                Self::Close(PeerNumber(number))
            }
            other => return Err(format!("unknown command {other:?}; type help for a list")),
        };
        match words.next() {
            Some(more) => Err(format!("unexpected argument {more:?}; remove it")),
            None => Ok(command),
        }
    }
}

/// Parses the command that changes links. Returns the receivers and their conditions, or an error message.
pub(crate) fn link_command(line: &str) -> Result<(&'static [Role], Conditions), String> {
    match Command::parse(line, false)? {
        Command::Link(direction, conditions) => Ok((direction.sides(), conditions)),
        _ => Err("use link".to_owned()),
    }
}

fn parse_conditions(text: &str) -> Result<Conditions, String> {
    match text {
        "off" => Ok(Conditions::PERFECT),
        list => list.parse().map(|Impairment(conditions)| conditions),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_command_and_json_has_its_parts() {
        let lossy = Conditions { loss: 0.05, burst: 4.0, ..Conditions::PERFECT };
        for (line, json, command) in [
            ("help", r#"{"command":"help"}"#, Command::Help),
            (" clients ", r#"{"command":"clients"}"#, Command::Clients),
            (
                "link to-client loss=5%,burst=4",
                r#"{"command":"link","direction":"to_client","conditions":"loss=5%,burst=4"}"#,
                Command::Link(Direction::ToClient, lossy),
            ),
            (
                "link both off",
                r#"{"command":"link","direction":"both","conditions":"off"}"#,
                Command::Link(Direction::Both, Conditions::PERFECT),
            ),
            ("close 3", r#"{"command":"close","client":3}"#, Command::Close(PeerNumber(3))),
            ("stats", r#"{"command":"stats"}"#, Command::Stats),
            ("stop", r#"{"command":"stop"}"#, Command::Stop),
        ] {
            assert_eq!(Command::parse(line, false).unwrap(), command, "{line}");
            assert_eq!(Command::parse(json, true).unwrap(), command, "{json}");
        }
    }

    #[test]
    fn errors_in_commands_are_one_sentence() {
        for (line, part) in [
            ("dance", "unknown command \"dance\""),
            ("stop now", "unexpected argument \"now\""),
            ("close", "missing client"),
            ("close all", "invalid client \"all\""),
            ("link up loss=1%", "unknown direction \"up\""),
            ("link both", "missing list of conditions"),
            ("link both loss=200%", "expected a fraction from 0 to 100%"),
        ] {
            let error = Command::parse(line, false).unwrap_err();
            assert!(error.contains(part) && error.lines().count() == 1, "{line}: {error}");
        }
    }

    #[test]
    fn the_schema_has_the_commands() {
        crate::json_command::check_commands::<JsonCommand>(include_str!(
            "../../../../docs/schema/proxy.commands.json"
        ));
    }
}
