//! What is said in the game.

use core::time::Duration;

use gamewire_machine::Instant;

use super::Event;
use super::peer::RconState;
use super::room::ServerState;
use super::stage::{PeerState, ProfileBuf, cut};
use crate::handshake::Rate;
use crate::link::Outbox;
use crate::session::message::{Audience, ClientId, ClientMessage, Input, ServerMessage};
use crate::shared::pack::Text;
use crate::shared::value::Team;

/// How much one player may say that others are told: chat, emoticons, teams, deaths. More is not heard.
const CHAT_RATE: Rate = Rate { burst: 32, interval: Duration::from_secs(1) };
/// The same for all players together. What must arrive waits in the connection of everybody who is
/// told, and whose 32 KiB are full is too weak: so many of the longest lines are a good third of it.
const BROADCAST_RATE: Rate = Rate { burst: 40, interval: Duration::from_millis(50) };
/// The longest line of chat that is passed on, in bytes, as in DDNet.
const LINE_BYTES: usize = 256;
/// How often a wrong password for the remote console is taken (`sv_rcon_max_tries`).
const RCON_TRIES: u8 = 3;
/// Why somebody is sent away who took a place and did not begin, or did not come into the game.
pub(super) const TOO_SLOW: &str = "Took too long to enter the game";
/// The longest ping that is shown, in milliseconds.
const MAX_LATENCY: i32 = 999;
/// A death by one's own hand.
const WEAPON_SELF: i32 = -2;

impl ServerState {
    /// Somebody says something. What must arrive and was not sent so is not heard, as in the games.
    pub(super) fn handle_message(
        &mut self,
        now: Instant,
        place: usize,
        word: &ClientMessage<'_>,
        vital: bool,
        out: &mut Outbox,
    ) {
        match *word {
            ClientMessage::Input { ack_snapshot, intended_tick, input, .. } => {
                self.input(now, place, ack_snapshot, intended_tick, input, out);
            }
            ClientMessage::Ping => self.reply(now, place, &ServerMessage::PingReply, out),
            ClientMessage::PingEx(id) => self.reply(now, place, &ServerMessage::PongEx(id), out),
            _ if !vital => {}
            ClientMessage::Info { version, password, .. } => self.info(now, place, version, password, out),
            ClientMessage::RequestMapData { piece } => self.map_data(now, place, piece, out),
            ClientMessage::Ready => self.ready(now, place, out),
            ClientMessage::StartInfo(profile) => self.start_info(now, place, &profile, out),
            ClientMessage::EnterGame => self.enter(now, place, out),
            ClientMessage::RconAuth { password } => self.rcon_auth(now, place, password, out),
            ClientMessage::RconCmd(line) => self.rcon_command(place, line),
            ClientMessage::Say { audience, text } => self.say(now, place, audience, text, out),
            ClientMessage::ChangeInfo(profile) => {
                if let Some(PeerState::Playing(playing)) = self.peer(place).map(|peer| &mut peer.stage) {
                    playing.looks = ProfileBuf::of(&profile);
                }
            }
            ClientMessage::SetTeam(team) => self.set_team(now, place, team, out),
            ClientMessage::Kill => self.kill(now, place, out),
            ClientMessage::Emoticon(emoticon) => {
                if let Some(from) = self.check_chat_allowed(now, place) {
                    self.broadcast(now, &ServerMessage::Emoticon { from, emoticon }, out);
                }
            }
            _ => {}
        }
    }

    fn reply(&mut self, now: Instant, place: usize, word: &ServerMessage<'_>, out: &mut Outbox) {
        if let Some(peer) = self.peer(place) {
            peer.send_or_close(now, word, out);
        }
    }

    /// The number of somebody who is in the game and may say something to the others.
    fn check_chat_allowed(&mut self, now: Instant, place: usize) -> Option<ClientId> {
        let peer = self.peer(place)?;
        let PeerState::Playing(playing) = &mut peer.stage else { return None };
        let id = playing.chat_bucket.take(now, CHAT_RATE).then_some(peer.id)?;
        self.broadcast_bucket.take(now, BROADCAST_RATE).then_some(id)
    }

