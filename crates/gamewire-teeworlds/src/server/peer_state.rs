use super::inputs::Inputs;
use crate::handshake::TokenBucket;
use crate::session::message::{ClientId, Profile};
use crate::session::world::Player;
use crate::shared::pack::{Sanitize, Text};
use crate::shared::snapshot::Sender;
use crate::shared::value::Team;

/// The state of a client, named after the message that leads to the next one.
#[derive(Debug)]
pub(super) enum PeerState {
    /// Waits for INFO.
    AwaitInfo,
    /// Waits for READY, while the client loads the map.
    AwaitReady {
        /// The next chunk for 0.7. 0.6 requests chunks by number.
        next_chunk: usize,
    },
    /// Waits for Cl_StartInfo.
    AwaitStartInfo,
    /// Waits for ENTERGAME.
    AwaitEnterGame(ProfileBuf),
    /// The client is in the game.
    Playing(Box<Playing>),
}

/// The data of a client in the game.
#[derive(Debug)]
pub(super) struct Playing {
    pub(super) profile: ProfileBuf,
    pub(super) team: Team,
    pub(super) inputs: Inputs,
    pub(super) snapshots: Sender,
    /// Time between a snapshot and its acknowledgement in milliseconds.
    pub(super) latency: i32,
    /// Rate limit of relayed messages.
    pub(super) chat_bucket: TokenBucket,
}

impl Playing {
    pub(super) fn new(profile: ProfileBuf) -> Self {
        Self {
            profile,
            team: Team::RED,
            inputs: Inputs::default(),
            snapshots: Sender::default(),
            latency: 0,
            chat_bucket: TokenBucket::default(),
        }
    }

    /// Returns the player as snapshots contain it.
    pub(super) fn to_world_player(&self, id: ClientId) -> Player {
        Player {
            id,
            local: false,
            name: self.profile.name.clone(),
            clan: self.profile.clan.clone(),
            country: self.profile.country,
            skin: self.profile.skin.clone(),
            team: self.team,
            score: 0,
            latency: self.latency,
        }
    }
}

/// An owned [`Profile`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ProfileBuf {
    pub(super) name: Vec<u8>,
    pub(super) clan: Vec<u8>,
    pub(super) country: i32,
    pub(super) skin: Vec<u8>,
}

/// Maximum lengths in bytes, as in Teeworlds.
const NAME_BYTES: usize = 15;
const CLAN_BYTES: usize = 11;
const SKIN_BYTES: usize = 23;

impl ProfileBuf {
    /// Truncates the texts. An empty name gets the default name of Teeworlds.
    pub(super) fn new(profile: &Profile<'_>) -> Self {
        let name = truncated(profile.name, NAME_BYTES);
        Self {
            name: if name.is_empty() { b"nameless tee".to_vec() } else { name },
            clan: truncated(profile.clan, CLAN_BYTES),
            country: profile.country,
            skin: truncated(profile.skin, SKIN_BYTES),
        }
    }

    pub(super) fn profile(&self) -> Profile<'_> {
        let text = |bytes| Text::received(bytes, Sanitize::Controls);
        Profile {
            name: text(&self.name),
            clan: text(&self.clan),
            country: self.country,
            skin: text(&self.skin),
        }
    }
}

/// Returns a text as the games show it, in at most `max_bytes` bytes. Clients of 0.6 show the control characters of a name,
/// and those of DDNet drop a message with an incomplete character.
pub(super) fn truncated(text: Text<'_>, max_bytes: usize) -> Vec<u8> {
    let text = text.to_string();
    let (kept, _) = text.split_at(text.floor_char_boundary(max_bytes));
    kept.as_bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t12_a_name_is_stored_as_the_games_show_it_and_cut_between_characters() {
        let named = |name: &[u8]| {
            let name = Text::received(name, Sanitize::Strict);
            let text = Text::new("");
            ProfileBuf::new(&Profile { name, clan: text, country: -1, skin: text }).name
        };
        assert_eq!(named(&[0xc3, 0xa4].repeat(9)), [0xc3, 0xa4].repeat(7));
        assert_eq!(named(b"a\x1b[2J\nb"), b"a [2J b");
        assert_eq!(named(b"\xffb"), "\u{fffd}b".as_bytes());
        assert_eq!(named(b"  \x01 "), b"nameless tee");
    }
}
