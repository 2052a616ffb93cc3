use super::{Client, CommandError};
use crate::model::message::{Audience, ClientId, Input};
use crate::shared::value::{Emoticon, Team};

/// A command of a player, for programs that receive commands as data.
///
/// With the feature `commands`, its JSON has the name of the command as the tag: `{"say": {"text": "hello"}}`. Emoticons
/// and teams are names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "commands", derive(serde::Deserialize))]
#[cfg_attr(feature = "commands", serde(rename_all = "snake_case", deny_unknown_fields))]
#[allow(missing_docs, reason = "the names of the fields say everything that the commands do not")]
pub enum Command {
    /// Queues a line of chat to all.
    Say { text: String },
    /// Queues a line of chat to the own team.
    TeamSay { text: String },
    /// Queues a line of chat to one player.
    Whisper { to: u8, text: String },
    /// Sets the input until the next one.
    SetInput(Input),
    /// Shows an emoticon.
    Emoticon {
        #[cfg_attr(feature = "commands", serde(deserialize_with = "by_name::emoticon"))]
        emoticon: Emoticon,
    },
    /// Requests a change of the team.
    SetTeam {
        #[cfg_attr(feature = "commands", serde(deserialize_with = "by_name::team"))]
        team: Team,
    },
    /// Spectates a player, or no player in particular.
    Spectate { player: Option<u8> },
    /// Votes.
    Vote { yes: bool },
    /// Starts a vote of a kind: `kick`, `spectate` or `option`.
    CallVote {
        kind: String,
        value: String,
        #[cfg_attr(feature = "commands", serde(default))]
        reason: String,
    },
    /// Queues a command of the remote console.
    Rcon { line: String },
    /// Kills the own character.
    Kill {},
    /// Leaves the server.
    Leave {},
}

impl Client {
    /// Executes a command.
    ///
    /// # Errors
    /// [`CommandError`]. Nothing is sent. It is [`SendError::Full`](crate::raw::link::SendError::Full) if the command
    /// can be executed later.
    pub fn execute(&mut self, command: &Command) -> Result<(), CommandError> {
        match command {
            Command::Say { text } => self.queue_chat(Audience::All, text),
            Command::TeamSay { text } => self.queue_chat(Audience::Team, text),
            Command::Whisper { to, text } => self.queue_chat(Audience::Whisper(Some(ClientId(*to))), text),
            Command::SetInput(input) => {
                self.set_input(*input);
                Ok(())
            }
            Command::Emoticon { emoticon } => self.emoticon(*emoticon),
            Command::SetTeam { team } => self.set_team(*team),
            Command::Spectate { player } => self.spectate(player.map(ClientId)),
            Command::Vote { yes } => self.vote(if *yes { 1 } else { -1 }),
            Command::CallVote { kind, value, reason } => self.call_vote(kind, value, reason),
            Command::Rcon { line } => self.queue_rcon(line),
            Command::Kill {} => self.kill(),
            Command::Leave {} => {
                self.disconnect("");
                Ok(())
            }
        }
    }
}

/// Numbers by their names.
#[cfg(feature = "commands")]
mod by_name {
    use serde::de::{Deserialize, Deserializer, Error};

    use super::{Emoticon, Team};

    pub(super) fn emoticon<'de, D: Deserializer<'de>>(from: D) -> Result<Emoticon, D::Error> {
        number(from, 0..=15, |number| Emoticon(number).name()).map(Emoticon)
    }

    pub(super) fn team<'de, D: Deserializer<'de>>(from: D) -> Result<Team, D::Error> {
        number(from, -1..=1, |number| Team(number).name()).map(Team)
    }

    /// Reads the name of one of the numbers.
    fn number<'de, D: Deserializer<'de>>(
        from: D,
        mut numbers: core::ops::RangeInclusive<i32>,
        name: impl Fn(i32) -> Option<&'static str>,
    ) -> Result<i32, D::Error> {
        let word = String::deserialize(from)?;
        let known: Vec<_> = numbers.clone().filter_map(&name).collect();
        let number = numbers.find(|number| name(*number) == Some(&*word));
        number.ok_or_else(|| {
            D::Error::custom(format_args!("unknown word {word:?}; use one of {}", known.join(", ")))
        })
    }
}
