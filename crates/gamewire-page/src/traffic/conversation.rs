use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;

use gamewire_inspect::conversation::PacketInfo;
use gamewire_inspect::protocol::DeliveryTracker;
use gamewire_inspect::render::DisplayValue;
use gamewire_machine::record::{NodeRef, PackedRecord};
use gamewire_machine::{Record, Role, Transport};
use gamewire_watch::PeerConnection;

use super::game_map::MapTracker;
use super::map::MapView;
use super::packet::Delivery;
use super::progress::{Progress, integer};
use super::snapshot::{SnapshotTracker, StoredSnapshot};

/// Maximum number of player names that are kept for each conversation.
const MAX_NAMES: usize = 256;

/// A conversation between a client and a server.
#[derive(Clone, Debug)]
pub struct Conversation {
    /// Number of the conversation in its source, from 1.
    pub number: u64,
    /// The protocol.
    pub protocol: &'static str,
    /// The dialect, if it is known.
    pub dialect: Option<&'static str>,
    /// The transport.
    pub transport: Transport,
    /// The address of the client.
    pub client: SocketAddr,
    /// The address of the server.
    pub server: SocketAddr,
    /// The connection of the program. A conversation of a file has none.
    pub connection: Option<PeerConnection>,
    /// Escaped name of the client's player, from the program or from the client's packets.
    pub name: Option<String>,
    /// The conversation's progress from the handshake to its end.
    pub progress: Progress,
    /// Counters of the packets from the client to the server.
    pub to_server: DirectionFigures,
    /// Counters of the packets from the server to the client.
    pub to_client: DirectionFigures,
    /// Number of packets with an error.
    pub errors: u64,
    /// Number of packets with a warning.
    pub warnings: u64,
    /// The latest round trip in nanoseconds.
    pub round_trip: Option<i64>,
    /// Times of the first and the last packet, in nanoseconds since 1970.
    pub times: (i64, i64),
    pub(super) tracker: DeliveryTracker,
    /// Names of players by their id.
    pub(crate) players: BTreeMap<i64, String>,
    /// The known part of the map of a Freeciv game.
    pub(crate) map: Option<Box<MapView>>,
    /// The latest snapshots of Teeworlds.
    pub(super) snapshots: Option<Box<SnapshotTracker>>,
    /// The map of a Teeworlds server.
    pub(super) game_map: MapTracker,
}

/// Counters of one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DirectionFigures {
    /// Number of packets.
    pub packets: u64,
    /// Bytes of these packets.
    pub bytes: u64,
    /// Number of packets that an impaired link lost.
    pub lost: u64,
    /// Number of packets with a message that was already sent.
    pub resent: u64,
}

impl Conversation {
    pub(super) fn new(number: u64, info: &PacketInfo) -> Self {
        let (client, server) = match info.sender {
            Role::Client => (info.from, info.to),
            Role::Server => (info.to, info.from),
        };
        Self {
            number,
            protocol: info.protocol,
            dialect: info.dialect,
            transport: info.transport,
            client,
            server,
            connection: None,
            name: None,
            progress: Progress::default(),
            to_server: DirectionFigures::default(),
            to_client: DirectionFigures::default(),
            errors: 0,
            warnings: 0,
            round_trip: None,
            times: (info.timestamp, info.timestamp),
            tracker: DeliveryTracker::default(),
            players: BTreeMap::new(),
            map: None,
            snapshots: None,
            game_map: MapTracker::default(),
        }
    }

    /// Returns the known part of the map of a Freeciv game.
    pub fn map(&self) -> Option<&MapView> {
        self.map.as_deref()
    }

    /// Updates the conversation with a packet. Returns the packet's delivery, and the snapshot that ends in it.
    pub(super) fn packet(
        &mut self,
        number: u64,
        info: &PacketInfo,
        length: usize,
        record: &Record,
        packed: &Arc<PackedRecord>,
    ) -> (Delivery, Option<StoredSnapshot>) {
        self.dialect = info.dialect.or(self.dialect);
        self.times.1 = self.times.1.max(info.timestamp);
        let delivery = Delivery::from(self.tracker.packet(info.tracked(number), record));
        self.round_trip = self.tracker.round_trip().or(self.round_trip);
        self.errors = self.errors.saturating_add(u64::from(record.errors() > 0));
        self.warnings = self.warnings.saturating_add(u64::from(record.warnings() > 0));
        let direction = self.direction(info.sender);
        direction.packets = direction.packets.saturating_add(1);
        direction.bytes = direction.bytes.saturating_add(u64::try_from(length).unwrap_or(u64::MAX));
        direction.resent = direction.resent.saturating_add(delivery.resent.is_some().into());
        self.progress.packet(info, record);
        if info.protocol == "freeciv" {
            self.map.get_or_insert_default().packet(record);
        } else {
            self.learn_names(record);
        }
        if self.name.is_none() && info.sender == Role::Client {
            self.name = own_name(record);
        }
        let has_snapshots =
            info.protocol == "teeworlds" && info.sender == Role::Server && !self.progress.is_over();
        let snapshot = if has_snapshots {
            self.game_map.packet(info, record, packed);
            self.snapshots.get_or_insert_default().packet(record, packed, &mut self.game_map)
        } else {
            None
        };
        if self.progress.is_over() {
            self.snapshots = None;
        }
        (delivery, snapshot)
    }

    /// Returns whether the conversation keeps a map or snapshots.
    pub(super) fn has_views(&self) -> bool {
        self.map.is_some() || self.snapshots.is_some() || self.game_map.has_parts()
    }

    pub(super) fn lost(&mut self, sender: Role) {
        let direction = self.direction(sender);
        direction.lost = direction.lost.saturating_add(1);
    }

    const fn direction(&mut self, sender: Role) -> &mut DirectionFigures {
        match sender {
            Role::Client => &mut self.to_server,
            Role::Server => &mut self.to_client,
        }
    }

    fn learn_names(&mut self, record: &Record) {
        for group in record.nodes().filter(|node| node.name() == "client_info") {
            let id = group.children().find(|field| matches!(field.name(), "client_id" | "item_id"));
            if let (Some(id), Some(name)) = (id.and_then(integer), text_field(group, "name"))
                && (self.players.len() < MAX_NAMES || self.players.contains_key(&id))
            {
                self.players.insert(id, name);
            }
        }
    }
}

/// Returns the name that a client sends when it joins.
fn own_name(record: &Record) -> Option<String> {
    record.nodes().find_map(|message| match message.name() {
        "start_info" => text_field(message, "name"),
        "server_join_req" => text_field(message, "username"),
        _ => None,
    })
}

/// Returns a text field, escaped and without quotes.
fn text_field(group: NodeRef<'_>, name: &str) -> Option<String> {
    let value = group.child(name)?.value()?;
    Some(DisplayValue(value).to_string().trim_matches('"').to_owned())
}
