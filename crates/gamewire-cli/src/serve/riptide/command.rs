use gamewire_machine::Role;
use gamewire_riptide::ClientId;
use gamewire_riptide::command::{OutgoingMessage, UserData};
use gamewire_riptide::layout::MessageLayouts;
use serde::Deserialize;

use crate::json_command::from_json;
use crate::riptide::MessageFields;

pub(super) const HELP: &str = "\
clients                         list the clients
kick CLIENT [VALUES]            disconnect a client, such as: kick 3 string:\"bye\"
send CLIENT [MODE] ID VALUES    send a message, such as: send 3 reliable 10 int:5
all [MODE] ID VALUES            send a message to all clients
stop                            stop the server";

/// A command on standard input.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command {
    Help,
    Clients,
    Kick(ClientId, Option<UserData>),
    Send(ClientId, OutgoingMessage),
    All(OutgoingMessage),
    Stop,
}

/// A command in JSON. Its fields are the parts of the command's text form.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum JsonCommand {
    Help {},
    Clients {},
    Kick { client: u16, values: Option<String> },
    Send { client: u16, message: MessageFields },
    All { message: MessageFields },
    Stop {},
}

impl JsonCommand {
    fn to_text(&self) -> String {
        match self {
            Self::Help {} => "help".into(),
            Self::Clients {} => "clients".into(),
            Self::Kick { client, values } => {
                format!("kick {client} {}", values.as_deref().unwrap_or_default())
            }
            Self::Send { client, message } => format!("send {client} {}", message.to_text()),
            Self::All { message } => format!("all {}", message.to_text()),
            Self::Stop {} => "stop".into(),
        }
    }
}

impl Command {
    /// Parses a command in JSON, or returns an error message.
    pub(super) fn parse_json(json: &str, layouts: &MessageLayouts) -> Result<Self, String> {
        Self::parse(&from_json::<JsonCommand>(json)?.to_text(), layouts)
    }

    /// Parses a line, or returns an error message.
    pub(super) fn parse(line: &str, layouts: &MessageLayouts) -> Result<Self, String> {
        let (word, rest) = first_word(line);
        let argument = |text: &str| {
            OutgoingMessage::parse(text, layouts, Role::Server).map_err(|error| error.to_string())
        };
        match word {
            "help" => nothing_more(rest, Self::Help),
            "clients" => nothing_more(rest, Self::Clients),
            "stop" => nothing_more(rest, Self::Stop),
            "kick" => {
                let (client, values) = client(rest)?;
                let data = Some(values).filter(|values| !values.is_empty());
                Ok(Self::Kick(
                    client,
                    data.map(|values| UserData::parse(values, layouts))
                        .transpose()
                        .map_err(|error| error.to_string())?,
                ))
            }
            "send" => {
                let (client, text) = client(rest)?;
                Ok(Self::Send(client, argument(text)?))
            }
            "all" => Ok(Self::All(argument(rest)?)),
            other => Err(format!("unknown command {other:?}; type help for a list")),
        }
    }
}

fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim_start()))
}

fn client(text: &str) -> Result<(ClientId, &str), String> {
    let (word, rest) = first_word(text);
    let id = word.parse().map_err(|_| format!("invalid client id {word:?}; type clients for a list"))?;
    Ok((ClientId(id), rest))
}

fn nothing_more(rest: &str, command: Command) -> Result<Command, String> {
    if rest.is_empty() { Ok(command) } else { Err(format!("unexpected argument {rest:?}; remove it")) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Command, String> {
        Command::parse(line, &MessageLayouts::default())
    }

    fn argument(text: &str) -> OutgoingMessage {
        OutgoingMessage::parse(text, &MessageLayouts::default(), Role::Server).unwrap()
    }

    #[test]
    fn a_line_is_a_command() {
        let bye = UserData::parse("string:\"good bye\"", &MessageLayouts::default()).unwrap();
        for (line, command) in [
            ("help", Command::Help),
            (" stop ", Command::Stop),
            ("clients", Command::Clients),
            ("kick 3", Command::Kick(ClientId(3), None)),
            ("kick  3  string:\"good bye\"", Command::Kick(ClientId(3), Some(bye))),
            (
                "send 65534 unreliable 10 int:5",
                Command::Send(ClientId(65534), argument("unreliable 10 int:5")),
            ),
            ("all notify byte:1", Command::All(argument("notify byte:1"))),
        ] {
            assert_eq!(parsed(line), Ok(command), "{line}");
        }
    }

    #[test]
    fn json_has_the_parts_of_a_line() {
        let layouts = MessageLayouts::default();
        for (json, line) in [
            (r#"{"command":"kick","client":3,"values":"string:\"good bye\""}"#, "kick 3 string:\"good bye\""),
            (r#"{"command":"kick","client":3}"#, "kick 3"),
            (
                r#"{"command":"send","client":7,"message":{"mode":"unreliable","id":10,"values":"int:5"}}"#,
                "send 7 unreliable 10 int:5",
            ),
            (r#"{"command":"all","message":{"mode":"notify","hex":"0aff"}}"#, "all notify hex:0aff"),
            (r#"{"command":"stop"}"#, "stop"),
        ] {
            assert_eq!(Command::parse_json(json, &layouts), parsed(line), "{json}");
        }
        for json in ["{}", r#"{"command":"dance"}"#, r#"{"command":"stop","now":true}"#] {
            assert!(Command::parse_json(json, &layouts).is_err(), "{json}");
        }
    }

    #[test]
    fn errors_in_commands_are_one_sentence() {
        for (line, part) in [
            ("dance", "unknown command \"dance\""),
            ("stop now", "unexpected argument \"now\""),
            ("kick", "invalid client id \"\""),
            ("kick all", "invalid client id \"all\""),
            ("kick 65536", "invalid client id \"65536\""),
            ("kick 1 bye", "expected a type and a value"),
            ("send 1", "expected an id"),
            ("all 10 int:x", "expected a whole number"),
        ] {
            let error = parsed(line).unwrap_err();
            assert!(error.contains(part) && error.lines().count() == 1, "{line}: {error}");
        }
    }

    #[test]
    fn the_schema_has_the_commands() {
        crate::json_command::check_commands::<JsonCommand>(include_str!(
            "../../../../../docs/schema/serve-riptide.commands.json"
        ));
    }
}
