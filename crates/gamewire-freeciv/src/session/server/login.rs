use std::collections::VecDeque;

use gamewire_machine::{Instant, StreamId};

use super::peer::Peer;
use super::stage::{PeerState, Ping, Playing, User};
use super::{CloseReason, Event, LoginPolicy, Server, ServerConfig};
use crate::delta::Value;
use crate::session::codec::{PacketBuf, SessionPacket};
use crate::session::{Capabilities, PlayerRole, check_name, same_name};

impl Server {
    /// A client sent its join request.
    pub(super) fn on_join_request(
        &mut self,
        stream: StreamId,
        packet: &PacketBuf,
    ) -> Result<(), CloseReason> {
        let name = packet.text("username");
        let fault = check_name(&name).err().map(|fault| fault.to_string()).or_else(|| {
            let is_taken = self
                .peers
                .values()
                .any(|peer| peer.stage.user().is_some_and(|user| same_name(&user.name, &name)));
            is_taken.then(|| format!("the name {name} is taken"))
        });
        let Some(peer) = self.peers.get_mut(&stream) else { return Ok(()) };
        peer.start()?;
        let theirs = Capabilities::parse(&packet.text("capability"));
        let agreed = theirs.map_err(|error| error.to_string()).and_then(|theirs| {
            let agreed = self.capabilities.check_compatible(&theirs).map_err(|lack| lack.to_string());
            agreed.map(|()| theirs)
        });
        let capabilities = match agreed {
            Ok(capabilities) => capabilities,
            Err(message) => return peer.refuse(&self.capabilities, message),
        };
        let version = &self.config.version;
        let [major, minor, patch] = version.numbers.map(|number| Value::Int(number.into()));
        let info = [
            ("version_label", Value::Text(version.label.clone().into_bytes())),
            ("major_version", major),
            ("minor_version", minor),
            ("patch_version", patch),
        ];
        peer.send(SessionPacket::ServerInfo, &info)?;
        if let Some(message) = fault {
            return peer.refuse(&self.capabilities, message);
        }
        if let Some(message) = &self.config.connect_message {
            peer.send(SessionPacket::ConnectMessage, &[("message", text(message))])?;
        }
        peer.is_announced = true;
        let user = User { name, capabilities };
        match self.config.admission {
            LoginPolicy::Open => {
                peer.join(&self.config, &self.capabilities, user, self.now, &mut self.events)
            }
            LoginPolicy::Application => {
                self.events.push_back(Event::LoginRequested { client: peer.id, name: user.name.clone() });
                peer.stage = PeerState::Deciding { user, deadline: self.now + self.config.password_deadline };
                Ok(())
            }
        }
    }
}

impl Peer {
    /// Lets the client in.
    pub(super) fn join(
        &mut self,
        config: &ServerConfig,
        ours: &Capabilities,
        user: User,
        now: Instant,
        events: &mut VecDeque<Event>,
    ) -> Result<(), CloseReason> {
        let reply = [
            ("you_can_join", Value::Bool(true)),
            ("message", text(&config.welcome)),
            ("capability", text(ours.as_str())),
            ("conn_id", Value::Int(self.id.0.into())),
        ];
        self.send(SessionPacket::JoinReply, &reply)?;
        self.splitter.use_wide_types();
        self.splitter.set_limits(config.frame_limits);
        let active = ours.active(&user.capabilities, &config.definition.protocol().capabilities);
        self.encoder.set_capabilities(&active);
        self.decoder.set_capabilities(&active);
        let (name, capabilities) = (user.name.clone(), user.capabilities.clone());
        self.stage = PeerState::Playing(Playing {
            user,
            role: PlayerRole::DETACHED,
            is_introduced: false,
            ping: Ping { next: now + config.ping_interval, since: None, took: None },
            waiting: VecDeque::new(),
        });
        events.push_back(Event::Joined { client: self.id, name, capabilities });
        Ok(())
    }

    /// Turns the client away: the reason for which it is gone then.
    pub(super) fn refuse(&mut self, ours: &Capabilities, message: String) -> Result<(), CloseReason> {
        let reply = [
            ("you_can_join", Value::Bool(false)),
            ("message", text(&message)),
            ("capability", text(ours.as_str())),
            ("conn_id", Value::Int(-1)),
        ];
        self.send(SessionPacket::JoinReply, &reply)?;
        self.finish()?;
        Err(CloseReason::Refused(message))
    }

    /// Asks for a password.
    pub(super) fn ask(&mut self, request: i64, message: &str) -> Result<(), CloseReason> {
        let question = [("type", Value::Int(request)), ("message", text(message))];
        self.send(SessionPacket::AuthenticationRequest, &question)?;
        self.finish()
    }

    /// The client answered with a password.
    pub(super) fn on_auth_reply(
        &mut self,
        packet: &PacketBuf,
        events: &mut VecDeque<Event>,
    ) -> Result<(), CloseReason> {
        let stage = core::mem::replace(&mut self.stage, PeerState::Closed);
        let PeerState::Authenticating { user, tries } = stage else {
            self.stage = stage;
            return Ok(());
        };
        let (request, password) = (tries.request, packet.text("password"));
        self.stage = PeerState::Checking { user, tries };
        self.start()?;
        events.push_back(Event::Password { client: self.id, request, password });
        Ok(())
    }
}

pub(super) fn text(text: &str) -> Value {
    Value::Text(text.as_bytes().to_vec())
}
