use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use serde_json::{Value, json};

use super::error::Refusal;
use super::query::PacketQuery;
use crate::Page;
use crate::render;
use crate::traffic::{SnapshotView, StoredPacket};

/// Maximum number of rows in a response.
const MAX_ROWS: usize = 1_000;
const ROWS: usize = 200;

type Answer = Result<Json<Value>, Refusal>;

/// Returns the packets starting at a number, or the last packets before a number.
pub(super) async fn packets(State(page): State<Page>, Query(query): Query<PacketQuery>) -> Answer {
    let (source, selection) = (query.source(&page)?, query.selection(&page)?);
    let limit = query.limit.unwrap_or(ROWS).clamp(1, MAX_ROWS);
    let rows = |packets: &[Arc<StoredPacket>]| -> Vec<Value> {
        packets.iter().map(|packet| render::row(packet)).collect()
    };
    if let Some(before) = query.before {
        let found = source.before(before, 0, &selection, limit);
        let is_start = found.len() < limit;
        return Ok(Json(json!({"rows": rows(&found), "is_start": is_start})));
    }
    let found = source.from(query.from.unwrap_or(0), &selection, limit);
    let is_end = found.packets.len() < limit;
    Ok(Json(json!({"rows": rows(&found.packets), "next": found.next, "is_end": is_end})))
}

fn packet_of(page: &Page, query: &PacketQuery) -> Result<Arc<StoredPacket>, Refusal> {
    let number = query.number.ok_or_else(|| Refusal::bad_request("name a packet by its number"))?;
    query.source(page)?.packet(number).ok_or_else(|| Refusal::not_found("the packet"))
}

/// Returns all details of a packet.
pub(super) async fn packet(State(page): State<Page>, Query(query): Query<PacketQuery>) -> Answer {
    let packet = packet_of(&page, &query)?;
    let loss = query.source(&page)?.loss_of(packet.number);
    Ok(Json(render::details(&packet, loss)))
}

/// Returns the Teeworlds snapshot in a packet.
pub(super) async fn snapshot(State(page): State<Page>, Query(query): Query<PacketQuery>) -> Answer {
    let (source, packet) = (query.source(&page)?, packet_of(&page, &query)?);
    let view = SnapshotView::of(&packet).ok_or_else(|| Refusal::not_found("a snapshot"))?;
    let conversation = source.conversation(packet.info.conversation);
    let map = view.map.as_ref().and_then(|map| page.game_map(map));
    Ok(Json(render::snapshot(&view, conversation.as_ref(), map.as_deref())))
}

/// Returns the map of the Teeworlds snapshot in a packet.
pub(super) async fn game_map(State(page): State<Page>, Query(query): Query<PacketQuery>) -> Answer {
    let packet = packet_of(&page, &query)?;
    let map = packet.announced_map().and_then(|map| page.game_map(map));
    Ok(Json(render::game_map(&*map.ok_or_else(|| Refusal::not_found("a map"))?)))
}

/// Returns the map of a Freeciv game.
pub(super) async fn map(State(page): State<Page>, Query(query): Query<PacketQuery>) -> Answer {
    let source = query.source(&page)?;
    let number = query.conversation().ok_or_else(|| Refusal::bad_request("name a conversation"))?;
    let conversation = source.conversation(number).ok_or_else(|| Refusal::not_found("the conversation"))?;
    let map = conversation.map.ok_or_else(|| Refusal::not_found("a map"))?;
    Ok(Json(render::map(&map)))
}

/// Returns the conversations of a source, and its counters.
pub(super) async fn conversations(State(page): State<Page>, Query(query): Query<PacketQuery>) -> Answer {
    let source = if page.sources().is_empty() { None } else { Some(query.source(&page)?) };
    Ok(Json(super::events::status(&page, source.as_ref())))
}

/// Returns the figures of a source in the last two minutes.
pub(super) async fn history(State(page): State<Page>, Query(query): Query<PacketQuery>) -> Answer {
    let samples = query.source(&page)?.samples();
    Ok(Json(json!({"samples": samples.iter().map(render::sample).collect::<Vec<_>>()})))
}

/// Returns the names that a filter can use.
pub(super) async fn fields(State(page): State<Page>) -> Json<Value> {
    let mut names: Vec<String> = Vec::new();
    for group in page.catalog().groups() {
        let path = format!("{}.{}", group.protocol, group.name);
        names.extend(group.fields.iter().map(|field| format!("{path}.{}", field.name)));
        names.push(path);
    }
    names.sort_unstable();
    names.dedup();
    Json(json!(names))
}
