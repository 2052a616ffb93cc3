use std::time::Duration;

use serde::Deserialize;

use super::options::speed;
use crate::json_command::from_json;

/// The commands of standard input.
pub(super) const HELP: &str = "\
pause            pause
play             go on
step [TIME]      go on by this time of the recording, such as 500ms, and pause
speed FACTOR     change the speed: speed 0.5
stop             stop the server
help             list the commands";

/// Time of a tick.
const TICK: Duration = Duration::from_millis(20);

/// A command of standard input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Command {
    Pause,
    Play,
    Step(Duration),
    Speed(f64),
    Stop,
    Help,
}

/// A command in JSON.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum JsonCommand {
    Pause {},
    Play {},
    Step { milliseconds: Option<u32> },
    Speed { factor: f64 },
    Stop {},
}

impl Command {
    /// Parses a line of text or of JSON, or returns an error message.
    pub(super) fn parse(line: &str, is_json: bool) -> Result<Self, String> {
        if is_json {
            return Ok(match from_json(line)? {
                JsonCommand::Pause {} => Self::Pause,
                JsonCommand::Play {} => Self::Play,
                JsonCommand::Step { milliseconds } => {
                    Self::Step(milliseconds.map_or(TICK, |ms| Duration::from_millis(ms.into())))
                }
                JsonCommand::Speed { factor } => Self::Speed(speed(&factor.to_string())?),
                JsonCommand::Stop {} => Self::Stop,
            });
        }
        let (name, rest) = line.trim().split_once(' ').unwrap_or_else(|| (line.trim(), ""));
        match (name, rest.trim()) {
            ("pause", "") => Ok(Self::Pause),
            ("play", "") => Ok(Self::Play),
            ("step", "") => Ok(Self::Step(TICK)),
            ("step", time) => crate::duration::parse(time).map(Self::Step).map_err(|error| error.to_string()),
            ("speed", factor) => speed(factor).map(Self::Speed),
            ("stop", "") => Ok(Self::Stop),
            ("help", "") => Ok(Self::Help),
            _ => Err(format!("unknown command `{}`; type help for a list", line.trim())),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use super::*;

    #[test]
    fn commands_are_words() {
        let ms = Duration::from_millis;
        for (line, command) in [
            ("pause", Command::Pause),
            (" play ", Command::Play),
            ("step", Command::Step(ms(20))),
            ("step 500ms", Command::Step(ms(500))),
            ("speed 0.5", Command::Speed(0.5)),
            ("stop", Command::Stop),
        ] {
            assert_eq!(Command::parse(line, false), Ok(command), "{line}");
        }
        assert_eq!(Command::parse(r#"{"command":"speed","factor":4}"#, true), Ok(Command::Speed(4.0)));
        for line in ["", "jump", "speed", "speed 0", "step now", "stop it"] {
            assert!(Command::parse(line, false).is_err(), "{line}");
        }
    }

    #[test]
    fn commands_match_the_schema() {
        crate::json_command::check_commands::<JsonCommand>(include_str!(
            "../../../../docs/schema/replay.commands.json"
        ));
    }
}
