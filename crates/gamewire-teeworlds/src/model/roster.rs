use super::message::{ClientId, ServerMessage};
use super::world::{Game, Player};

/// Maximum bytes of a name and a clan in any game.
const MAX_NAME_BYTES: usize = 64;
const MAX_CLAN_BYTES: usize = 48;

/// The players and limits of a game of 0.7. Servers send them in messages instead of snapshots. The roster is always
/// empty in 0.6.
///
/// It holds at most one player for each [`ClientId`], and a name has at most 64 bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Roster {
    players: Vec<Player>,
    game: Game,
}

impl Roster {
    /// Applies a message of the server. Most messages do not change the roster.
    pub fn apply(&mut self, message: &ServerMessage<'_>) {
        match *message {
            ServerMessage::ClientInfo { client, local, team, profile, .. } => {
                let Some(player) = self.entry(client) else { return };
                (player.local, player.team) = (local, team);
                let (name, clan) = (profile.name.as_bytes(), profile.clan.as_bytes());
                let (name, clan) =
                    (name.iter().copied().take(MAX_NAME_BYTES), clan.iter().copied().take(MAX_CLAN_BYTES));
                player.set_profile(name, clan, profile.country, &profile.skin);
            }
            ServerMessage::Team { client, team } => {
                if let Some(player) = self.players.iter_mut().find(|player| player.id == client) {
                    player.team = team;
                }
            }
            ServerMessage::SkinChange { client, ref skin } => {
                if let Some(player) = self.players.iter_mut().find(|player| player.id == client) {
                    player.skin.set(skin);
                }
            }
            ServerMessage::ClientDrop { client, .. } => self.players.retain(|player| player.id != client),
            ServerMessage::GameInfo(info) => self.game.info = info,
            ServerMessage::MapChange { .. } => *self = Self::default(),
            _ => {}
        }
    }

    /// Returns a player.
    pub fn player(&self, id: ClientId) -> Option<&Player> {
        self.players.iter().find(|player| player.id == id)
    }

    /// Returns the kind and limits of the game.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    fn entry(&mut self, id: ClientId) -> Option<&mut Player> {
        let at = match self.players.iter().position(|player| player.id == id) {
            Some(at) => at,
            None => {
                self.players.push(Player::new(id));
                self.players.len().saturating_sub(1)
            }
        };
        self.players.get_mut(at)
    }
}
