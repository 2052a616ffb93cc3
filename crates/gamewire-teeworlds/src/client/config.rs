use core::fmt;
use core::time::Duration;

use crate::Dialect;
use crate::handshake::Offer;
use crate::link::LinkConfig;
use crate::model::Skin;
use crate::model::message::Profile;
use crate::shared::pack::Text;

/// Maximum lengths in bytes, as in the games.
const MAX_NAME: usize = 15;
const MAX_CLAN: usize = 11;
const MAX_SKIN: usize = 23;
const MAX_PASSWORD: usize = 127;

/// Configuration of a client.
#[derive(Clone)]
pub struct ClientConfig {
    /// The dialects to offer.
    pub offer: Offer,
    /// Timers and limits of the connection; `None` for [`LinkConfig::of_games`] in its dialect, with
    /// [`OverflowPolicy::Refuse`](crate::raw::link::OverflowPolicy::Refuse).
    pub link: Option<LinkConfig>,
    /// Seed of the random numbers, such as tokens: 32 secret random bytes.
    pub seed: [u8; 32],
    /// The player's name; cut at 15 bytes.
    pub name: String,
    /// The player's clan; cut at 11 bytes.
    pub clan: String,
    /// The player's country by ISO 3166 number; -1 for none.
    pub country: i32,
    /// The player's skin by name; in 0.7 the body of the skin.
    pub skin: String,
    /// The server's password; empty for none.
    pub password: String,
    /// The policy for the server's map.
    pub maps: MapPolicy,
    /// Maximum size of a downloaded map in bytes.
    pub max_map_bytes: usize,
    /// Target for the time from the arrival of an input to its tick; up to 500 ms. The games use 10 ms. A longer time
    /// prevents late inputs on a busy computer or an unsteady connection.
    pub input_margin: Duration,
}

/// The policy for the server's map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum MapPolicy {
    /// Emit [`Event::MapNeeded`](super::Event::MapNeeded) and continue as if the map were loaded. This is for bots that
    /// do not read the map.
    #[default]
    Assume,
    /// Emit [`Event::MapNeeded`](super::Event::MapNeeded) and wait for [`Client::map_ready`](super::Client::map_ready)
    /// or [`Client::download_map`](super::Client::download_map).
    Ask,
}

impl ClientConfig {
    /// Creates a configuration for an [`Offer`] or one [`Dialect`]. `seed` is 32 secret random bytes.
    pub fn new(offer: impl Into<Offer>, name: &str, seed: [u8; 32]) -> Self {
        let offer = offer.into();
        Self {
            offer,
            link: None,
            seed,
            name: name.to_owned(),
            clan: String::new(),
            country: -1,
            skin: match offer {
                Offer::Only(Dialect::V07) => "standard".to_owned(),
                Offer::Any06 | Offer::Only(Dialect::V06 | Dialect::V065 | Dialect::Tken) => {
                    "default".to_owned()
                }
            },
            password: String::new(),
            maps: MapPolicy::Assume,
            max_map_bytes: 64 * 1024 * 1024,
            input_margin: Duration::from_millis(10),
        }
    }

    /// Returns the name and looks in a dialect, cut to the lengths of the games.
    pub(super) fn profile(&self, dialect: Dialect) -> Profile<'_> {
        let skin = clip(&self.skin, MAX_SKIN);
        Profile {
            name: clip(&self.name, MAX_NAME),
            clan: clip(&self.clan, MAX_CLAN),
            country: self.country,
            skin: match dialect {
                Dialect::V07 => Skin::with_body(skin),
                Dialect::V06 | Dialect::V065 | Dialect::Tken => Skin::named(skin),
            },
        }
    }

    /// Returns the password, cut to the length of the games.
    pub(super) fn password(&self) -> Text<'_> {
        clip(&self.password, MAX_PASSWORD)
    }
}

/// Returns the start of a text before its first zero byte, with at most `max_bytes` bytes.
fn clip(text: &str, max_bytes: usize) -> Text<'_> {
    let text = text.split('\0').next().unwrap_or_default();
    let end = text.char_indices().map(|(at, c)| at.saturating_add(c.len_utf8()));
    let end = end.take_while(|end| *end <= max_bytes).last().unwrap_or(0);
    Text::new(text.get(..end).unwrap_or_default())
}

/// Omits the seed and the password, which must not appear in a log.
impl fmt::Debug for ClientConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientConfig")
            .field("offer", &self.offer)
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
    fn long_texts_are_cut_between_characters() {
        let mut config = ClientConfig::new(Dialect::Tken, "a name of seventeen", [0; 32]);
        config.clan = "\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}".to_owned();
        config.skin = "no\0zero".to_owned();
        let profile = config.profile(Dialect::Tken);
        assert_eq!(profile.name.to_string(), "a name of seven");
        assert_eq!(profile.clan.to_string(), "\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}");
        assert_eq!(profile.skin.name().to_string(), "no");
    }

    #[test]
    fn secrets_are_not_logged() {
        let mut config = ClientConfig::new(Dialect::V07, "name", [77; 32]);
        config.password = "hunter2".to_owned();
        let shown = format!("{config:?}");
        assert!(!shown.contains("77") && !shown.contains("hunter2"), "{shown}");
    }
}
