use ::core::time::Duration;
use std::collections::VecDeque;

use gamewire_machine::Instant;

use super::stage::{Authenticating, Closed, Joining, Playing, SessionState};
use super::{ClientConfig, CloseReason, Event, Joined, PasswordRequest};
use crate::delta::{DeltaError, Direction, Value};
use crate::session::codec::{Encoder, PacketRef, SessionPacket};
use crate::session::link::PacketQueue;
use crate::session::request::Requests;
use crate::session::{Capabilities, PlayerRole};

/// So many bytes are progress while logging in, whatever they are.
const PROGRESS: usize = 4096;
/// So long before the end the server's words are its last ones.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// All of a client but what lends packets.
#[derive(Debug)]
pub(super) struct Core {
    pub(super) config: ClientConfig,
    pub(super) capabilities: Capabilities,
    pub(super) encoder: Encoder,
    pub(super) link: PacketQueue,
    pub(super) requests: Requests,
    pub(super) stage: SessionState,
    pub(super) events: VecDeque<Event>,
    last_message: Option<(Instant, String)>,
}

/// What the reading side is to do behind a packet.
pub(super) enum DecoderAction {
    Nothing,
    /// These capabilities are agreed on.
    Agreed(Vec<String>),
    /// The game is to be forgotten.
    Forget,
}

impl Core {
    pub(super) fn new(
        config: ClientConfig,
        capabilities: Capabilities,
        now: Instant,
    ) -> Result<Self, Box<DeltaError>> {
        let mut encoder = Encoder::new(&config.definition, Direction::ToServer, config.delta_limits);
        let mut link = PacketQueue::new(config.compression.unwrap_or_default());
        let mut requests = Requests::new();
        let number = |number: u32| Value::Int(number.into());
        let [major, minor, patch] = config.version.numbers;
        let request = [
            ("username", text(&config.name)),
            ("capability", text(&config.capabilities)),
            ("version_label", text(&config.version.label)),
            ("major_version", number(major)),
            ("minor_version", number(minor)),
            ("patch_version", number(patch)),
        ];
        let sent = encoder.encode_own(SessionPacket::JoinRequest, &request, &mut link.body)?;
        if sent.is_some_and(|number| link.write(number).is_ok()) {
            requests.sent();
        }
        let deadline = now + config.login_timeout;
        let joining = Joining { deadline, bytes: 0, is_answered: false, is_authenticated: false };
        let stage = SessionState::Joining(joining);
        let (events, said) = (VecDeque::new(), None);
        Ok(Self { config, capabilities, encoder, link, requests, stage, events, last_message: said })
    }

    /// So many bytes arrived.
    pub(super) fn on_bytes(&mut self, now: Instant, count: usize) {
        match &mut self.stage {
            SessionState::Joining(joining) => {
                joining.bytes = joining.bytes.saturating_add(count);
                if joining.bytes >= PROGRESS {
                    joining.bytes = 0;
                    joining.deadline = now + self.config.login_timeout;
                }
            }
            SessionState::Playing(playing) => playing.silent_at = now + self.config.idle_timeout,
            SessionState::Authenticating(_) | SessionState::Closed(_) => {}
        }
    }

