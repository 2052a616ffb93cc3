use gamewire_machine::Instant;

use super::client::{Client, ClientCore, Input};
use super::state::{Joining, Playing, SessionState};
use super::{CloseReason, Event, Incoming, Joined, PasswordRequest, Phase};
use crate::delta::Value;
use crate::session::codec::{Definition, PacketRef, SessionPacket};
use crate::session::packet_queue::QueueError;
use crate::session::{Capabilities, PlayerRole};
use crate::world::without_markup;

/// Returns the text of a message, without markup.
fn plain(packet: &PacketRef<'_>) -> String {
    without_markup(packet.text("message").as_bytes())
}

/// The decoder's next step after a packet.
enum DecoderAction {
    Nothing,
    /// Use this version, and the variants for these capabilities.
    SetVersion(Definition, Vec<String>),
    /// Remove the baselines that describe the game.
    ForgetGame,
}

impl Client {
    /// Handles bytes from the server, which can be split at any byte. Calls `receive` with each packet, borrowed from
    /// the decoder, and with each event, in order. Only [`Event::Closed`] must still be polled.
    ///
    /// # Errors
    /// Returns the reason why the client is closed. Its last event contains the same reason.
    pub fn handle_bytes_with(
        &mut self,
        now: Instant,
        data: &[u8],
        mut receive: impl FnMut(Incoming<'_>),
    ) -> Result<(), CloseReason> {
        self.session.begin(now, data.len())?;
        let read = self.session.read(&mut self.input, data, |session, packet| {
            session.drain_events(&mut receive);
            receive(Incoming::Packet(packet));
        });
        self.session.drain_events(&mut receive);
        read.inspect_err(|reason| self.session.close(reason.clone()))
    }

    /// Handles bytes from the server, which can be split at any byte. All events must be polled.
    pub(super) fn receive_bytes(&mut self, now: Instant, data: &[u8]) {
        if self.session.begin(now, data.len()).is_err() {
            return;
        }
        let read = self.session.read(&mut self.input, data, |session, packet| {
            if session.config.packet_events {
                session.events.push(Event::Packet(packet.to_owned()));
            }
        });
        if let Err(reason) = read {
            self.session.close(reason);
        }
    }
}

impl ClientCore {
    /// Starts to handle `count` bytes that arrived at `now`. They count as progress while joining, and prevent the idle
    /// timeout later.
    fn begin(&mut self, now: Instant, count: usize) -> Result<(), CloseReason> {
        self.handle_timeout(now);
        let now = self.clock.now();
        match &mut self.state {
            SessionState::Joining(joining) => joining.count_bytes(count, now + self.config.login_timeout),
            SessionState::Playing(playing) => playing.idle_at = now + self.config.idle_timeout,
            SessionState::Authenticating { .. } => {}
            SessionState::Closed(reason) => return Err(reason.clone()),
        }
        Ok(())
    }

