use gamewire_machine::Role;
use serde_json::{Value as Json, json};

use super::row::seconds;
use crate::traffic::{Conversation, DirectionFigures, Figures, MapView, Sample, Source, SourceKind};

/// Returns a conversation as a row of the table.
pub(crate) fn conversation(known: &Conversation) -> Json {
    json!({
        "number": known.number,
        "protocol": known.protocol,
        "dialect": known.dialect.unwrap_or(known.protocol),
        "transport": known.transport.name(),
        "client": known.client.to_string(),
        "server": known.server.to_string(),
        "proxy_client": known.connection.map(|connection| connection.peer.0),
        "side": known.connection.and_then(|connection| connection.side).map(Role::name),
        "name": known.name,
        "state": known.progress.to_string(),
        "is_over": known.progress.is_over(),
        "to_server": direction(&known.to_server),
        "to_client": direction(&known.to_client),
        "errors": known.errors,
        "warnings": known.warnings,
        "round_trip_ms": known.round_trip.map(milliseconds),
        "first": seconds(known.times.0),
        "last": seconds(known.times.1),
        "has_map": known.map.is_some(),
    })
}

fn direction(figures: &DirectionFigures) -> Json {
    let DirectionFigures { packets, bytes, lost, resent } = figures;
    json!({"packets": packets, "bytes": bytes, "lost": lost, "resent": resent})
}

/// Returns the figures of a source at a time.
pub(crate) fn sample(sample: &Sample) -> Json {
    let all = std::iter::once(&sample.total).chain(&sample.conversations);
    json!({"time": seconds(sample.time), "figures": all.map(figures).collect::<Vec<_>>()})
}

fn figures(known: &Figures) -> Json {
    let Figures { number, up, down, lost, resent, round_trip } = known;
    let trip = round_trip.map(milliseconds);
    json!({"number": number, "up": up, "down": down, "lost": lost, "resent": resent, "round_trip_ms": trip})
}

fn milliseconds(nanos: i64) -> f64 {
    seconds(nanos.saturating_mul(1_000))
}

/// Returns a source and its range of packets.
pub(crate) fn source(source: &Source) -> Json {
    let range = source.range();
    json!({
        "number": source.number(),
        "name": source.name(),
        "is_live": source.kind() == SourceKind::Live,
        "first": range.first,
        "next": range.next,
        "dropped": range.dropped,
        "notices": source.notices(),
    })
}

/// Returns the counters of a source.
pub(crate) fn totals(source: &Source) -> Json {
    let totals = source.totals();
    json!({
        "packets": totals.packets,
        "bytes": totals.bytes,
        "errors": totals.errors,
        "warnings": totals.warnings,
        "lost": totals.lost,
        "resent": totals.resent,
        "unrecognized": totals.unrecognized,
        "missed": totals.missed,
        "not_printed": totals.not_printed,
        "unlisted": totals.unlisted,
    })
}

/// Returns the map of a Freeciv game. Terrain and owners are hexadecimal digits, two for each tile.
pub(crate) fn map(map: &MapView) -> Json {
    let terrains =
        map.terrains.iter().map(|(id, (name, color))| json!({"id": id, "name": name, "color": color}));
    let cities =
        map.cities.values().map(|(tile, owner, name)| json!({"tile": tile, "owner": owner, "name": name}));
    let units = map.units.values().map(|(tile, owner)| json!([tile, owner]));
    json!({
        "width": map.size.0,
        "height": map.size.1,
        "topology": map.topology,
        "terrain": super::tree::hex(&map.terrain),
        "owners": super::tree::hex(&map.owners),
        "terrains": terrains.collect::<Vec<_>>(),
        "cities": cities.collect::<Vec<_>>(),
        "units": units.collect::<Vec<_>>(),
    })
}
