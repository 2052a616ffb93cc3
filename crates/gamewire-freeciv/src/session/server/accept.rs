use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use gamewire_machine::{StreamId, limited_network};

use super::peer::{Peer, PeerResult};
use super::state::{PeerState, User};
use super::{ClientId, CloseReason, Event, LoginPolicy, Server};
use crate::delta::Value;
use crate::session::codec::SessionPacket;
use crate::session::{Capabilities, check_name, same_name};

impl Server {
    /// Adds a peer for a stream. Closes the stream if the server or the event queue is full.
    pub(super) fn on_open(&mut self, stream: StreamId, from: SocketAddr) {
        if self.peers.client_of(stream).is_some() || self.closing.contains_key(&stream) {
            return;
        }
        if self.events.is_full() {
            return self.close_stream(stream, Vec::new());
        }
        let network = limited_network(from.ip());
        if let Some(idle) = self.replaced_by(network) {
            self.close(idle, CloseReason::Refused("another client connects".to_owned()));
        }
        let id = if self.has_room(network) { self.peers.allocate_id() } else { None };
        match id {
            Some(id) => {
                let (settings, now) = (Arc::clone(&self.settings), self.clock.now());
                self.peers.insert(Peer::new(settings, id, stream, network, now));
                self.update(id, |_| Ok(None));
            }
            None => self.close_stream(stream, Vec::new()),
        }
    }

    fn has_room(&self, network: IpAddr) -> bool {
        let config = self.config();
        self.peers.len() < config.max_clients
            && self.peers.half_open() < config.max_half_open
            && self.peers.count_from(network) < config.max_per_ip
    }

    /// Returns the client that a new one from `network` replaces, if there are too many: the client that has sent no
    /// join request for the longest time, of this network or of all.
    fn replaced_by(&self, network: IpAddr) -> Option<ClientId> {
        let config = self.config();
        let is_near_full = self.peers.count_from(network) >= config.max_per_ip;
        let is_full =
            self.peers.half_open() >= config.max_half_open || self.peers.len() >= config.max_clients;
        if !is_near_full && !is_full {
            return None;
        }
        self.peers.oldest_joining(|peer| !is_near_full || peer.network == network)
    }

    /// Checks a join request: first the capabilities, then the name, then the login policy.
    pub(super) fn on_join_request(&mut self, client: ClientId, name: String, capabilities: &str) {
        let error = self.name_error(&name);
        let now = self.clock.now();
        let settings = Arc::clone(&self.settings);
        let theirs = Capabilities::parse(capabilities).map_err(|error| error.to_string());
        let agreed = theirs.and_then(|theirs| {
            let agreed = settings.capabilities.check_compatible(&theirs);
            agreed.map(|()| theirs).map_err(|missing| missing.to_string())
        });
        let config = &settings.config;
        self.update(client, |peer| {
            let capabilities = match agreed {
                Ok(capabilities) => capabilities,
                Err(message) => return peer.refuse(message),
            };
            peer.send_server_info(config)?;
            if let Some(message) = error {
                return peer.refuse(message);
            }
            if let Some(message) = &config.connect_message {
                peer.send(SessionPacket::ConnectMessage, &[("message", message.as_str().into())])?;
            }
            peer.is_announced = true;
            let user = User { name, capabilities };
            match config.login_policy {
                LoginPolicy::Open => peer.join(user, now),
                LoginPolicy::Application => {
                    let event = Event::LoginRequested { client, name: user.name.clone() };
                    peer.state = PeerState::Deciding { user, deadline: now + config.password_timeout };
                    Ok(Some(event))
                }
            }
        });
    }

    /// Returns the reason why no client can join with this name, or `None` if one can.
    fn name_error(&self, name: &str) -> Option<String> {
        if let Err(error) = check_name(name) {
            return Some(error.to_string());
        }
        let mut users = self.peers.iter().filter_map(|peer| peer.state.user());
        let is_taken = users.any(|user| same_name(&user.name, name));
        is_taken.then(|| format!("the name {name} is taken"))
    }
}

impl Peer {
    fn send_server_info(&mut self, config: &super::ServerConfig) -> PeerResult {
        let version = &config.version;
        let [major, minor, patch] = version.numbers.map(|number| Value::Int(number.into()));
        let info = [
            ("version_label", version.label.as_str().into()),
            ("major_version", major),
            ("minor_version", minor),
            ("patch_version", patch),
        ];
        self.send(SessionPacket::ServerInfo, &info).map(|()| None)
    }
}
