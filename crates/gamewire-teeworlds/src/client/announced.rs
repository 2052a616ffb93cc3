use crate::Dialect;
use crate::model::TextBuf;
use crate::model::message::{RconCommand, ServerMessage, ServerSettings};
use crate::shared::pack::Text;
use crate::{v06, v07};

/// Maximum vote options, as in DDNet.
const MAX_VOTE_OPTIONS: usize = 8192;
/// Maximum commands of the remote console.
const MAX_RCON_COMMANDS: usize = 4096;
/// Maximum tune params and teams.
const MAX_NUMBERS: usize = 128;
/// Maximum length of a stored text in bytes.
const MAX_TEXT: usize = 128;

/// The data that a server announces in messages, except the players of 0.7.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Announced {
    /// The physics of the game in 100ths, in wire order. [`Announced::tune_param`] finds one by its name.
    pub tune_params: Vec<i32>,
    /// The settings that clients of 0.7 show.
    pub settings: Option<ServerSettings>,
    /// The vote options, in the order of the server.
    pub vote_options: Vec<TextBuf>,
    /// The vote in progress.
    pub vote: Option<Vote>,
    /// The DDNet team of each player, by id.
    pub teams: Vec<i32>,
    /// The best times in DDNet's race, in hundredths of a second.
    pub records: Option<Records>,
    /// The description of the map (DDNet).
    pub map_description: TextBuf,
    /// The commands of the remote console, after a login to it.
    pub rcon_commands: Vec<RconCommandBuf>,
    /// The remote console needs a user name (DDNet).
    pub rcon_needs_user: bool,
}

/// A vote in progress.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Vote {
    /// Seconds from its announcement to its end.
    pub timeout: i32,
    /// The subject.
    pub description: TextBuf,
    /// The reason.
    pub reason: TextBuf,
    /// Votes for yes.
    pub yes: i32,
    /// Votes for no.
    pub no: i32,
    /// Players that may vote.
    pub total: i32,
}

/// The best times in a race, in hundredths of a second; 0 for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Records {
    /// The best time on the server.
    pub server: i32,
    /// The best time of the player.
    pub player: i32,
}

/// A command of the remote console.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RconCommandBuf {
    /// The name.
    pub name: TextBuf,
    /// A description of its effect.
    pub help: TextBuf,
    /// Its parameters, such as `i[id] ?r[reason]`.
    pub params: TextBuf,
}

/// The field of [`Announced`] that has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Announcement {
    /// [`Announced::tune_params`].
    TuneParams,
    /// [`Announced::settings`].
    Settings,
    /// [`Announced::vote_options`].
    VoteOptions,
    /// [`Announced::teams`].
    Teams,
    /// [`Announced::records`].
    Records,
    /// [`Announced::map_description`].
    MapDescription,
    /// [`Announced::rcon_commands`].
    RconCommands,
}

impl Announced {
    /// Returns a tune param by its name, such as `gravity`, in 100ths.
    pub fn tune_param(&self, dialect: Dialect, name: &str) -> Option<i32> {
        let names = match dialect {
            Dialect::V07 => v07::game::TUNE_PARAMS,
            Dialect::V06 | Dialect::V065 | Dialect::Tken => v06::game::TUNE_PARAMS,
        };
        let at = names.iter().position(|known| *known == name)?;
        self.tune_params.get(at).copied()
    }