    /// Does what a packet asks for.
    pub(super) fn handle_packet(
        &mut self,
        now: Instant,
        packet: &PacketRef<'_>,
        receive: &mut impl FnMut(Event<PacketRef<'_>>),
    ) -> Result<DecoderAction, CloseReason> {
        let Some(kind) = self.config.definition.kind(packet.number()) else {
            return Ok(DecoderAction::Nothing);
        };
        match kind {
            SessionPacket::ProcessingStarted => {
                self.requests.started().into_iter().for_each(|request| receive(Event::Started(request)));
            }
            SessionPacket::ProcessingFinished => {
                self.requests.finished().into_iter().for_each(|request| receive(Event::Finished(request)));
            }
            SessionPacket::Ping => self.send(SessionPacket::Pong, &[])?,
            SessionPacket::ServerInfo => {
                if let SessionState::Joining(joining) = &mut self.stage
                    && !joining.is_answered
                {
                    joining.is_answered = true;
                    joining.deadline = now + self.config.login_timeout;
                }
            }
            SessionPacket::AuthenticationRequest => self.on_auth_request(now, packet, receive)?,
            SessionPacket::JoinReply => return self.on_join_reply(now, packet, receive),
            SessionPacket::ConnectionInfo => return Ok(self.on_conn_info(packet, receive)),
            SessionPacket::Chat | SessionPacket::ConnectMessage => {
                self.last_message = Some((now, packet.text("message")))
            }
            SessionPacket::ServerShutdown => return Err(CloseReason::Shutdown),
            // The other side's.
            SessionPacket::JoinRequest
            | SessionPacket::AuthenticationReply
            | SessionPacket::Pong
            | SessionPacket::ClientInfo
            | SessionPacket::Heartbeat => {}
        }
        Ok(DecoderAction::Nothing)
    }

    /// The server asks for a password.
    fn on_auth_request(
        &mut self,
        now: Instant,
        packet: &PacketRef<'_>,
        receive: &mut impl FnMut(Event<PacketRef<'_>>),
    ) -> Result<(), CloseReason> {
        let SessionState::Joining(joining) = &self.stage else {
            return Err(self.unexpected(SessionPacket::AuthenticationRequest));
        };
        let request = PasswordRequest::from_number(packet.int("type"));
        let request = request.ok_or_else(|| self.unexpected(SessionPacket::AuthenticationRequest))?;
        let configured =
            self.config.password.clone().filter(|_| !joining.is_authenticated && !request.is_again());
        self.stage =
            SessionState::Authenticating(Authenticating { deadline: now + self.config.password_timeout });
        match configured {
            Some(password) => self.send_password(now, &password),
            None => {
                receive(Event::PasswordWanted { request, message: packet.text("message") });
                Ok(())
            }
        }
    }

    /// Sends a password, if one is asked for.
    pub(super) fn send_password(&mut self, now: Instant, password: &str) -> Result<(), CloseReason> {
        if let SessionState::Authenticating(_) = self.stage {
            self.send(SessionPacket::AuthenticationReply, &[("password", text(password))])?;
            let deadline = now + self.config.login_timeout;
            let joining = Joining { deadline, bytes: 0, is_answered: true, is_authenticated: true };
            self.stage = SessionState::Joining(joining);
        }
        Ok(())
    }

    /// The server lets the client in, or does not.
    fn on_join_reply(
        &mut self,
        now: Instant,
        packet: &PacketRef<'_>,
        receive: &mut impl FnMut(Event<PacketRef<'_>>),
    ) -> Result<DecoderAction, CloseReason> {
        if !matches!(self.stage, SessionState::Joining(_) | SessionState::Authenticating(_)) {
            return Err(self.unexpected(SessionPacket::JoinReply));
        }
        let message = packet.text("message");
        let theirs = Capabilities::parse(&packet.text("capability"));
        if !packet.flag("you_can_join") {
            let lack = theirs.ok().filter(|theirs| !theirs.as_str().is_empty());
            let lack = lack.and_then(|theirs| self.capabilities.check_compatible(&theirs).err());
            return Err(CloseReason::Refused { message, lack });
        }
        let theirs = theirs?;
        self.capabilities.check_compatible(&theirs)?;
        let active = self.capabilities.active(&theirs, &self.config.definition.protocol().capabilities);
        self.encoder.set_capabilities(&active);
        let active = active.into_iter().map(str::to_owned).collect();
        self.link.joined(self.config.compression.is_some());
        let connection = packet.int("conn_id");
        self.stage = SessionState::Playing(Playing {
            connection,
            role: PlayerRole::DETACHED,
            silent_at: now + self.config.idle_timeout,
            heartbeat_at: self.config.heartbeat.map(|span| now + span),
        });
        if let Some(info) = self.config.client_info.clone() {
            let fields = [
                ("gui", Value::Int(info.gui.into())),
                ("emerg_version", Value::Int(info.emergency_version.into())),
                ("distribution", text(&info.distribution)),
            ];
            self.send(SessionPacket::ClientInfo, &fields)?;
        }
        receive(Event::Joined(Box::new(Joined { connection, message, capabilities: theirs })));
        Ok(DecoderAction::Agreed(active))
    }

    /// The server tells of a connection.
    fn on_conn_info(
        &mut self,
        packet: &PacketRef<'_>,
        receive: &mut impl FnMut(Event<PacketRef<'_>>),
    ) -> DecoderAction {
        let SessionState::Playing(playing) = &mut self.stage else { return DecoderAction::Nothing };
        if packet.int("id") != playing.connection {
            return DecoderAction::Nothing;
        }
        let role = PlayerRole::of(packet, &self.config.definition);
        let before = core::mem::replace(&mut playing.role, role);
        if role != before {
            receive(Event::RoleChanged(role));
        }
        if !before.forgets_game_for(role) {
            return DecoderAction::Nothing;
        }
        self.encoder.forget_game_info();
        DecoderAction::Forget
    }

    /// Sends a packet of the client's own.
    fn send(&mut self, kind: SessionPacket, fields: &[(&str, Value)]) -> Result<(), CloseReason> {
        let limit = self.config.max_send_queue_bytes;
        if self.link.waiting() >= limit {
            return Err(CloseReason::SendQueue { limit });
        }
        self.link.body.clear();
        if let Some(number) = self.encoder.encode_own(kind, fields, &mut self.link.body)? {
            self.link.write(number)?;
            self.requests.sent();
        }
        Ok(())
    }

    pub(super) fn handle_timeout(&mut self, now: Instant) {
        let reason = match &mut self.stage {
            SessionState::Joining(joining) if joining.deadline <= now => self.late(self.config.login_timeout),
            SessionState::Authenticating(waiting) if waiting.deadline <= now => {
                self.late(self.config.password_timeout)
            }
            SessionState::Playing(playing) if playing.silent_at <= now => {
                Some(CloseReason::Silent { after: self.config.idle_timeout })
            }
            SessionState::Playing(playing) => match (playing.heartbeat_at, self.config.heartbeat) {
                (Some(at), Some(span)) if at <= now => {
                    playing.heartbeat_at = Some(now + span.max(Duration::from_millis(1)));
                    self.send(SessionPacket::Heartbeat, &[]).err()
                }
                _ => None,
            },
            SessionState::Joining(_) | SessionState::Authenticating(_) | SessionState::Closed(_) => None,
        };
        if let Some(reason) = reason {
            self.close(reason);
        }
    }

    fn late(&self, after: Duration) -> Option<CloseReason> {
        self.stage.phase().map(|phase| CloseReason::LoginDeadline { phase, after })
    }

    fn unexpected(&self, kind: SessionPacket) -> CloseReason {
        let phase = self.stage.phase().unwrap_or(super::Phase::Playing);
        CloseReason::Unexpected { packet: kind.name(), phase }
    }

    /// Why it is over when the server ends the stream now.
    pub(super) fn ended(&self, now: Instant, is_cut: bool) -> Option<CloseReason> {
        let phase = self.stage.phase()?;
        let last_words = self.last_message.as_ref().filter(|(at, _)| now.since(*at) <= LAST_WORDS);
        Some(CloseReason::Ended {
            phase,
            mid_packet: is_cut,
            last_message: last_words.map(|(_, words)| words.clone()),
        })
    }

    /// It is over, if it is not yet.
    pub(super) fn close(&mut self, reason: CloseReason) {
        if !matches!(self.stage, SessionState::Closed(_)) {
            self.stage = SessionState::Closed(Closed { reason, is_told: false });
        }
    }
}

pub(super) fn text(text: &str) -> Value {
    Value::Text(text.as_bytes().to_vec())
}