    fn read(
        &mut self,
        input: &mut Input,
        mut data: &[u8],
        mut lend: impl FnMut(&mut Self, PacketRef<'_>),
    ) -> Result<(), CloseReason> {
        while let Some(frame) = input.splitter.next(&mut data)? {
            input.packet_bytes.add(u64::try_from(frame.bytes.len()).unwrap_or(u64::MAX));
            let packet = input.decoder.decode(frame.number, frame.body)?;
            lend(self, packet);
            match self.handle_packet(&packet)? {
                DecoderAction::Nothing => {}
                DecoderAction::SetVersion(definition, active) => {
                    input.decoder.set_definition(&definition);
                    let active: Vec<&str> = active.iter().map(String::as_str).collect();
                    input.decoder.set_capabilities(&active);
                }
                DecoderAction::ForgetGame => input.decoder.forget_game_info(),
            }
            let total = input.splitter.inflated();
            if let Some(limit) = input.inflate_limiter.exceeded(self.clock.now(), total) {
                return Err(CloseReason::Inflated { limit });
            }
        }
        Ok(())
    }

    fn drain_events(&mut self, receive: &mut impl FnMut(Incoming<'_>)) {
        while let Some(event) = self.events.pop() {
            receive(Incoming::Event(event));
        }
    }

    fn handle_packet(&mut self, packet: &PacketRef<'_>) -> Result<DecoderAction, CloseReason> {
        let Some(kind) = self.config.definition.kind(packet.number()) else {
            return Ok(DecoderAction::Nothing);
        };
        match kind {
            SessionPacket::ProcessingStarted => {
                self.requests.started().into_iter().for_each(|id| self.events.push(Event::Started(id)));
            }
            SessionPacket::ProcessingFinished => {
                self.requests.finished().into_iter().for_each(|id| self.events.push(Event::Finished(id)));
            }
            SessionPacket::Ping => self.send(SessionPacket::Pong, &[])?,
            SessionPacket::ServerInfo => {
                if let SessionState::Joining(joining) = &mut self.state {
                    joining.on_server_info(self.clock.now() + self.config.login_timeout);
                }
            }
            SessionPacket::AuthenticationRequest => self.on_auth_request(packet)?,
            SessionPacket::JoinReply => return self.on_join_reply(packet),
            SessionPacket::ConnectionInfo => return Ok(self.on_conn_info(packet)),
            SessionPacket::Chat | SessionPacket::ConnectMessage => {
                self.last_message = Some((self.clock.now(), plain(packet)));
            }
            SessionPacket::ServerShutdown => return Err(CloseReason::Shutdown),
            // A server does not send packets of clients.
            SessionPacket::JoinRequest
            | SessionPacket::AuthenticationReply
            | SessionPacket::Pong
            | SessionPacket::ClientInfo
            | SessionPacket::Heartbeat => {}
        }
        Ok(DecoderAction::Nothing)
    }

    fn on_auth_request(&mut self, packet: &PacketRef<'_>) -> Result<(), CloseReason> {
        let SessionState::Joining(joining) = &self.state else {
            return Err(self.unexpected(SessionPacket::AuthenticationRequest));
        };
        let request = PasswordRequest::from_number(packet.int("type"));
        let request = request.ok_or_else(|| self.unexpected(SessionPacket::AuthenticationRequest))?;
        let is_first = !joining.is_authenticated && !request.is_retry();
        let configured = self.config.password.clone().filter(|_| is_first);
        let deadline = self.clock.now() + self.config.password_timeout;
        self.state = SessionState::Authenticating { deadline };
        match configured {
            Some(password) => self.send_password(&password)?,
            None => {
                self.events.push(Event::PasswordRequested { request, message: plain(packet) });
            }
        }
        Ok(())
    }

    /// Sends the password that the server requested. The caller must check that a request is open.
    pub(super) fn send_password(&mut self, password: &str) -> Result<(), QueueError> {
        self.send(SessionPacket::AuthenticationReply, &[("password", password.into())])?;
        let deadline = self.clock.now() + self.config.login_timeout;
        self.state = SessionState::Joining(Joining::authenticated(deadline));
        Ok(())
    }

    fn on_join_reply(&mut self, packet: &PacketRef<'_>) -> Result<DecoderAction, CloseReason> {
        if !matches!(self.state, SessionState::Joining(_) | SessionState::Authenticating { .. }) {
            return Err(self.unexpected(SessionPacket::JoinReply));
        }
        let message = plain(packet);
        let theirs = Capabilities::parse(&packet.text("capability"));
        if !packet.flag("you_can_join") {
            let capabilities = theirs.ok().filter(|theirs| !theirs.as_str().is_empty());
            let missing = capabilities.as_ref().and_then(|it| self.capabilities.check_compatible(it).err());
            return Err(CloseReason::Refused { message, missing, capabilities });
        }
        let theirs = theirs?;
        self.capabilities.check_compatible(&theirs)?;
        let definition = self.config.definition.for_connection(&self.capabilities, &theirs);
        self.config.definition = definition.map_err(|version| CloseReason::UnknownVersion { version })?;
        self.encoder.set_definition(&self.config.definition);
        let active = self.capabilities.active(&theirs, &self.config.definition.protocol().capabilities);
        self.encoder.set_capabilities(&active);
        let active = active.into_iter().map(str::to_owned).collect();
        self.queue.joined(self.config.compression.is_some());
        let (connection, now) = (packet.int("conn_id"), self.clock.now());
        self.state = SessionState::Playing(Playing {
            connection,
            role: PlayerRole::DETACHED,
            idle_at: now + self.config.idle_timeout,
            heartbeat_at: self.config.heartbeat.map(|interval| now + interval),
        });
        self.send_client_info()?;
        let challenge_file = packet.text("challenge_file");
        let joined = Joined { connection, message, capabilities: theirs, challenge_file };
        self.events.push(Event::Joined(Box::new(joined)));
        Ok(DecoderAction::SetVersion(self.config.definition.clone(), active))
    }

    fn send_client_info(&mut self) -> Result<(), QueueError> {
        let Some(info) = self.config.client_info.clone() else { return Ok(()) };
        let fields = [
            ("gui", Value::Int(info.gui.into())),
            ("emerg_version", Value::Int(info.emergency_version.into())),
            ("distribution", info.distribution.as_str().into()),
        ];
        self.send(SessionPacket::ClientInfo, &fields)
    }

    fn on_conn_info(&mut self, packet: &PacketRef<'_>) -> DecoderAction {
        let SessionState::Playing(playing) = &mut self.state else { return DecoderAction::Nothing };
        if packet.int("id") != playing.connection {
            return DecoderAction::Nothing;
        }
        let role = PlayerRole::from_conn_info(packet, self.config.definition.no_player());
        let before = core::mem::replace(&mut playing.role, role);
        if role != before {
            self.events.push(Event::RoleChanged(role));
        }
        if !before.forgets_game_for(role) {
            return DecoderAction::Nothing;
        }
        self.encoder.forget_game_info();
        DecoderAction::ForgetGame
    }

    fn unexpected(&self, kind: SessionPacket) -> CloseReason {
        CloseReason::Unexpected { packet: kind.name(), phase: self.state.phase().unwrap_or(Phase::Playing) }
    }
}
