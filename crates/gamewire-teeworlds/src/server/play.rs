//! The messages of a client: selection of their handlers, and the handlers of game messages.

use core::time::Duration;

use gamewire_machine::Instant;

use super::ServerConfig;
use super::peer::{Peer, PeerContext, PeerEffect, RconState};
use super::peer_state::{PeerState, set_profile};
use crate::handshake::Rate;
use crate::model::message::{ClientMessage, Input, ServerMessage};
use crate::model::world::PlayerStatus;
use crate::shared::pack::Text;

/// Rate limit of the messages of a player that the server relays to others: chat, emoticons, teams, deaths.
const CHAT_RATE: Rate = Rate { burst: 32, interval: Duration::from_secs(1) };
/// Maximum number of wrong passwords for the remote console (`sv_rcon_max_tries`).
const MAX_RCON_TRIES: u8 = 3;
/// Ticks between two changes of a shown ping: one second, as in the games.
const LATENCY_INTERVAL: i32 = 50;
/// Maximum ping that is shown, in milliseconds.
const MAX_LATENCY: i32 = 999;

impl Peer {
    /// Handles a message. A non-vital message that must be vital is ignored, as in the games.
    pub(super) fn on_message<'m>(
        &mut self,
        message: &ClientMessage<'m>,
        vital: bool,
        context: &PeerContext<'_>,
    ) -> PeerEffect<'m> {
        let PeerContext { config, now, .. } = *context;
        match *message {
            ClientMessage::Input { ack_snapshot, intended_tick, input, .. } => {
                self.on_input(ack_snapshot, intended_tick, input, context);
            }
            ClientMessage::Ping => self.send(&ServerMessage::PingReply),
            ClientMessage::PingEx(id) => self.send(&ServerMessage::PongEx(id)),
            _ if !vital => {}
            ClientMessage::Info { version, password, .. } => return self.on_info(version, password, config),
            ClientMessage::RequestMapData { piece } => self.on_request_map_data(piece, &config.map),
            ClientMessage::Ready => self.on_ready(config),
            ClientMessage::StartInfo(ref profile) => self.on_start_info(profile, config),
            ClientMessage::EnterGame => return self.on_enter_game(),
            ClientMessage::RconAuth { password, wants_commands, .. } => {
                return self.on_rcon_auth(password, wants_commands, config);
            }
            ClientMessage::RconCmd(line) if self.rcon == RconState::Open => {
                return PeerEffect::RconCommand(line);
            }
            ClientMessage::ChangeInfo(profile) => {
                if let PeerState::Playing(playing) = &mut self.state {
                    set_profile(&mut playing.player, &profile);
                    return PeerEffect::Changed;
                }
            }
            ClientMessage::ChangeSkin(ref skin) => {
                if let PeerState::Playing(playing) = &mut self.state {
                    playing.player.skin = skin.into();
                    return PeerEffect::Changed;
                }
            }
            ClientMessage::Say { audience, text } => {
                return self.relay(now, PeerEffect::Say { audience, text });
            }
            ClientMessage::SetTeam(team) => return self.relay(now, PeerEffect::SetTeam(team)),
            ClientMessage::Kill => return self.relay(now, PeerEffect::Kill),
            ClientMessage::Emoticon(emoticon) => return self.relay(now, PeerEffect::Emoticon(emoticon)),
            _ => {}
        }
        PeerEffect::None
    }

    /// Returns `effect` if the client is in the game and its rate limit allows it.
    fn relay<'m>(&mut self, now: Instant, effect: PeerEffect<'m>) -> PeerEffect<'m> {
        let PeerState::Playing(playing) = &mut self.state else { return PeerEffect::None };
        if playing.chat_bucket.try_acquire(now, CHAT_RATE) { effect } else { PeerEffect::None }
    }

    fn on_input(&mut self, ack_snapshot: i32, intended_tick: i32, input: Input, context: &PeerContext<'_>) {
        let PeerContext { ticks, now, .. } = *context;
        let dialect = self.link.dialect();
        let PeerState::Playing(playing) = &mut self.state else { return };
        playing.snapshots.acknowledge(ack_snapshot);
        playing.player.status = dialect.player_status(input.player_flags) | PlayerStatus::READY;
        if ack_snapshot > 0 && ticks.current() >= playing.next_latency {
            // The server sends a snapshot at the start of its tick.
            let latency = ticks.time_left(now, ack_snapshot).saturating_neg();
            playing.player.latency = latency.clamp(0, MAX_LATENCY);
            playing.next_latency = ticks.current().saturating_add(LATENCY_INTERVAL);
        }
        if playing.inputs.push(intended_tick, ticks.current(), input) {
            let time_left = ticks.time_left(now, intended_tick);
            self.send(&ServerMessage::InputTiming { intended_tick, time_left });
        }
    }

    fn on_rcon_auth(
        &mut self,
        password: Text<'_>,
        wants_commands: bool,
        config: &ServerConfig,
    ) -> PeerEffect<'static> {
        let RconState::Closed { tries } = self.rcon else { return PeerEffect::None };
        if config.rcon_password.is_empty() {
            self.send(&ServerMessage::RconLine(Text::new("No rcon password set on server.")));
        } else if password.as_bytes() == config.rcon_password.as_bytes() {
            self.rcon = RconState::Open;
            self.send(&ServerMessage::RconAuth { granted: true });
            for command in config.rcon_commands.iter().filter(|_| wants_commands) {
                self.send(&ServerMessage::RconCommandAdd(*command));
            }
            self.send(&ServerMessage::RconLine(Text::new("Remote console access granted.")));
        } else {
            let tries = tries.saturating_add(1);
            self.rcon = RconState::Closed { tries };
            let line = format!("Wrong password {tries}/{MAX_RCON_TRIES}.");
            self.send(&ServerMessage::RconLine(Text::new(&line)));
            if tries >= MAX_RCON_TRIES {
                return PeerEffect::Disconnect("Too many remote console authentication tries".to_owned());
            }
        }
        PeerEffect::None
    }
}
