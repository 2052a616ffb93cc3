use std::sync::Arc;

use gamewire_wire::Warning;

use super::definition::{Definition, Definitions, JOIN_REQUEST, dialect, version_word};
use super::direction::PacketEffect;
use super::warning;
use crate::delta::{Decoded, Direction, RoleTracker, Variants, active_capabilities, has_capability};
use crate::frame::JOIN_REPLY;

/// The state that both directions share.
#[derive(Debug)]
pub(super) struct SharedState {
    definitions: Arc<Definitions>,
    pub(super) definition: Arc<Definition>,
    /// The client's capabilities, as known at this time.
    client: ClientCapabilities,
    /// True if both directions are observed.
    is_whole: bool,
    /// The negotiated capabilities: those that both sides have.
    pub(super) active: Vec<String>,
    /// The capability that names the version.
    pub(super) version: String,
    pub(super) dialect: Option<&'static str>,
    role_tracker: RoleTracker,
    pub(super) is_joined: bool,
    /// The client's join request, and the server's reply if it accepts the client.
    pub(super) request: Vec<u8>,
    pub(super) reply: Vec<u8>,
}

/// The client's capabilities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ClientCapabilities {
    /// Nothing is known: all capabilities are assumed.
    Unknown,
    /// The user configured them.
    Configured(String),
    /// The client announced them in its join request.
    Announced(String),
}

impl SharedState {
    /// Creates the state before the first packet. `is_whole` is true if both directions are observed.
    pub(super) fn new(definitions: Arc<Definitions>, is_whole: bool, client: ClientCapabilities) -> Self {
        // Without the client's request, any definition can decode the packets up to the reply.
        let first = if is_whole { None } else { definitions.iter().next() };
        let definition = Arc::clone(first.unwrap_or(&definitions.handshake));
        let role_tracker = definition.role_tracker;
        Self {
            definitions,
            definition,
            client,
            is_whole,
            active: Vec::new(),
            version: String::new(),
            dialect: None,
            role_tracker,
            is_joined: false,
            request: Vec::new(),
            reply: Vec::new(),
        }
    }

    /// Returns whether the version is known. If it is, unknown packets are errors.
    pub(super) fn is_version_known(&self) -> bool {
        !Arc::ptr_eq(&self.definition, &self.definitions.handshake)
    }

    /// Returns the effect of a packet with these bytes, and a warning if there is one.
    pub(super) fn observe(
        &mut self,
        direction: Direction,
        packet: &Decoded<'_>,
        bytes: &[u8],
    ) -> (PacketEffect, Option<Warning>) {
        let number = packet.packet().number;
        let capability = || {
            let text = packet.value("capability").and_then(|value| value.as_text());
            String::from_utf8_lossy(text.unwrap_or_default()).into_owned()
        };
        match (direction, number) {
            (Direction::ToServer, JOIN_REQUEST) => {
                self.request = bytes.to_vec();
                self.on_request(capability())
            }
            (Direction::ToClient, JOIN_REPLY) => {
                self.role_tracker.observe(packet);
                let is_accepted = packet.value("you_can_join").and_then(|value| value.as_int()) == Some(1);
                if is_accepted {
                    self.reply = bytes.to_vec();
                    self.on_reply(&capability())
                } else {
                    (PacketEffect::Followed, None)
                }
            }
            (Direction::ToClient, _) if self.role_tracker.observe(packet) => (PacketEffect::ForgetGame, None),
            _ => (PacketEffect::Followed, None),
        }
    }

    fn on_request(&mut self, capability: String) -> (PacketEffect, Option<Warning>) {
        let warning = self.select_definition(&capability);
        // Without the reply, assume that the server has all capabilities of the client.
        let variants = (!self.is_whole).then(|| self.negotiate(&capability, &capability));
        self.client = ClientCapabilities::Announced(capability);
        (PacketEffect::Negotiated { definition: Some(Arc::clone(&self.definition)), variants }, warning)
    }

    fn on_reply(&mut self, server: &str) -> (PacketEffect, Option<Warning>) {
        self.is_joined = true;
        let is_asked = matches!(self.client, ClientCapabilities::Announced(_));
        let before = Arc::clone(&self.definition);
        // A client can offer several versions. The server's reply names one of them.
        let is_offered = match &self.client {
            ClientCapabilities::Announced(offer) => {
                version_word(server).is_some_and(|word| has_capability(offer, word.trim_start_matches('+')))
            }
            ClientCapabilities::Unknown | ClientCapabilities::Configured(_) => true,
        };
        let unknown = if is_offered { self.select_definition(server) } else { None };
        let mut warning = unknown.filter(|_| !is_asked);
        let client = match &self.client {
            ClientCapabilities::Unknown => server.to_owned(),
            ClientCapabilities::Configured(known) | ClientCapabilities::Announced(known) => known.clone(),
        };
        if self.client == ClientCapabilities::Unknown && self.is_whole && warning.is_none() {
            warning = Some(warning::ASSUMED_CAPABILITIES);
        }
        let variants = Some(self.negotiate(&client, server));
        let definition = (!Arc::ptr_eq(&before, &self.definition)).then(|| Arc::clone(&self.definition));
        (PacketEffect::Negotiated { definition, variants }, warning)
    }

    /// Takes the state after a join packet of `direction` with all capabilities of `definition`. Returns their variants.
    pub(super) fn assume_join(
        &mut self,
        definition: &Arc<Definition>,
        direction: Direction,
    ) -> Arc<Variants> {
        let protocol = definition.protocol();
        self.version = format!("+{}-network", protocol.name);
        self.dialect = Some(dialect(&self.version));
        self.active.clone_from(&protocol.capabilities);
        self.role_tracker = definition.role_tracker;
        self.definition = Arc::clone(definition);
        // The client's own packets do not show that the server has accepted it.
        self.is_joined = direction == Direction::ToClient;
        Arc::clone(definition.with_all())
    }

    /// Selects the definition by the version in the capability string of one side.
    fn select_definition(&mut self, capability: &str) -> Option<Warning> {
        self.dialect = Some(dialect(capability));
        self.version = version_word(capability).unwrap_or_default().to_owned();
        let found = self.definitions.of_version(capability);
        let warning = found.is_none().then_some(warning::UNKNOWN_VERSION);
        let definition = Arc::clone(found.unwrap_or(&self.definitions.handshake));
        if !Arc::ptr_eq(&definition, &self.definition) {
            self.role_tracker = definition.role_tracker;
            self.definition = definition;
        }
        warning
    }

    /// Computes the capabilities that both sides have. Returns their variants.
    fn negotiate(&mut self, ours: &str, theirs: &str) -> Arc<Variants> {
        let active = active_capabilities(&self.definition.protocol().capabilities, ours, theirs);
        self.active = active.iter().map(|&name| name.to_owned()).collect();
        self.definition.variants(&active)
    }
}
