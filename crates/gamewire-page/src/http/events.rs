//! New packets, and the state of the page: as server-sent events, and for requests of the page itself.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::sse::{Event, Sse};
use axum::{Extension, Json};
use futures_util::Stream;
use futures_util::stream::unfold;
use serde_json::{Value, json};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Interval, MissedTickBehavior, interval};

use super::error::Refusal;
use super::query::PacketQuery;
use crate::Page;
use crate::render;
use crate::traffic::{Selection, Source, StoredPacket};

/// Interval between two events with packets.
const TICK: Duration = Duration::from_millis(100);
/// Ticks between two events with the state.
const STATUS_TICKS: u32 = 5;
/// Maximum number of rows in an event. Further packets are counted as skipped, and the page can request them.
const MAX_ROWS: usize = 200;
/// Maximum number of packets that are examined for an event.
const MAX_EXAMINED: u64 = 50_000;

/// The new packets of a source, for one reader.
struct NewPackets {
    source: Source,
    selection: Selection,
    /// Number of the first new packet.
    next: u64,
}

/// State of one reader of events.
struct Reader {
    page: Page,
    new: NewPackets,
    ticks: Interval,
    count: u32,
    queue: VecDeque<Event>,
    _place: OwnedSemaphorePermit,
}

/// Streams new packets of a source, and every half second the state of all conversations.
pub(super) async fn events(
    State(page): State<Page>,
    Extension(places): Extension<Arc<Semaphore>>,
    Query(query): Query<PacketQuery>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Refusal> {
    let new = NewPackets::of(&page, &query)?;
    let place = places.try_acquire_owned();
    let place = place.map_err(|_| {
        Refusal(StatusCode::SERVICE_UNAVAILABLE, "too many readers of events are connected".into())
    })?;
    let mut ticks = interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let reader = Reader { page, new, ticks, count: 0, queue: VecDeque::new(), _place: place };
    let events = unfold(reader, |mut reader| async move {
        let event = reader.next_event().await;
        Some((Ok(event), reader))
    });
    Ok(Sse::new(events))
}

impl Reader {
    async fn next_event(&mut self) -> Event {
        loop {
            if let Some(event) = self.queue.pop_front() {
                return event;
            }
            self.ticks.tick().await;
            if self.count.is_multiple_of(STATUS_TICKS) {
                self.queue.push_back(event("status", &status(&self.page, Some(&self.new.source))));
            }
            self.count = self.count.wrapping_add(1);
            if let Some(packets) = self.new.take() {
                self.queue.push_back(event("packets", &packets));
            }
        }
    }
}

/// Returns the new packets of a source and, if requested, the state of all conversations.
///
/// The page requests this repeatedly instead of reading events: a browser has at most six connections to a host, and
/// the events of six tabs would block all of them.
pub(super) async fn news(
    State(page): State<Page>,
    Query(query): Query<PacketQuery>,
) -> Result<Json<Value>, Refusal> {
    let mut new = NewPackets::of(&page, &query)?;
    let packets = new.take();
    let status = query.status.unwrap_or(false).then(|| status(&page, Some(&new.source)));
    Ok(Json(json!({"next": new.next, "packets": packets, "status": status})))
}

impl NewPackets {
    /// Returns the packets that a query selects, from its number on, or else from now on.
    fn of(page: &Page, query: &PacketQuery) -> Result<Self, Refusal> {
        let (source, selection) = (query.source(page)?, query.selection(page)?);
        let next = query.from.unwrap_or_else(|| source.range().next);
        Ok(Self { source, selection, next })
    }

    /// Returns the latest selected packets since the last call. Each packet before `next` is a row, counted as skipped
    /// or as unseen, or not selected.
    fn take(&mut self) -> Option<Value> {
        let end = self.source.range().next;
        if end <= self.next {
            return None;
        }
        let oldest = self.next.max(end.saturating_sub(MAX_EXAMINED));
        let found = self.source.search_back(end, oldest, &self.selection, usize::MAX);
        let unseen = found.examined.saturating_sub(self.next);
        self.next = end;
        let packets = found.packets;
        let shown = packets.get(packets.len().saturating_sub(MAX_ROWS)..).unwrap_or_default();
        let skipped = u64::try_from(packets.len().saturating_sub(shown.len())).unwrap_or(u64::MAX);
        if shown.is_empty() && unseen == 0 {
            return None;
        }
        let rows: Vec<_> = shown.iter().map(|packet: &Arc<StoredPacket>| render::row(packet)).collect();
        Some(json!({"rows": rows, "skipped": skipped, "unseen": unseen, "next": end}))
    }
}

fn event(name: &str, data: &Value) -> Event {
    Event::default().event(name).data(data.to_string())
}

/// Returns all sources, the conversations and counters of `source`, and the states of the program and the fleet.
pub(super) fn status(page: &Page, source: Option<&Source>) -> Value {
    let mut conversations = Vec::new();
    if let Some(source) = source {
        source.each_conversation(|known| conversations.push(render::conversation(known)));
    }
    let sources: Vec<_> = page.sources().iter().map(render::source).collect();
    json!({
        "time": render::now(),
        "source": source.map(Source::number),
        "sources": sources,
        "totals": source.map(render::totals),
        "conversations": conversations,
        "program": page.program_state(),
        "fleet": page.fleet(),
    })
}
