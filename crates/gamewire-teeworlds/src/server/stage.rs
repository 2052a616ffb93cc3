use super::inputs::Inputs;
use crate::handshake::TokenBucket;
use crate::session::message::Profile;
use crate::shared::pack::{Sanitize, Text};
use crate::shared::snapshot::Sender;
use crate::shared::value::Team;

/// How far somebody has come. A client moves from one to the next by one message each, and what
/// is said out of turn is not heard.
#[derive(Debug)]
pub(super) enum PeerState {
    /// The place is taken, and nothing is said yet: INFO is waited for.
    Greeting,
    /// The map is named; READY is waited for.
    Loading {
        /// The piece that 0.7 gets next; 0.6 names the one it wants.
        piece: usize,
    },
    /// The map is there; the name is waited for.
    Ready,
    /// The name is there; ENTERGAME is waited for.
    Named(ProfileBuf),
    /// In the game.
    Playing(Box<Playing>),
}

/// What somebody in the game has.
#[derive(Debug)]
pub(super) struct Playing {
    pub(super) looks: ProfileBuf,
    pub(super) team: Team,
    pub(super) inputs: Inputs,
    pub(super) snapshots: Sender,
    /// Milliseconds between a snapshot and its acknowledgement.
    pub(super) latency: i32,
    /// How much may still be said to everybody.
    pub(super) chat_bucket: TokenBucket,
}

impl Playing {
    pub(super) fn new(looks: ProfileBuf) -> Self {
        Self {
            looks,
            team: Team::RED,
            inputs: Inputs::default(),
            snapshots: Sender::default(),
            latency: 0,
            chat_bucket: TokenBucket::default(),
        }
    }
}

/// Name and looks, as they are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ProfileBuf {
    pub(super) name: Vec<u8>,
    pub(super) clan: Vec<u8>,
    pub(super) country: i32,
    pub(super) skin: Vec<u8>,
}

/// The bytes of a name, a clan and a skin that are kept, as in Teeworlds.
const NAME_BYTES: usize = 15;
const CLAN_BYTES: usize = 11;
const SKIN_BYTES: usize = 23;

impl ProfileBuf {
    /// Somebody without a name is called what Teeworlds calls them.
    pub(super) fn of(profile: &Profile<'_>) -> Self {
        let name = cut(profile.name, NAME_BYTES);
        Self {
            name: if name.is_empty() { b"nameless tee".to_vec() } else { name },
            clan: cut(profile.clan, CLAN_BYTES),
            country: profile.country,
            skin: cut(profile.skin, SKIN_BYTES),
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

/// What the games make of a text, in at most `most` bytes. Clients of 0.6 show a name as it is in a
/// snapshot, control characters and all, and DDNet's drop a message with half a character.
pub(super) fn cut(text: Text<'_>, most: usize) -> Vec<u8> {
    let text = text.to_string();
    let (kept, _) = text.split_at(text.floor_char_boundary(most));
    kept.as_bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t12_a_name_is_kept_as_the_games_show_it_and_cut_between_characters() {
        let named = |name: &[u8]| {
            let name = Text::received(name, Sanitize::Strict);
            let text = Text::new("");
            ProfileBuf::of(&Profile { name, clan: text, country: -1, skin: text }).name
        };
        assert_eq!(named(&[0xc3, 0xa4].repeat(9)), [0xc3, 0xa4].repeat(7));
        assert_eq!(named(b"a\x1b[2J\nb"), b"a [2J b");
        assert_eq!(named(b"\xffb"), "\u{fffd}b".as_bytes());
        assert_eq!(named(b"  \x01 "), b"nameless tee");
    }
}
