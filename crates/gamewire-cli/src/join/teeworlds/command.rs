use gamewire_teeworlds::client::{Client, CommandError};
use gamewire_teeworlds::model::message::{Audience, ClientId, Input};
use gamewire_teeworlds::raw::link::SendError;
use gamewire_teeworlds::value::{Emoticon, Team};
use serde::Deserialize;

use crate::controls::CommandError as Rejection;

/// A command of standard input.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Command {
    Say {
        text: String,
    },
    TeamSay {
        text: String,
    },
    Whisper {
        to: u8,
        text: String,
    },
    SetInput(InputFields),
    Emoticon {
        emoticon: String,
    },
    SetTeam {
        team: String,
    },
    Spectate {
        player: Option<u8>,
    },
    Vote {
        yes: bool,
    },
    CallVote {
        kind: String,
        value: String,
        #[serde(default)]
        reason: String,
    },
    Rcon {
        line: String,
    },
    Kill {},
    Leave {},
}

/// The input of a player. Missing fields are zero.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct InputFields {
    direction: i32,
    target_x: i32,
    target_y: i32,
    jump: bool,
    fire: i32,
    hook: bool,
    player_flags: i32,
    wanted_weapon: i32,
    next_weapon: i32,
    prev_weapon: i32,
}

impl Command {
    /// Executes the command.
    pub(super) fn execute(self, client: &mut Client) -> Result<(), Rejection> {
        let sent: Result<(), CommandError> = match self {
            Self::Leave {} => return Err(Rejection::Leave),
            Self::Say { text } => client.queue_chat(Audience::All, &text),
            Self::TeamSay { text } => client.queue_chat(Audience::Team, &text),
            Self::Whisper { to, text } => client.queue_chat(Audience::Whisper(Some(ClientId(to))), &text),
            Self::SetInput(input) => {
                client.set_input(input.into());
                Ok(())
            }
            Self::Emoticon { emoticon } => {
                let number = number_of(&emoticon, 0..=15, |number| Emoticon(number).name());
                client.emoticon(Emoticon(number.map_err(Rejection::Rejected)?))
            }
            Self::SetTeam { team } => {
                let number = number_of(&team, -1..=1, |number| Team(number).name());
                client.set_team(Team(number.map_err(Rejection::Rejected)?))
            }
            Self::Spectate { player } => client.spectate(player.map(ClientId)),
            Self::Vote { yes } => client.vote(if yes { 1 } else { -1 }),
            Self::CallVote { kind, value, reason } => client.call_vote(&kind, &value, &reason),
            Self::Rcon { line } => client.queue_rcon(&line),
            Self::Kill {} => client.kill(),
        };
        sent.map_err(|error| match error {
            CommandError::Send(SendError::Full) => Rejection::Full,
            error => Rejection::Rejected(error.to_string()),
        })
    }
}

/// Returns the number in `numbers` with the name `word`.
fn number_of(
    word: &str,
    mut numbers: std::ops::RangeInclusive<i32>,
    name: impl Fn(i32) -> Option<&'static str>,
) -> Result<i32, String> {
    let known: Vec<_> = numbers.clone().filter_map(&name).collect();
    let number = numbers.find(|number| name(*number) == Some(word));
    number.ok_or_else(|| format!("unknown word {word:?}; use one of {}", known.join(", ")))
}

impl From<InputFields> for Input {
    fn from(input: InputFields) -> Self {
        let InputFields { direction, target_x, target_y, jump, fire, hook, .. } = input;
        let InputFields { player_flags, wanted_weapon, next_weapon, prev_weapon, .. } = input;
        Self {
            direction,
            target_x,
            target_y,
            jump,
            fire,
            hook,
            player_flags,
            wanted_weapon,
            next_weapon,
            prev_weapon,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_has_the_commands() {
        crate::json_command::check_commands::<Command>(include_str!(
            "../../../../../docs/schema/join-teeworlds.commands.json"
        ));
    }
}
