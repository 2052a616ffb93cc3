use core::fmt;

use crate::Dialect;
use crate::link::LinkConfig;
use crate::session::message::Profile;
use crate::shared::pack::Text;

/// How many bytes of each the games take.
const MAX_NAME: usize = 15;
const MAX_CLAN: usize = 11;
const MAX_SKIN: usize = 23;
const MAX_PASSWORD: usize = 127;

/// How a client is to play.
#[derive(Clone)]
pub struct ClientConfig {
    /// The dialect that is offered. A server that does not know the tokens of [`Dialect::Tken`] or
    /// [`Dialect::V065`] answers in plain 0.6, and so does the client then.
    pub dialect: Dialect,
    /// Timers and limits of the connection.
    pub link: LinkConfig,
    /// Where tokens and the like come from: 32 bytes that nobody can guess.
    pub seed: [u8; 32],
    /// The player's name; the games take 15 bytes.
    pub name: String,
    /// The player's clan; the games take 11 bytes.
    pub clan: String,
    /// The player's country by ISO 3166 number; -1 for none.
    pub country: i32,
    /// The player's skin by name; in 0.7 the body of the skin.
    pub skin: String,
    /// The server's password; empty for none.
    pub password: String,
    /// What to do about the server's map.
    pub maps: MapPolicy,
    /// The largest map that is downloaded, in bytes.
    pub max_map_bytes: usize,
}

/// What to do about the server's map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MapPolicy {
    /// Tell with [`Event::MapNeeded`](super::Event::MapNeeded), and say that it is there, whichever
    /// it is: for bots that do not look at it.
    #[default]
    Assume,
    /// Tell with [`Event::MapNeeded`](super::Event::MapNeeded), and wait for
    /// [`Client::have_map`](super::Client::have_map) or [`Client::download_map`](super::Client::download_map).
    Ask,
}

impl ClientConfig {
    /// A player called `name` who offers `dialect`, with the timers of the game that made it: DDNet
    /// for [`Dialect::Tken`], else Teeworlds. `seed` is 32 bytes that nobody can guess.
    #[must_use]
    pub fn new(dialect: Dialect, name: &str, seed: [u8; 32]) -> Self {
        Self {
            dialect,
            link: match dialect {
                Dialect::Tken => LinkConfig::ddnet(dialect),
                Dialect::V06 | Dialect::V065 | Dialect::V07 => LinkConfig::vanilla(dialect),
            },
            seed,
            name: name.to_owned(),
            clan: String::new(),
            country: -1,
            skin: match dialect {
                Dialect::V07 => "standard".to_owned(),
                Dialect::V06 | Dialect::V065 | Dialect::Tken => "default".to_owned(),
            },
            password: String::new(),
            maps: MapPolicy::Assume,
            max_map_bytes: 64 * 1024 * 1024,
        }
    }

    /// Name and looks as the games take them.
    pub(super) fn profile(&self) -> Profile<'_> {
        Profile {
            name: clip(&self.name, MAX_NAME),
            clan: clip(&self.clan, MAX_CLAN),
            country: self.country,
            skin: clip(&self.skin, MAX_SKIN),
        }
    }

    /// The password as the games take it.
    pub(super) fn password(&self) -> Text<'_> {
        clip(&self.password, MAX_PASSWORD)
    }
}

/// As much of a text as has a form on the wire and no more than `most` bytes.
fn clip(text: &str, most: usize) -> Text<'_> {
    let text = text.split('\0').next().unwrap_or_default();
    let end = text.char_indices().map(|(at, c)| at.saturating_add(c.len_utf8()));
    let end = end.take_while(|end| *end <= most).last().unwrap_or(0);
    Text::new(text.get(..end).unwrap_or_default())
}

/// Leaves out the seed and the password: a log must not give them away.
impl fmt::Debug for ClientConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientConfig")
            .field("dialect", &self.dialect)
            .field("link", &self.link)
            .field("name", &self.name)
            .field("clan", &self.clan)
            .field("country", &self.country)
            .field("skin", &self.skin)
            .field("maps", &self.maps)
            .field("max_map_bytes", &self.max_map_bytes)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_games_would_not_take_is_cut_between_characters() {
        let mut config = ClientConfig::new(Dialect::Tken, "a name of seventeen", [0; 32]);
        config.clan = "\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}".to_owned();
        config.skin = "no\0zero".to_owned();
        let profile = config.profile();
        assert_eq!(profile.name.to_string(), "a name of seven");
        assert_eq!(profile.clan.to_string(), "\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}");
        assert_eq!(profile.skin.to_string(), "no");
    }

    #[test]
    fn a_log_does_not_give_the_secrets_away() {
        let mut config = ClientConfig::new(Dialect::V07, "name", [77; 32]);
        config.password = "hunter2".to_owned();
        let shown = format!("{config:?}");
        assert!(!shown.contains("77") && !shown.contains("hunter2"), "{shown}");
    }
}
