use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use super::error::Refusal;
use super::query::PacketQuery;
use crate::Page;
use crate::render;
use crate::traffic::{Selection, Source, StoredPacket};

/// Maximum number of packets that a request searches. The page continues with another request.
const MAX_SEARCHED: usize = 4_000;
/// Number of packets that are searched in one step.
const BATCH: usize = 500;

/// The outcome of a search.
struct Search {
    /// Number of the packet with the text.
    found: Option<u64>,
    /// Number with which another request continues.
    next: u64,
    is_end: bool,
}

/// Searches the rows of the selection for a text, from a packet on, or backward before one.
pub(super) async fn find(
    State(page): State<Page>,
    Query(query): Query<PacketQuery>,
) -> Result<Json<Value>, Refusal> {
    let (source, selection) = (query.source(&page)?, query.selection(&page)?);
    let text = query.text.as_deref().unwrap_or_default().to_lowercase();
    let (from, before) = (query.from.unwrap_or(0), query.before);
    let search = spawn_blocking(move || match before {
        Some(before) => backward(&source, &selection, &text, before),
        None => forward(&source, &selection, &text, from),
    });
    let search = search.await.map_err(|_| Refusal::bad_request("the search has failed"))?;
    let Search { found, next, is_end } = search;
    Ok(Json(json!({"number": found, "next": next, "is_end": is_end})))
}

fn forward(source: &Source, selection: &Selection, text: &str, mut next: u64) -> Search {
    let mut is_end = false;
    for _ in 0..MAX_SEARCHED / BATCH {
        let batch = source.from(next, selection, BATCH);
        if let Some(found) = batch.packets.iter().find(|packet| has(packet, text)) {
            return Search { found: Some(found.number), next: found.number, is_end };
        }
        (next, is_end) = (batch.next, batch.packets.len() < BATCH);
        if is_end {
            break;
        }
    }
    Search { found: None, next, is_end }
}

fn backward(source: &Source, selection: &Selection, text: &str, mut next: u64) -> Search {
    let mut is_end = false;
    for _ in 0..MAX_SEARCHED / BATCH {
        let packets = source.before(next, 0, selection, BATCH);
        if let Some(found) = packets.iter().rev().find(|packet| has(packet, text)) {
            return Search { found: Some(found.number), next: found.number, is_end };
        }
        next = packets.first().map_or(next, |first| first.number);
        is_end = packets.len() < BATCH;
        if is_end {
            break;
        }
    }
    Search { found: None, next, is_end }
}

fn has(packet: &Arc<StoredPacket>, text: &str) -> bool {
    render::summary_of(packet).to_lowercase().contains(text)
}
