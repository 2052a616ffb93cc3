use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, State};
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::access::{Access, guard};
use super::{assets, download, events, packets, posts};
use crate::explain::{self, Candidate};
use crate::{CommandKind, Page};

/// Maximum size in bytes of a file that is opened on the page.
const MAX_FILE: usize = 64 << 20;
/// Maximum number of files that are read at the same time.
const MAX_UPLOADS: usize = 2;
/// Maximum size in bytes of any other request body.
const MAX_BODY: usize = 1 << 20;

/// Returns the routes of a page.
pub(super) fn router(page: Page, access: Access) -> Router {
    let uploads = Arc::new(Semaphore::new(MAX_UPLOADS));
    let open = post(posts::open)
        .layer(DefaultBodyLimit::max(MAX_FILE))
        .layer(from_fn_with_state(uploads, posts::limit_uploads));
    Router::new()
        .route("/", get(assets::index))
        .route("/assets/{name}", get(assets::asset))
        .route("/api/about", get(about))
        .route("/api/events", get(events::events))
        .route("/api/status", get(packets::conversations))
        .route("/api/packets", get(packets::packets))
        .route("/api/packet", get(packets::packet))
        .route("/api/snapshot", get(packets::snapshot))
        .route("/api/map", get(packets::map))
        .route("/api/fields", get(packets::fields))
        .route("/api/download", get(download::download))
        .route("/api/open", open)
        .route("/api/explain", post(posts::explain))
        .route("/api/command", post(posts::command))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(from_fn_with_state(access, guard))
        .with_state(page)
}

/// Returns the title, the version and the commands of the program, and the ways to explain bytes.
async fn about(State(page): State<Page>) -> Json<Value> {
    let config = page.config();
    let ways: Vec<_> = explain::candidates(&config.protocols).iter().map(Candidate::id).collect();
    Json(json!({
        "title": config.title,
        "version": env!("CARGO_PKG_VERSION"),
        "commands": config.commands.iter().map(|kind| CommandKind::name(*kind)).collect::<Vec<_>>(),
        "ways": ways,
        "max_hex_bytes": explain::MAX_BYTES,
    }))
}
