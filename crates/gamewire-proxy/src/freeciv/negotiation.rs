use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_freeciv::session::codec::{Definition, PacketRef};
use gamewire_freeciv::session::{Capabilities, PlayerRole};

/// The effect of a packet on both directions, once it is forwarded.
#[derive(Debug)]
pub(super) enum Effect {
    /// Nothing.
    None,
    /// The protocol version is known.
    Version(Definition),
    /// The server accepted the client. These capabilities select the packet variants.
    Joined(Definition, Vec<String>),
    /// Both directions must forget the baselines of packets that describe the game.
    ForgetGame,
}

/// The version, capabilities and role of a connection.
#[derive(Debug)]
pub(super) struct Negotiation {
    definition: Definition,
    /// True if the user chose the definition.
    is_fixed: bool,
    client: Option<Capabilities>,
    connection: Option<i64>,
    role: PlayerRole,
}

impl Negotiation {
    pub(super) fn new(chosen: Option<Definition>) -> Self {
        Self {
            is_fixed: chosen.is_some(),
            definition: chosen.unwrap_or_default(),
            client: None,
            connection: None,
            role: PlayerRole::DETACHED,
        }
    }

    pub(super) const fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Handles a packet of the client.
    pub(super) fn on_client(&mut self, packet: &PacketRef<'_>) -> Effect {
        if packet.name() != "PACKET_SERVER_JOIN_REQ" {
            return Effect::None;
        }
        let capabilities = packet.text("capability");
        self.client = Capabilities::parse(&capabilities).ok();
        self.select(&capabilities);
        Effect::Version(self.definition.clone())
    }

    /// Handles a packet of the server.
    pub(super) fn on_server(&mut self, packet: &PacketRef<'_>) -> Effect {
        match packet.name() {
            "PACKET_SERVER_JOIN_REPLY" if packet.flag("you_can_join") => self.on_join_reply(packet),
            "PACKET_CONN_INFO" if Some(packet.int("id")) == self.connection => {
                let role = PlayerRole::from_conn_info(packet, self.definition.no_player());
                let before = core::mem::replace(&mut self.role, role);
                if before.forgets_game_for(role) { Effect::ForgetGame } else { Effect::None }
            }
            _ => Effect::None,
        }
    }

    fn on_join_reply(&mut self, reply: &PacketRef<'_>) -> Effect {
        self.connection = Some(reply.int("conn_id"));
        let capabilities = reply.text("capability");
        self.select(&capabilities);
        let theirs = Capabilities::parse(&capabilities).ok();
        let known = &self.definition.protocol().capabilities;
        let active = match (&self.client, &theirs) {
            (Some(client), Some(server)) => client.active(server, known),
            _ => Vec::new(),
        };
        let active = active.into_iter().map(str::to_owned).collect();
        Effect::Joined(self.definition.clone(), active)
    }

    /// Selects the definition by the capability string of one side.
    fn select(&mut self, capabilities: &str) {
        if let Some(version) = ProtocolVersion::of_capabilities(capabilities).filter(|_| !self.is_fixed) {
            self.definition = Definition::of(version);
        }
    }
}
