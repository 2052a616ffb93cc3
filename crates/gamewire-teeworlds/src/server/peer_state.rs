use super::inputs::Inputs;
use super::snapshots::ClientSnapshots;
use crate::handshake::TokenBucket;
use crate::model::TextBuf;
use crate::model::message::Profile;
use crate::model::world::Player;
use crate::shared::pack::Text;

/// The state of a client. Each state is named after the message that leads to the next one.
#[derive(Debug)]
pub(super) enum PeerState {
    /// Waits for INFO.
    AwaitInfo,
    /// Waits for READY, while the client loads the map.
    AwaitReady {
        /// The next chunk for a client of 0.7. A client of 0.6 requests chunks by number.
        next_chunk: usize,
    },
    /// Waits for Cl_StartInfo.
    AwaitStartInfo,
    /// Waits for ENTERGAME.
    AwaitEnterGame(Player),
    /// The client is in the game.
    Playing(Box<Playing>),
}

/// The data of a client in the game.
#[derive(Debug)]
pub(super) struct Playing {
    /// The player as in snapshots. Its latency is the time between a snapshot and its acknowledgement.
    pub(super) player: Player,
    /// The tick from which the latency may change again.
    pub(super) next_latency: i32,
    pub(super) inputs: Inputs,
    pub(super) snapshots: ClientSnapshots,
    /// Rate limit of relayed messages.
    pub(super) chat_bucket: TokenBucket,
}

impl Playing {
    pub(super) fn new(player: Player) -> Self {
        Self {
            player,
            next_latency: 0,
            inputs: Inputs::default(),
            snapshots: ClientSnapshots::default(),
            chat_bucket: TokenBucket::default(),
        }
    }
}

/// Maximum lengths in bytes, as in Teeworlds.
const MAX_NAME_BYTES: usize = 15;
const MAX_CLAN_BYTES: usize = 11;

/// Replaces the name and looks of a player and cuts the texts. An empty name becomes the default name of Teeworlds.
pub(super) fn set_profile(player: &mut Player, profile: &Profile<'_>) {
    let name = truncated(profile.name, MAX_NAME_BYTES);
    player.name = if name.is_empty() { "nameless tee".into() } else { name };
    player.clan = truncated(profile.clan, MAX_CLAN_BYTES);
    player.country = profile.country;
    player.skin = (&profile.skin).into();
}

/// Returns a text as the games show it, in at most `max_bytes` bytes. Clients of 0.6 show the control characters of a
/// name. Clients of DDNet drop a message with an incomplete character.
pub(super) fn truncated(text: Text<'_>, max_bytes: usize) -> TextBuf {
    let text = text.to_string();
    let (kept, _) = text.split_at(text.floor_char_boundary(max_bytes));
    kept.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Skin;
    use crate::model::message::ClientId;
    use crate::shared::pack::Sanitize;

    #[test]
    fn t12_a_name_is_stored_as_the_games_show_it_and_cut_between_characters() {
        let named = |name: &[u8]| {
            let name = Text::received(name, Sanitize::Strict);
            let text = Text::new("");
            let mut player = Player::new(ClientId(0));
            set_profile(&mut player, &Profile { name, clan: text, country: -1, skin: Skin::default() });
            player.name.as_bytes().to_vec()
        };
        assert_eq!(named(&[0xc3, 0xa4].repeat(9)), [0xc3, 0xa4].repeat(7));
        assert_eq!(named(b"a\x1b[2J\nb"), b"a [2J b");
        assert_eq!(named(b"\xffb"), "\u{fffd}b".as_bytes());
        assert_eq!(named(b"  \x01 "), b"nameless tee");
    }
}
