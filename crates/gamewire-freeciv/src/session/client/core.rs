use ::core::time::Duration;
use std::collections::VecDeque;

use gamewire_machine::Instant;

use super::stage::{Authenticating, Closed, Joining, Playing, Stage};
use super::{ClientConfig, Event, Joined, PasswordRequest, Reason};
use crate::delta::{DeltaError, Direction, Value};
use crate::session::codec::{Encoder, Kind, Received};
use crate::session::link::Link;
use crate::session::request::Requests;
use crate::session::{Capabilities, Role};

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
    pub(super) link: Link,
    pub(super) requests: Requests,
    pub(super) stage: Stage,
    pub(super) events: VecDeque<Event>,
    said: Option<(Instant, String)>,
}

/// What the reading side is to do behind a packet.
pub(super) enum After {
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
        let mut link = Link::new(config.compression.unwrap_or_default());
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
        let sent = encoder.encode_own(Kind::JoinRequest, &request, &mut link.body)?;
        if sent.is_some_and(|number| link.write(number).is_ok()) {
            requests.sent();
        }
        let deadline = now + config.login_deadline;
        let joining = Joining { deadline, bytes: 0, is_answered: false, is_authenticated: false };
        let stage = Stage::Joining(joining);
        let (events, said) = (VecDeque::new(), None);
        Ok(Self { config, capabilities, encoder, link, requests, stage, events, said })
    }

    /// So many bytes arrived.
    pub(super) fn heard(&mut self, now: Instant, count: usize) {
        match &mut self.stage {
            Stage::Joining(joining) => {
                joining.bytes = joining.bytes.saturating_add(count);
                if joining.bytes >= PROGRESS {
                    joining.bytes = 0;
                    joining.deadline = now + self.config.login_deadline;
                }
            }
            Stage::Playing(playing) => playing.silent_at = now + self.config.silence,
            Stage::Authenticating(_) | Stage::Closed(_) => {}
        }
    }

    /// Does what a packet asks for.
    pub(super) fn hear(
        &mut self,
        now: Instant,
        packet: &Received<'_>,
        receive: &mut impl FnMut(Event<Received<'_>>),
    ) -> Result<After, Reason> {
        let Some(kind) = self.config.definition.kind(packet.number()) else { return Ok(After::Nothing) };
        match kind {
            Kind::ProcessingStarted => {
                self.requests.started().into_iter().for_each(|request| receive(Event::Started(request)));
            }
            Kind::ProcessingFinished => {
                self.requests.finished().into_iter().for_each(|request| receive(Event::Finished(request)));
            }
            Kind::Ping => self.send(Kind::Pong, &[])?,
            Kind::ServerInfo => {
                if let Stage::Joining(joining) = &mut self.stage
                    && !joining.is_answered
                {
                    joining.is_answered = true;
                    joining.deadline = now + self.config.login_deadline;
                }
            }
            Kind::AuthenticationRequest => self.asked(now, packet, receive)?,
            Kind::JoinReply => return self.replied(now, packet, receive),
            Kind::ConnectionInfo => return Ok(self.informed(packet, receive)),
            Kind::Chat | Kind::ConnectMessage => self.said = Some((now, packet.text("message"))),
            Kind::ServerShutdown => return Err(Reason::Shutdown),
            // The other side's.
            Kind::JoinRequest
            | Kind::AuthenticationReply
            | Kind::Pong
            | Kind::ClientInfo
            | Kind::Heartbeat => {}
        }
        Ok(After::Nothing)
    }

    /// The server asks for a password.
    fn asked(
        &mut self,
        now: Instant,
        packet: &Received<'_>,
        receive: &mut impl FnMut(Event<Received<'_>>),
    ) -> Result<(), Reason> {
        let Stage::Joining(joining) = &self.stage else {
            return Err(self.unexpected(Kind::AuthenticationRequest));
        };
        let request = PasswordRequest::from_number(packet.int("type"));
        let request = request.ok_or_else(|| self.unexpected(Kind::AuthenticationRequest))?;
        let configured =
            self.config.password.clone().filter(|_| !joining.is_authenticated && !request.is_again());
        self.stage = Stage::Authenticating(Authenticating { deadline: now + self.config.password_deadline });
        match configured {
            Some(password) => self.answer(now, &password),
            None => {
                receive(Event::PasswordWanted { request, message: packet.text("message") });
                Ok(())
            }
        }
    }

    /// Sends a password, if one is asked for.
    pub(super) fn answer(&mut self, now: Instant, password: &str) -> Result<(), Reason> {
        if let Stage::Authenticating(_) = self.stage {
            self.send(Kind::AuthenticationReply, &[("password", text(password))])?;
            let deadline = now + self.config.login_deadline;
            let joining = Joining { deadline, bytes: 0, is_answered: true, is_authenticated: true };
            self.stage = Stage::Joining(joining);
        }
        Ok(())
    }

    /// The server lets the client in, or does not.
    fn replied(
        &mut self,
        now: Instant,
        packet: &Received<'_>,
        receive: &mut impl FnMut(Event<Received<'_>>),
    ) -> Result<After, Reason> {
        if !matches!(self.stage, Stage::Joining(_) | Stage::Authenticating(_)) {
            return Err(self.unexpected(Kind::JoinReply));
        }
        let message = packet.text("message");
        let theirs = Capabilities::parse(&packet.text("capability"));
        if !packet.flag("you_can_join") {
            let lack = theirs.ok().filter(|theirs| !theirs.as_str().is_empty());
            let lack = lack.and_then(|theirs| self.capabilities.agree(&theirs).err());
            return Err(Reason::Refused { message, lack });
        }
        let theirs = theirs?;
        self.capabilities.agree(&theirs)?;
        let active = self.capabilities.active(&theirs, &self.config.definition.protocol().capabilities);
        self.encoder.set_capabilities(&active);
        let active = active.into_iter().map(str::to_owned).collect();
        self.link.joined(self.config.compression.is_some());
        let connection = packet.int("conn_id");
        self.stage = Stage::Playing(Playing {
            connection,
            role: Role::DETACHED,
            silent_at: now + self.config.silence,
            heartbeat_at: self.config.heartbeat.map(|span| now + span),
        });
        if let Some(info) = self.config.client_info.clone() {
            let fields = [
                ("gui", Value::Int(info.gui.into())),
                ("emerg_version", Value::Int(info.emergency_version.into())),
                ("distribution", text(&info.distribution)),
            ];
            self.send(Kind::ClientInfo, &fields)?;
        }
        receive(Event::Joined(Box::new(Joined { connection, message, capabilities: theirs })));
        Ok(After::Agreed(active))
    }

    /// The server tells of a connection.
    fn informed(&mut self, packet: &Received<'_>, receive: &mut impl FnMut(Event<Received<'_>>)) -> After {
        let Stage::Playing(playing) = &mut self.stage else { return After::Nothing };
        if packet.int("id") != playing.connection {
            return After::Nothing;
        }
        let role = Role::of(packet, &self.config.definition);
        let before = core::mem::replace(&mut playing.role, role);
        if role != before {
            receive(Event::RoleChanged(role));
        }
        if !before.forgets_game_for(role) {
            return After::Nothing;
        }
        self.encoder.forget_game_info();
        After::Forget
    }

    /// Sends a packet of the client's own.
    fn send(&mut self, kind: Kind, fields: &[(&str, Value)]) -> Result<(), Reason> {
        let limit = self.config.send_queue;
        if self.link.waiting() >= limit {
            return Err(Reason::SendQueue { limit });
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
            Stage::Joining(joining) if joining.deadline <= now => self.late(self.config.login_deadline),
            Stage::Authenticating(waiting) if waiting.deadline <= now => {
                self.late(self.config.password_deadline)
            }
            Stage::Playing(playing) if playing.silent_at <= now => {
                Some(Reason::Silent { after: self.config.silence })
            }
            Stage::Playing(playing) => match (playing.heartbeat_at, self.config.heartbeat) {
                (Some(at), Some(span)) if at <= now => {
                    playing.heartbeat_at = Some(now + span.max(Duration::from_millis(1)));
                    self.send(Kind::Heartbeat, &[]).err()
                }
                _ => None,
            },
            Stage::Joining(_) | Stage::Authenticating(_) | Stage::Closed(_) => None,
        };
        if let Some(reason) = reason {
            self.close(reason);
        }
    }

    fn late(&self, after: Duration) -> Option<Reason> {
        self.stage.phase().map(|phase| Reason::LoginDeadline { phase, after })
    }

    fn unexpected(&self, kind: Kind) -> Reason {
        let phase = self.stage.phase().unwrap_or(super::Phase::Playing);
        Reason::Unexpected { packet: kind.name(), phase }
    }

    /// Why it is over when the server ends the stream now.
    pub(super) fn ended(&self, now: Instant, is_cut: bool) -> Option<Reason> {
        let phase = self.stage.phase()?;
        let last_words = self.said.as_ref().filter(|(at, _)| now.since(*at) <= LAST_WORDS);
        Some(Reason::Ended { phase, is_cut, last_words: last_words.map(|(_, words)| words.clone()) })
    }

    /// It is over, if it is not yet.
    pub(super) fn close(&mut self, reason: Reason) {
        if !matches!(self.stage, Stage::Closed(_)) {
            self.stage = Stage::Closed(Closed { reason, is_told: false });
        }
    }
}

pub(super) fn text(text: &str) -> Value {
    Value::Text(text.as_bytes().to_vec())
}