    fn input(
        &mut self,
        now: Instant,
        place: usize,
        ack_snapshot: i32,
        intended_tick: i32,
        input: Input,
        out: &mut Outbox,
    ) {
        let (tick, time_left) = (self.tick, self.time_left(now, intended_tick));
        let latency = self.time_left(now, ack_snapshot).saturating_neg();
        let Some(peer) = self.peer(place) else { return };
        let PeerState::Playing(playing) = &mut peer.stage else { return };
        playing.snapshots.acknowledge(ack_snapshot);
        if ack_snapshot > 0 {
            // Snapshots leave when their tick begins.
            playing.latency = latency.clamp(0, MAX_LATENCY);
        }
        if playing.inputs.take(intended_tick, tick, input) {
            peer.send_or_close(now, &ServerMessage::InputTiming { intended_tick, time_left }, out);
        }
    }

    fn say(&mut self, now: Instant, place: usize, audience: Audience, text: Text<'_>, out: &mut Outbox) {
        let Some(speaker) = self.check_chat_allowed(now, place) else { return };
        let Some(team) = self.playing().find(|(id, _)| *id == speaker).map(|(_, playing)| playing.team)
        else {
            return;
        };
        let line = cut(text, LINE_BYTES);
        let text = Text::received(&line, text.sanitize());
        let word = ServerMessage::Chat { from: Some(speaker), audience, text };
        for peer in self.peers.iter_mut().flatten() {
            let PeerState::Playing(playing) = &peer.stage else { continue };
            let hears = match audience {
                Audience::All => true,
                Audience::Team => playing.team == team,
                Audience::Whisper(to) => to == Some(peer.id) || speaker == peer.id,
            };
            if hears {
                peer.send_or_close(now, &word, out);
            }
        }
        self.emit(Event::Chat { from: speaker, audience, text: line });
    }

    fn set_team(&mut self, now: Instant, place: usize, team: Team, out: &mut Outbox) {
        let Some(client) = self.check_chat_allowed(now, place) else { return };
        if let Some(PeerState::Playing(playing)) = self.peer(place).map(|peer| &mut peer.stage) {
            playing.team = if team == Team::SPECTATORS { team } else { Team::RED };
            let team = playing.team;
            self.broadcast(now, &ServerMessage::Team { client, team }, out);
        }
    }

    /// Gives up a life: the game has to begin a new one, for there is no character any more.
    fn kill(&mut self, now: Instant, place: usize, out: &mut Outbox) {
        let Some(victim) = self.check_chat_allowed(now, place) else { return };
        self.world.characters.retain(|character| character.id != victim);
        self.broadcast(now, &ServerMessage::Kill { killer: Some(victim), victim, weapon: WEAPON_SELF }, out);
    }

    fn rcon_auth(&mut self, now: Instant, place: usize, password: Text<'_>, out: &mut Outbox) {
        let Some(peer) = self.peers.get_mut(place).and_then(Option::as_deref_mut) else { return };
        let RconState::Closed { tries } = peer.console else { return };
        if self.config.rcon_password.is_empty() {
            peer.send_or_close(
                now,
                &ServerMessage::RconLine(Text::new("No rcon password set on server.")),
                out,
            );
        } else if password.as_bytes() == self.config.rcon_password.as_bytes() {
            peer.console = RconState::Open;
            peer.send_or_close(now, &ServerMessage::RconAuth { granted: true }, out);
            peer.send_or_close(
                now,
                &ServerMessage::RconLine(Text::new("Remote console access granted.")),
                out,
            );
        } else {
            let tries = tries.saturating_add(1);
            peer.console = RconState::Closed { tries };
            let line = format!("Wrong password {tries}/{RCON_TRIES}.");
            peer.send_or_close(now, &ServerMessage::RconLine(Text::new(&line)), out);
            if tries >= RCON_TRIES {
                self.drop_peer(now, place, "Too many remote console authentication tries", out);
            }
        }
    }

    fn rcon_command(&mut self, place: usize, line: Text<'_>) {
        let Some(peer) = self.peer(place).filter(|peer| peer.console == RconState::Open) else { return };
        let event = Event::RconCommand { from: peer.id, line: line.as_bytes().to_vec() };
        self.emit(event);
    }
}
