use gamewire_freeciv::delta::{DeltaLimits, Direction, EncodeOptions, Value};
use gamewire_freeciv::session::Capabilities;
use gamewire_freeciv::session::client::Client;
use gamewire_freeciv::session::codec::{Definition, DefinitionError, Encoder, PacketBuf};
use gamewire_freeciv::world::World;
use gamewire_net::Stats;
use serde::Serialize;

/// Number of bytes that a server has sent, and their number without compression and delta encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Bytes {
    /// Bytes on the wire.
    pub(super) wire: u64,
    /// Bytes without compression.
    pub(super) packets: u64,
    /// Bytes if every packet contained all its fields.
    pub(super) without_delta: u64,
}

impl Bytes {
    pub(super) const fn since(self, before: Self) -> Self {
        Self {
            wire: self.wire.saturating_sub(before.wire),
            packets: self.packets.saturating_sub(before.packets),
            without_delta: self.without_delta.saturating_sub(before.without_delta),
        }
    }
}

/// A counter of the size of packets without delta encoding. To do so, it encodes them.
#[derive(Debug)]
pub(super) struct FullSizeEncoder {
    encoder: Encoder,
    whole: u64,
    body: Vec<u8>,
}

impl FullSizeEncoder {
    pub(super) fn new(definition: &Definition) -> Result<Self, DefinitionError> {
        Ok(Self { encoder: without_delta(definition)?, whole: 0, body: Vec::new() })
    }

    /// Sets the version of the server and the capabilities of both sides. They decide which fields packets have.
    pub(super) fn agree(&mut self, definition: &Definition, ours: &Capabilities, theirs: &Capabilities) {
        if let Ok(encoder) = without_delta(definition) {
            self.encoder = encoder;
        }
        let functional = self.encoder.definition().protocol().capabilities.clone();
        self.encoder.set_capabilities(&ours.active(theirs, &functional));
    }

    pub(super) fn add(&mut self, packet: &PacketBuf) {
        /// Bytes of a packet's length and type.
        const HEADER: usize = 4;
        self.body.clear();
        let number = packet.number();
        let definition = self.encoder.definition().clone();
        let fields = definition.protocol().packet(number).map(|packet| packet.fields.as_slice());
        let fields = fields.unwrap_or_default().iter().map(|field| field.name.as_str());
        let values: Vec<(&str, Value)> =
            fields.filter_map(|name| packet.value(name).map(|value| (name, value))).collect();
        // If the packet cannot be encoded, only its header is counted.
        let _ = self.encoder.encode_fields(number, &values, EncodeOptions::default(), &mut self.body);
        let length = self.body.len().saturating_add(HEADER);
        self.whole = self.whole.saturating_add(u64::try_from(length).unwrap_or(u64::MAX));
    }

    /// Returns the bytes so far.
    pub(super) const fn bytes(&self, client: &Client, socket: &Stats) -> Bytes {
        Bytes {
            wire: socket.streams.received_bytes,
            packets: client.packet_bytes(),
            without_delta: self.whole,
        }
    }
}

fn without_delta(definition: &Definition) -> Result<Encoder, DefinitionError> {
    let mut protocol = definition.protocol().clone();
    for packet in &mut protocol.packets {
        packet.no_delta = true;
        packet.fields.iter_mut().for_each(|field| field.diff = None);
    }
    let definition = Definition::interpreted(protocol)?;
    Ok(Encoder::new(&definition, Direction::ToClient, DeltaLimits::DEFAULT))
}

/// A player's figures. For a global observer, these are the totals of all players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PlayerStats {
    pub(super) cities: usize,
    pub(super) units: usize,
    pub(super) gold: Option<i64>,
    pub(super) score: Option<i64>,
}

impl PlayerStats {
    pub(super) fn of(world: &World) -> Self {
        let me = world.me();
        let (cities, units) = match world.my_number() {
            Some(_) => (world.my_cities().count(), world.my_units().count()),
            None => (world.cities().iter().len(), world.units().iter().len()),
        };
        Self {
            cities,
            units,
            gold: me.map(|player| player.gold.into()),
            score: me.map(|player| player.score.into()),
        }
    }
}

/// Formats a year as the game does.
pub(super) fn in_words(year: i64, world: &World) -> String {
    let era = world.calendar().map(|calendar| match year {
        ..0 => calendar.negative_year_label.to_str_lossy(),
        _ => calendar.positive_year_label.to_str_lossy(),
    });
    format!("{} {}", year.unsigned_abs(), era.unwrap_or_default()).trim_end().to_owned()
}

/// A turn and its year.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Date {
    pub(super) turn: i64,
    pub(super) year: i64,
}

/// The turns of a game.
#[derive(Debug, Default)]
pub(super) struct Turns {
    current: Option<Turn>,
    /// The number of finished turns.
    pub(super) over: u32,
}

/// A turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) number: i64,
    pub(super) year: i64,
    /// The byte counts at the start of the turn.
    pub(super) before: Bytes,
    /// True after the player has acted in it.
    is_done: bool,
}

impl Turns {
    /// Starts a turn, unless it is the current one.
    pub(super) fn begin(&mut self, date: Date, before: Bytes) {
        let Date { turn: number, year } = date;
        if self.current.is_none_or(|turn| turn.number != number) {
            self.current = Some(Turn { number, year, before, is_done: false });
        }
    }

    /// Returns the current turn, if the turn `next` ends it.
    pub(super) fn end(&mut self, next: i64) -> Option<Turn> {
        let turn = self.current.take_if(|turn| turn.number != next)?;
        self.over = self.over.saturating_add(1);
        Some(turn)
    }

    /// Returns the current turn when the player must act. Returns each turn once.
    pub(super) fn act(&mut self) -> Option<i64> {
        let turn = self.current.as_mut().filter(|turn| !turn.is_done)?;
        turn.is_done = true;
        Some(turn.number)
    }

    /// Returns true if the game is running.
    pub(super) const fn is_running(&self) -> bool {
        self.current.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_acts_once_per_turn() {
        let mut turns = Turns::default();
        assert!(!turns.is_running() && turns.act().is_none());
        turns.begin(Date { turn: 1, year: -4000 }, Bytes::default());
        assert_eq!((turns.act(), turns.act()), (Some(1), None));
        turns.begin(Date { turn: 1, year: -4000 }, Bytes::default());
        assert_eq!(turns.act(), None, "the same turn again");
        assert!(turns.end(1).is_none());
        assert_eq!(turns.end(2).map(|turn| (turn.number, turn.year)), Some((1, -4000)));
        turns.begin(Date { turn: 2, year: -3950 }, Bytes::default());
        assert_eq!((turns.act(), turns.over), (Some(2), 1));
    }
}
