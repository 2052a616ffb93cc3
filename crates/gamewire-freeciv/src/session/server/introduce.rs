use super::peer::Peer;
use super::stage::Playing;
use gamewire_machine::StreamId;

use super::{ClientId, SendError, Server};
use crate::delta::Value;
use crate::session::PlayerRole;
use crate::session::codec::SessionPacket;

type Fields = [(&'static str, Value); 9];

impl Server {
    /// Attaches a client to a player, lets it watch, or detaches it, and tells everybody so. A new
    /// role makes both sides forget what was sent of the game: it is to be sent anew. A client that
    /// has not been told of the others is told of them first.
    ///
    /// # Errors
    /// There is no such client, or it was not let in.
    pub fn set_role(&mut self, client: ClientId, role: PlayerRole) -> Result<(), SendError> {
        let stream = self.stream(client)?;
        let no_player = self.config.definition.no_player();
        let peer = self.peers.get_mut(&stream).ok_or(SendError::NoSuchClient)?;
        let Some(playing) = peer.playing_mut() else { return Err(SendError::NotJoined) };
        let before = core::mem::replace(&mut playing.role, role);
        let is_introduced = core::mem::replace(&mut playing.is_introduced, true);
        let own = describe(client, Some(playing), no_player);
        if !is_introduced {
            let others: Vec<Fields> = self
                .peers
                .values()
                .filter(|peer| peer.id != client && peer.playing().is_some())
                .map(|peer| describe(peer.id, peer.playing(), no_player))
                .collect();
            self.with(stream, |peer, _| {
                others.iter().try_for_each(|fields| peer.send(SessionPacket::ConnectionInfo, fields))
            });
        }
        self.with(stream, |peer, _| {
            peer.send(SessionPacket::ConnectionInfo, &own)?;
            if before.forgets_game_for(role) {
                peer.encoder.forget_game_info();
                peer.decoder.forget_game_info();
            }
            Ok(())
        });
        self.tell_others(client, &own);
        Ok(())
    }

    /// Whom a client plays or watches; `None` if there is no such client.
    #[must_use]
    pub fn role(&self, client: ClientId) -> Option<PlayerRole> {
        let peer = self.peers.get(self.streams.get(&client)?)?;
        peer.playing().map(|playing| playing.role)
    }

    /// The clients that were let in.
    #[must_use]
    pub fn clients(&self) -> Vec<ClientId> {
        self.peers.values().filter(|peer| peer.playing().is_some()).map(|peer| peer.id).collect()
    }

    pub(super) fn broadcast_leave(&mut self, client: ClientId) {
        let fields = describe(client, None, self.config.definition.no_player());
        self.tell_others(client, &fields);
    }

    fn tell_others(&mut self, client: ClientId, fields: &Fields) {
        let is_told =
            |peer: &Peer| peer.id != client && peer.playing().is_some_and(|playing| playing.is_introduced);
        let told: Vec<StreamId> =
            self.peers.iter().filter(|(_, peer)| is_told(peer)).map(|(stream, _)| *stream).collect();
        for stream in told {
            self.with(stream, |peer, _| peer.send(SessionPacket::ConnectionInfo, fields));
        }
    }
}

/// What everybody is told of a client; without what it plays it is gone.
fn describe(client: ClientId, playing: Option<&Playing>, no_player: i64) -> Fields {
    let role = playing.map_or(PlayerRole::DETACHED, |playing| playing.role);
    let text = |text: Option<&str>| Value::Text(text.unwrap_or_default().as_bytes().to_vec());
    let user = playing.map(|playing| &playing.user);
    [
        ("id", Value::Int(client.0.into())),
        ("used", Value::Bool(playing.is_some())),
        ("established", Value::Bool(playing.is_some())),
        ("observer", Value::Bool(role.is_observer)),
        ("player_num", Value::Int(role.player.map_or(no_player, i64::from))),
        ("access_level", Value::Int(1)),
        ("username", text(user.map(|user| user.name.as_str()))),
        ("addr", text(None)),
        ("capability", text(user.map(|user| user.capabilities.as_str()))),
    ]
}