    /// Returns the allocated memory in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        let options = self.vote_options.iter().map(held_by_text);
        let commands = self
            .rcon_commands
            .iter()
            .flat_map(|command| [&command.name, &command.help, &command.params].map(held_by_text));
        let numbers = self.tune_params.capacity().saturating_add(self.teams.capacity());
        options.chain(commands).sum::<usize>().saturating_add(numbers.saturating_mul(4))
    }

    /// Clears the data of the old map.
    pub(super) fn on_map_change(&mut self) {
        *self = Self {
            rcon_commands: core::mem::take(&mut self.rcon_commands),
            rcon_needs_user: self.rcon_needs_user,
            ..Self::default()
        };
    }

    /// Applies a message. Returns what has changed, if it is an announcement.
    pub(super) fn apply(&mut self, message: &ServerMessage<'_>) -> Option<Announcement> {
        Some(match *message {
            ServerMessage::TuneParams(params) => {
                self.tune_params.clear();
                self.tune_params.extend(params.iter().take(MAX_NUMBERS));
                Announcement::TuneParams
            }
            ServerMessage::ServerSettings(settings) => {
                self.settings = Some(settings);
                Announcement::Settings
            }
            ServerMessage::VoteClearOptions => {
                self.vote_options.clear();
                Announcement::VoteOptions
            }
            ServerMessage::VoteOptionAdd(option) => {
                self.add_vote_option(option);
                Announcement::VoteOptions
            }
            ServerMessage::VoteOptionListAdd(options) => {
                options.iter().filter(|option| !option.as_bytes().is_empty()).for_each(|option| {
                    self.add_vote_option(option);
                });
                Announcement::VoteOptions
            }
            ServerMessage::VoteOptionRemove(option) => {
                self.vote_options.retain(|known| known.as_bytes() != cut(option).as_bytes());
                Announcement::VoteOptions
            }
            ServerMessage::Teams(teams) => {
                self.teams.clear();
                self.teams.extend(teams.iter().take(MAX_NUMBERS));
                Announcement::Teams
            }
            ServerMessage::Records { server, player } => {
                self.records = Some(Records { server, player });
                Announcement::Records
            }
            ServerMessage::MapInfo(description) => {
                self.map_description = description.into();
                Announcement::MapDescription
            }
            ServerMessage::RconCommandAdd(command) => {
                self.add_rcon_command(&command);
                Announcement::RconCommands
            }
            ServerMessage::RconCommandRemove(name) => {
                self.rcon_commands.retain(|known| known.name.as_bytes() != cut(name).as_bytes());
                Announcement::RconCommands
            }
            ServerMessage::RconAuth { granted: false } => {
                self.rcon_commands.clear();
                return None;
            }
            ServerMessage::RconType { needs_user } => {
                self.rcon_needs_user = needs_user;
                return None;
            }
            ServerMessage::VoteSet { timeout, description, reason } => {
                let (description, reason) = (owned(description), owned(reason));
                self.vote = (timeout > 0).then(|| Vote { timeout, description, reason, ..Vote::default() });
                return None;
            }
            ServerMessage::VoteStatus { yes, no, total } => {
                if let Some(vote) = &mut self.vote {
                    (vote.yes, vote.no, vote.total) = (yes, no, total);
                }
                return None;
            }
            _ => return None,
        })
    }

    fn add_vote_option(&mut self, option: Text<'_>) {
        if self.vote_options.len() < MAX_VOTE_OPTIONS {
            self.vote_options.push(owned(option));
        }
    }

    fn add_rcon_command(&mut self, command: &RconCommand<'_>) {
        let (name, help, params) = (owned(command.name), owned(command.help), owned(command.params));
        let command = RconCommandBuf { name, help, params };
        if let Some(known) = self.rcon_commands.iter_mut().find(|known| known.name == command.name) {
            *known = command;
        } else if self.rcon_commands.len() < MAX_RCON_COMMANDS {
            self.rcon_commands.push(command);
        }
    }
}

const fn held_by_text(text: &TextBuf) -> usize {
    text.held_bytes().saturating_add(size_of::<TextBuf>())
}

fn cut(text: Text<'_>) -> Text<'_> {
    let bytes = text.as_bytes();
    Text::received(bytes.get(..MAX_TEXT).unwrap_or(bytes), text.sanitize())
}

fn owned(text: Text<'_>) -> TextBuf {
    cut(text).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::data::List;

    #[test]
    fn vote_options_are_added_removed_and_cleared() {
        let mut announced = Announced::default();
        let options = [Text::new("map dm1"), Text::new("restart"), Text::new("")];
        announced.apply(&ServerMessage::VoteOptionListAdd(List::new(&options)));
        announced.apply(&ServerMessage::VoteOptionAdd(Text::new("shuffle")));
        announced.apply(&ServerMessage::VoteOptionRemove(Text::new("restart")));
        assert_eq!(announced.vote_options, ["map dm1", "shuffle"].map(TextBuf::from));
        assert_eq!(announced.apply(&ServerMessage::VoteClearOptions), Some(Announcement::VoteOptions));
        assert!(announced.vote_options.is_empty());
    }

    #[test]
    fn a_vote_has_its_status_until_it_ends() {
        let mut announced = Announced::default();
        let vote = |timeout| ServerMessage::VoteSet {
            timeout,
            description: Text::new("kick anna"),
            reason: Text::new("afk"),
        };
        announced.apply(&vote(25));
        announced.apply(&ServerMessage::VoteStatus { yes: 2, no: 1, total: 4 });
        let shown = announced.vote.clone().unwrap();
        assert_eq!((shown.description.to_string(), shown.yes, shown.no), ("kick anna".into(), 2, 1));
        announced.apply(&vote(0));
        assert_eq!(announced.vote, None);
    }

    #[test]
    fn tune_params_are_found_by_name() {
        let mut announced = Announced::default();
        let values: Vec<_> = (0..33).collect();
        announced.apply(&ServerMessage::TuneParams(List::new(&values)));
        assert_eq!(announced.tune_param(Dialect::V06, "gravity"), Some(12));
        assert_eq!(announced.tune_param(Dialect::V06, "laser_damage"), Some(30));
        assert_eq!(announced.tune_param(Dialect::V07, "player_collision"), Some(30));
        assert_eq!(announced.tune_param(Dialect::V07, "laser_damage"), None);
    }

    #[test]
    fn t9_announcements_are_bounded() {
        let mut announced = Announced::default();
        let long = "x".repeat(1000);
        for number in 0..20_000 {
            let name = format!("{number}{long}");
            let (name, text) = (Text::new(&name), Text::new(&long));
            announced.apply(&ServerMessage::VoteOptionAdd(name));
            if number < 5000 {
                let command = RconCommand { name, help: text, params: text };
                announced.apply(&ServerMessage::RconCommandAdd(command));
            }
        }
        assert_eq!((announced.vote_options.len(), announced.rcon_commands.len()), (8192, 4096));
        assert!(announced.held_bytes() < 4 << 20, "{}", announced.held_bytes());
    }
}
