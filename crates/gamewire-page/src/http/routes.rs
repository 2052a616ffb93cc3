use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, State};
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::access::{Access, guard};
use super::body::{BodyLimit, read_body};
use super::{assets, download, events, find, packets, posts};
use crate::explain::{self, Candidate};
use crate::{CommandKind, Page};

/// Limits of a file that is opened on the page.
const FILE: BodyLimit = BodyLimit { bytes: 64 << 20, time: Duration::from_secs(120) };
/// Maximum number of event streams. The other connections are left for requests.
const MAX_STREAMS: usize = 48;
/// Maximum number of files that are read at the same time.
const MAX_UPLOADS: usize = 2;
/// Limits of any other request body.
const BODY: BodyLimit = BodyLimit { bytes: 1 << 20, time: Duration::from_secs(10) };

/// Returns the routes of a page, for an HTTP server that listens on `local`. With a token, every request needs it.
///
/// [`PageServer`](crate::PageServer) serves them.
pub fn router(page: Page, local: SocketAddr, token: Option<String>) -> Router {
    let access = Access::new(local, token);
    let streams = Arc::new(Semaphore::new(MAX_STREAMS));
    let uploads = Arc::new(Semaphore::new(MAX_UPLOADS));
    let open = post(posts::open)
        .layer(from_fn_with_state(FILE, read_body))
        .layer(from_fn_with_state(uploads, posts::limit_uploads));
    let posts = Router::new()
        .route("/api/explain", post(posts::explain))
        .route("/api/command", post(posts::command))
        .layer(from_fn_with_state(BODY, read_body));
    Router::new()
        .route("/", get(assets::index))
        .route("/assets/{name}", get(assets::asset))
        .route("/api/about", get(about))
        .route("/api/events", get(events::events).layer(Extension(streams)))
        .route("/api/news", get(events::news))
        .route("/api/find", get(find::find))
        .route("/api/history", get(packets::history))
        .route("/api/status", get(packets::conversations))
        .route("/api/packets", get(packets::packets))
        .route("/api/packet", get(packets::packet))
        .route("/api/snapshot", get(packets::snapshot))
        .route("/api/game_map", get(packets::game_map))
        .route("/api/map", get(packets::map))
        .route("/api/fields", get(packets::fields))
        .route("/api/download", get(download::download))
        .route("/api/open", open)
        .merge(posts)
        .layer(DefaultBodyLimit::disable())
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
