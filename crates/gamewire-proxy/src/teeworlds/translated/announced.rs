use gamewire_teeworlds::Text;
use gamewire_teeworlds::model::message::GameInfo;
use gamewire_teeworlds::model::world::Player;
use gamewire_teeworlds::model::{ClientId, ServerMessage, World};
use gamewire_teeworlds::raw::v07;

use crate::teeworlds::outgoing::Outgoing;

/// The players and the game, as announced to a 0.7 client in messages. In 0.6, every snapshot contains them.
#[derive(Debug, Default)]
pub(super) struct Announced {
    players: Vec<Player>,
    game: Option<GameInfo>,
}

impl Announced {
    /// Returns the player of the client.
    pub(super) fn own(&self) -> Option<ClientId> {
        self.players.iter().find(|player| player.local).map(|player| player.id)
    }

    /// Returns the player with an id.
    pub(super) fn player(&self, id: ClientId) -> Option<&Player> {
        self.players.iter().find(|player| player.id == id)
    }

    /// Announces the changes in `world`. The messages have the silent flag, because 0.6 servers also announce changes
    /// in chat lines.
    pub(super) fn update(&mut self, world: &World, out: &mut Outgoing) {
        if self.game != Some(world.game.info) {
            self.game = Some(world.game.info);
            out.client(true, &ServerMessage::GameInfo(world.game.info));
        }
        let has_left = |player: &mut Player| world.player(player.id).is_none();
        for player in self.players.extract_if(.., has_left) {
            drop_player(player.id, out);
        }
        for player in &world.players {
            match self.players.iter_mut().find(|known| known.id == player.id) {
                Some(known) => update_player(known, player, out),
                None => {
                    self.players.push(player.clone());
                    introduce(player, out);
                }
            }
        }
    }
}

fn update_player(known: &mut Player, player: &Player, out: &mut Outgoing) {
    let is_renamed =
        known.name != player.name || known.clan != player.clan || known.country != player.country;
    // In 0.7, the local player keeps the name.
    if is_renamed && !player.local {
        drop_player(player.id, out);
        introduce(player, out);
        known.clone_from(player);
        return;
    }
    if known.skin != player.skin {
        out.client(true, &ServerMessage::SkinChange { client: player.id, skin: player.skin.as_skin() });
        known.skin.clone_from(&player.skin);
    }
    if known.team != player.team {
        let (client_id, team) = (player.id.0.into(), player.team);
        let message = v07::game::SvTeam { client_id, team, silent: true, cooldown_tick: 0.into() };
        out.client_wire(|to| v07::Message::Game(message.into()).encode(to));
        known.team = team;
    }
}

fn introduce(player: &Player, out: &mut Outgoing) {
    let Player { id: client, local, team, .. } = *player;
    let profile = player.profile();
    out.client(true, &ServerMessage::ClientInfo { client, local, team, profile, silent: true });
}

fn drop_player(client: ClientId, out: &mut Outgoing) {
    let (client_id, reason) = (client.0.into(), Text::new(""));
    let message = v07::game::SvClientDrop { client_id, reason, silent: true };
    out.client_wire(|to| v07::Message::Game(message.into()).encode(to));
}
