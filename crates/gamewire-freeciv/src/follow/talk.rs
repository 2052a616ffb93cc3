use std::sync::Arc;

use super::definition::{Definition, Definitions, dialect, version_word};
use super::handshake::JOIN_REQUEST;
use super::outcome::PacketEffect;
use super::warning;
use crate::delta::{Decoded, Direction, RoleTracker, active_capabilities};
use crate::frame::JOIN_REPLY;
use gamewire_wire::Warning;

/// What both directions have in common.
#[derive(Debug)]
pub(super) struct SharedState {
    definitions: Arc<Definitions>,
    pub(super) definition: Arc<Definition>,
    /// What is known of the client's capabilities.
    client: Client,
    /// Whether both directions are seen.
    is_whole: bool,
    /// Those that both sides have, once that is settled.
    pub(super) active: Vec<String>,
    /// The capability that names the version.
    pub(super) version: String,
    pub(super) dialect: Option<&'static str>,
    watch: RoleTracker,
    pub(super) is_joined: bool,
}

/// The client's capabilities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Client {
    /// All that there are, since nobody has said.
    Unknown,
    /// These, because a user says so.
    Configured(String),
    /// These, as the client has said.
    Announced(String),
}

impl SharedState {
    /// Before anything was seen; `is_whole` if both directions will be.
    pub(super) fn new(definitions: Arc<Definitions>, is_whole: bool, client: Client) -> Self {
        // Without the client's request the first definition is as good as any until the reply.
        let first = if is_whole { None } else { definitions.iter().next() };
        let definition = Arc::clone(first.unwrap_or(&definitions.handshake));
        let watch = definition.watch;
        Self {
            definitions,
            definition,
            client,
            is_whole,
            active: Vec::new(),
            version: String::new(),
            dialect: None,
            watch,
            is_joined: false,
        }
    }

    /// Whether packets that the definition does not have are an error.
    pub(super) fn is_version_known(&self) -> bool {
        !Arc::ptr_eq(&self.definition, &self.definitions.handshake)
    }

    /// What a packet changes, and what is odd about that.
    pub(super) fn notice(
        &mut self,
        direction: Direction,
        packet: &Decoded<'_>,
    ) -> (PacketEffect, Option<Warning>) {
        let number = packet.packet().number;
        let capability = || {
            let text = packet.value("capability").and_then(|value| value.as_text());
            String::from_utf8_lossy(text.unwrap_or_default()).into_owned()
        };
        match (direction, number) {
            (Direction::ToServer, JOIN_REQUEST) => self.request(capability()),
            (Direction::ToClient, JOIN_REPLY) => {
                self.watch.observe(packet);
                let is_accepted = packet.value("you_can_join").and_then(|value| value.as_int()) == Some(1);
                if is_accepted { self.reply(&capability()) } else { (PacketEffect::Followed, None) }
            }
            (Direction::ToClient, _) if self.watch.observe(packet) => (PacketEffect::ForgetGame, None),
            _ => (PacketEffect::Followed, None),
        }
    }

    fn request(&mut self, capability: String) -> (PacketEffect, Option<Warning>) {
        let odd = self.find_version(&capability);
        let definition = Arc::clone(&self.definition);
        let outcome = if self.is_whole {
            PacketEffect::Version(definition)
        } else {
            // No reply will be seen: the server is taken to be able to do all of it.
            self.set_capabilities(&capability, &capability);
            PacketEffect::Both(definition, self.variants())
        };
        self.client = Client::Announced(capability);
        (outcome, odd)
    }

    fn reply(&mut self, server: &str) -> (PacketEffect, Option<Warning>) {
        self.is_joined = true;
        let is_asked = matches!(self.client, Client::Announced(_));
        let before = Arc::clone(&self.definition);
        let mut odd = if is_asked { None } else { self.find_version(server) };
        let client = match self.client.clone() {
            Client::Unknown => server.to_owned(),
            Client::Configured(capabilities) | Client::Announced(capabilities) => capabilities,
        };
        if self.client == Client::Unknown && self.is_whole && odd.is_none() {
            odd = Some(warning::ASSUMED_CAPABILITIES);
        }
        self.set_capabilities(&client, server);
        let variants = self.variants();
        if Arc::ptr_eq(&before, &self.definition) {
            return (PacketEffect::Variants(variants), odd);
        }
        (PacketEffect::Both(Arc::clone(&self.definition), variants), odd)
    }

    /// Finds the definition for what one side has said of itself.
    fn find_version(&mut self, capability: &str) -> Option<Warning> {
        self.dialect = Some(dialect(capability));
        self.version = version_word(capability).unwrap_or_default().to_owned();
        let found = self.definitions.of_version(capability);
        let odd = found.is_none().then_some(warning::UNKNOWN_VERSION);
        let definition = Arc::clone(found.unwrap_or(&self.definitions.handshake));
        if !Arc::ptr_eq(&definition, &self.definition) {
            self.watch = definition.watch;
            self.definition = definition;
        }
        odd
    }

    fn set_capabilities(&mut self, ours: &str, theirs: &str) {
        let active = active_capabilities(&self.definition.protocol().capabilities, ours, theirs);
        self.active = active.into_iter().map(str::to_owned).collect();
    }

    fn variants(&self) -> Arc<crate::delta::Variants> {
        let active: Vec<&str> = self.active.iter().map(String::as_str).collect();
        self.definition.variants(&active)
    }
}
