use super::message::{ClientId, ServerMessage};
use super::world::{Game, Player};

/// The most bytes of a name that a game keeps.
const NAME: usize = 64;
/// The most bytes of a clan that a game keeps.
const CLAN: usize = 48;
/// The most bytes of a skin's name that a game keeps.
const SKIN: usize = 24;

/// What a server of 0.7 says in messages and not in snapshots: who is there, and the limits of
/// the game. In 0.6 nothing is ever in it.
///
/// It holds at most one player for each [`ClientId`], with a name of at most 64 bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Roster {
    players: Vec<Player>,
    game: Game,
}

impl Roster {
    /// Takes what the server says; most of it is not about the roster.
    pub fn apply(&mut self, word: &ServerMessage<'_>) {
        match *word {
            ServerMessage::ClientInfo { client, local, team, profile, .. } => {
                let Some(player) = self.entry(client) else { return };
                (player.local, player.team, player.country) = (local, team, profile.country);
                Player::put(&mut player.name, profile.name.as_bytes().iter().copied().take(NAME));
                Player::put(&mut player.clan, profile.clan.as_bytes().iter().copied().take(CLAN));
                Player::put(&mut player.skin, profile.skin.as_bytes().iter().copied().take(SKIN));
            }
            ServerMessage::Team { client, team } => {
                if let Some(player) = self.players.iter_mut().find(|player| player.id == client) {
                    player.team = team;
                }
            }
            ServerMessage::ClientDrop { client, .. } => self.players.retain(|player| player.id != client),
            ServerMessage::GameInfo { has_teams, has_flags, score_limit, time_limit } => {
                self.game = Game { has_teams, has_flags, score_limit, time_limit, ..Game::default() };
            }
            ServerMessage::MapChange { .. } => *self = Self::default(),
            _ => {}
        }
    }

    /// What was said of a player.
    #[must_use]
    pub fn player(&self, id: ClientId) -> Option<&Player> {
        self.players.iter().find(|player| player.id == id)
    }

    /// What was said of the game: its kind and limits.
    #[must_use]
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
