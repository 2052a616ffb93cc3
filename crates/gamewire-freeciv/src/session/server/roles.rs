use super::state::Playing;
use super::{ClientId, SendError, Server};
use crate::delta::{RoleTracker, Value};
use crate::session::PlayerRole;
use crate::session::codec::SessionPacket;

type Fields = [(&'static str, Value); 9];

impl Server {
    /// Attaches a client to a player, makes it an observer or detaches it, and sends the change to all clients. If the
    /// client has not received the other connections yet, it receives them first. After a change to a new role, both
    /// sides remove the baselines that describe the game. The application must then send the game again.
    ///
    /// # Errors
    /// [`SendError::NoSuchClient`] if no client has this id, or [`SendError::NotJoined`] if the client has not joined.
    pub fn set_role(&mut self, client: ClientId, role: PlayerRole) -> Result<(), SendError> {
        let peer = self.peers.get_mut(client).ok_or(SendError::NoSuchClient)?;
        let Some(playing) = peer.playing_mut() else { return Err(SendError::NotJoined) };
        let before = core::mem::replace(&mut playing.role, role);
        let is_introduced = core::mem::replace(&mut playing.is_introduced, true);
        let own = conn_info(client, Some(playing));
        let others: Vec<Fields> = if is_introduced {
            Vec::new()
        } else {
            let others = self.peers.iter().filter(|peer| peer.id != client && peer.playing().is_some());
            others.map(|peer| conn_info(peer.id, peer.playing())).collect()
        };
        self.update(client, |peer| {
            for fields in others.iter().chain([&own]) {
                peer.send(SessionPacket::ConnectionInfo, fields)?;
            }
            if before.forgets_game_for(role) {
                peer.encoder.forget_game_info();
                peer.decoder.forget_game_info();
            }
            Ok(None)
        });
        self.broadcast(client, &own);
        Ok(())
    }

    pub(super) fn broadcast_leave(&mut self, client: ClientId) {
        self.broadcast(client, &conn_info(client, None));
    }

    /// Sends the connection of `client` to all other clients that have received the connections.
    fn broadcast(&mut self, client: ClientId, fields: &Fields) {
        let introduced =
            self.peers.iter().filter(|peer| peer.playing().is_some_and(|playing| playing.is_introduced));
        let receivers: Vec<ClientId> = introduced.map(|peer| peer.id).filter(|id| *id != client).collect();
        for receiver in receivers {
            self.update(receiver, |peer| {
                peer.send(SessionPacket::ConnectionInfo, fields)?;
                Ok(None)
            });
        }
    }
}

/// Returns the fields of CONN_INFO. Without `playing`, they describe a closed connection.
fn conn_info(client: ClientId, playing: Option<&Playing>) -> Fields {
    let role = playing.map_or(PlayerRole::DETACHED, |playing| playing.role);
    let user = playing.map(|playing| &playing.user);
    [
        ("id", Value::Int(client.0.into())),
        ("used", Value::Bool(playing.is_some())),
        ("established", Value::Bool(playing.is_some())),
        ("observer", Value::Bool(role.is_observer)),
        ("player_num", Value::Int(role.player.map_or(RoleTracker::NO_PLAYER, i64::from))),
        ("access_level", Value::Int(1)),
        ("username", user.map_or("", |user| &user.name).into()),
        ("addr", "".into()),
        ("capability", user.map_or("", |user| user.capabilities.as_str()).into()),
    ]
}
