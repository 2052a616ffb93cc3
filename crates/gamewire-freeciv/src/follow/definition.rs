use std::sync::Arc;

use gamewire_schema::ir::{Packet, Protocol};

use crate::codec::ProtocolVersion;
use crate::delta::{RoleTracker, UnsupportedPacket, Variants, is_separator, no_player};
use crate::frame::JOIN_REPLY;
use crate::packets;

/// Number of SERVER_JOIN_REQ.
pub(super) const JOIN_REQUEST: u16 = 4;
/// Number of AUTHENTICATION_REPLY, the only packet except SERVER_JOIN_REQ that a client sends before the join reply.
pub(super) const PASSWORD: u16 = 7;

/// A version of the protocol, prepared for a follower.
#[derive(Debug)]
pub struct Definition {
    pub(super) before_join: Arc<Variants>,
    /// Variants with all capabilities of the definition.
    with_all: Arc<Variants>,
    pub(super) role_tracker: RoleTracker,
}

impl Definition {
    /// Prepares a definition for a follower.
    ///
    /// # Errors
    /// [`UnsupportedPacket`] if the interpreter does not support a packet of the definition.
    pub fn new(protocol: Protocol) -> Result<Self, UnsupportedPacket> {
        let protocol = Arc::new(protocol);
        let all: Vec<&str> = protocol.capabilities.iter().map(String::as_str).collect();
        Ok(Self {
            before_join: Arc::new(Variants::before_join(Arc::clone(&protocol))?),
            with_all: Arc::new(Variants::new(Arc::clone(&protocol), &all)?),
            role_tracker: RoleTracker::new(
                &protocol,
                no_player(&protocol).map_or(RoleTracker::NO_PLAYER, i64::from),
            ),
        })
    }

    /// Returns the definition.
    pub fn protocol(&self) -> &Arc<Protocol> {
        self.before_join.protocol()
    }

    /// Returns the variants for these capabilities.
    pub(super) fn variants(&self, active: &[&str]) -> Arc<Variants> {
        if active.len() == self.protocol().capabilities.len() {
            return Arc::clone(&self.with_all);
        }
        // Support does not depend on capabilities, so this cannot fail.
        Variants::new(Arc::clone(self.protocol()), active)
            .map_or_else(|_| Arc::clone(&self.with_all), Arc::new)
    }

    /// Returns the variants with all capabilities of the definition.
    pub(super) const fn with_all(&self) -> &Arc<Variants> {
        &self.with_all
    }

    /// Returns a definition without packets.
    fn empty() -> Self {
        let nothing = Arc::new(Variants::empty(Arc::default()));
        let role_tracker = RoleTracker::new(&Protocol::default(), RoleTracker::NO_PLAYER);
        Self { before_join: Arc::clone(&nothing), with_all: nothing, role_tracker }
    }
}

/// Returns the packets that can be decoded before the version is known: the join packets, PROCESSING_STARTED and
/// PROCESSING_FINISHED.
fn handshake_protocol() -> Protocol {
    let is_shared = |packet: &Packet| matches!(packet.number, 0 | 1 | JOIN_REQUEST | JOIN_REPLY);
    Protocol::new("", packets::protocol().packets.into_iter().filter(is_shared).collect())
}

/// The versions that can be followed.
#[derive(Clone, Debug)]
pub struct Definitions {
    pub(super) handshake: Arc<Definition>,
    shipped: Vec<Arc<Definition>>,
    given: Option<Arc<Definition>>,
}

impl Definitions {
    /// Returns the versions that are shipped: 3.0, 3.1 and 3.2.
    pub fn shipped() -> Self {
        let handshake = Definition::new(handshake_protocol()).unwrap_or_else(|_| Definition::empty());
        let shipped = ProtocolVersion::ALL.into_iter().map(packets::protocol_of);
        let shipped = shipped.filter_map(|protocol| Definition::new(protocol).ok());
        Self { handshake: Arc::new(handshake), shipped: shipped.map(Arc::new).collect(), given: None }
    }

    /// Sets the definition for every conversation.
    #[must_use]
    pub fn with_definition(mut self, definition: Arc<Definition>) -> Self {
        self.given = Some(definition);
        self
    }

    /// Iterates over the user's definition if there is one, otherwise over the shipped definitions.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Definition>> {
        let shipped = if self.given.is_some() { &[] } else { self.shipped.as_slice() };
        self.given.iter().chain(shipped)
    }

    /// Returns the definition for a capability string that names a version, such as `+Freeciv-3.0-network`.
    pub(super) fn of_version(&self, capabilities: &str) -> Option<&Arc<Definition>> {
        let version = version_word(capabilities)?.trim_start_matches('+');
        let version = version.strip_suffix("-network").unwrap_or(version);
        let is_version =
            |definition: &&Arc<Definition>| definition.protocol().name.eq_ignore_ascii_case(version);
        self.given.as_ref().or_else(|| self.shipped.iter().find(is_version))
    }
}

impl Default for Definitions {
    fn default() -> Self {
        Self::shipped()
    }
}

/// Returns the capability that names the version: the first mandatory one, or else the first one.
pub(super) fn version_word(capabilities: &str) -> Option<&str> {
    let is_version = |word: &&str| {
        let word = word.strip_prefix('+').unwrap_or(word);
        word.get(..8).is_some_and(|start| start.eq_ignore_ascii_case("freeciv-")) && word.len() <= 64
    };
    let mut words = capabilities.split(is_separator).filter(is_version);
    let first = words.next()?;
    let mandatory = |word: &&str| word.starts_with('+');
    Some(core::iter::once(first).chain(words).find(mandatory).unwrap_or(first))
}

/// Returns the name of the dialect for a capability string.
pub(super) fn dialect(capabilities: &str) -> &'static str {
    let word = version_word(capabilities).unwrap_or_default().trim_start_matches('+').to_ascii_lowercase();
    match word.strip_suffix("-network").unwrap_or(&word) {
        "freeciv-3.0" => "freeciv-3.0",
        "freeciv-3.1" => "freeciv-3.1",
        "freeciv-3.2" => "freeciv-3.2",
        "freeciv-3.3" => "freeciv-3.3",
        _ => "freeciv",
    }
}
