use std::io::Cursor;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Query, Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::Response;
use gamewire_inspect::conversation::{PacketMeta, PacketSource, StreamOffset};
use gamewire_inspect::render::{self as inspect_render, Palette};
use gamewire_inspect::time::DisplayTime;
use gamewire_machine::Role;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::error::Refusal;
use crate::explain::{self, Candidate, Explained, Explanations};
use crate::render;
use crate::traffic::{Selection, read_capture};
use crate::{Command, Page};

/// Maximum number of bytes of a file after decompression.
const MAX_INFLATED: u64 = 1 << 30;
/// Maximum time to wait for the outcome of a command.
const COMMAND_TIME: Duration = Duration::from_secs(2);
/// Maximum characters of a file's name. A longer name is cut.
const MAX_NAME: usize = 80;
/// Maximum number of candidates that a response lists.
const MAX_ALTERNATIVES: usize = 32;

type Answer = Result<Json<Value>, Refusal>;

#[derive(Debug, Deserialize)]
pub(super) struct OpenQuery {
    name: Option<String>,
}

/// Limits how many files are read at the same time, because each may be large.
pub(super) async fn limit_uploads(
    State(places): State<Arc<Semaphore>>,
    request: Request,
    next: Next,
) -> Result<Response, Refusal> {
    let place = places.try_acquire_owned();
    let _place =
        place.map_err(|_| Refusal(StatusCode::SERVICE_UNAVAILABLE, "other files are being read".into()))?;
    Ok(next.run(request).await)
}

/// Opens a capture. The request body is the file.
pub(super) async fn open(State(page): State<Page>, Query(query): Query<OpenQuery>, body: Bytes) -> Answer {
    let name: String = query.name.unwrap_or_else(|| "file".into()).chars().take(MAX_NAME).collect();
    let read = spawn_blocking(move || {
        let source = page.add_opened(&name);
        let config = page.config().protocols.clone();
        let read = read_capture(&source, Cursor::new(body), config, &Selection::default(), MAX_INFLATED);
        if read.is_err() {
            page.remove_source(source.number());
        }
        read.map(|()| render::source(&source))
    });
    match read.await {
        Ok(Ok(source)) => Ok(Json(source)),
        Ok(Err(error)) => Err(Refusal::bad_request(error.to_string())),
        Err(_) => Err(Refusal(StatusCode::INTERNAL_SERVER_ERROR, "the file could not be read".into())),
    }
}

/// Bytes to explain.
#[derive(Debug, Deserialize)]
pub(super) struct ExplainBody {
    hex: String,
    /// Id of the candidate to use. If it is missing or empty, the likeliest candidate is used.
    way: Option<String>,
}

/// Explains bytes.
pub(super) async fn explain(State(page): State<Page>, Json(body): Json<ExplainBody>) -> Answer {
    let bytes = explain::parse_hex(&body.hex).map_err(|error| Refusal::bad_request(error.to_string()))?;
    let bytes = explain::payload_of_frame(&bytes).unwrap_or(bytes);
    let answer = spawn_blocking(move || {
        let (config, hex) = (&page.config().protocols, render::hex(&bytes));
        if let Some(way) = body.way.filter(|way| !way.is_empty()) {
            let candidate = explain::candidates(config).into_iter().find(|known| known.id() == way);
            let explained = candidate.and_then(|candidate| candidate.explain(&bytes, config));
            let explained = explained.ok_or_else(|| Refusal::bad_request("there is no such dialect"))?;
            return Ok(
                json!({"way": explained.candidate.id(), "is_certain": true, "hex": hex, "shown": shown(&explained)}),
            );
        }
        let Explanations { found, is_certain } = explain::explain(&bytes, config);
        let best = found.first().ok_or_else(|| Refusal::bad_request("no dialect can read these bytes"))?;
        let ways: Vec<_> = found.iter().take(MAX_ALTERNATIVES).map(way).collect();
        Ok(json!({
            "way": best.candidate.id(), "is_certain": is_certain, "ways": ways, "hex": hex, "shown": shown(best),
        }))
    });
    let answer = answer.await;
    answer.unwrap_or_else(|_| Err(Refusal::bad_request("the bytes could not be read"))).map(Json)
}

fn way(explained: &Explained) -> Value {
    let record = &explained.record;
    json!({
        "way": explained.candidate.id(), "errors": record.errors(), "warnings": record.warnings(),
        "summary": summary(explained),
    })
}

fn shown(explained: &Explained) -> Value {
    let record = &explained.record;
    json!({
        "summary": summary(explained),
        "dialect": explained.candidate.dialect,
        "protocol": protocol(&explained.candidate),
        "errors": record.errors(),
        "warnings": record.warnings(),
        "tree": render::tree(record),
        "sources": render::sources(record),
    })
}

/// Returns the name of the protocol of a candidate.
pub(super) fn protocol(candidate: &Candidate) -> &'static str {
    match candidate.dialect.split_once('-') {
        Some(("tw", _)) => "teeworlds",
        Some(("riptide", _)) => "riptide",
        _ => "freeciv",
    }
}

fn summary(explained: &Explained) -> String {
    let candidate = &explained.candidate;
    let meta = PacketMeta {
        number: 1,
        protocol: protocol(candidate),
        dialect: None,
        sender: candidate.sender.unwrap_or(Role::Client),
        length: 0,
        time: DisplayTime::Seconds(0),
        source: PacketSource::File(StreamOffset { offset: 0, inflated: None }),
    };
    let mut line = Vec::new();
    // Writing to memory cannot fail.
    let _ = inspect_render::summary(&mut line, meta, &explained.record, &Palette::plain());
    String::from_utf8_lossy(&line).trim().chars().take(300).collect()
}

/// Executes a command. The request body is the command line.
pub(super) async fn command(State(page): State<Page>, line: String) -> Answer {
    let word = line.split_whitespace().next().unwrap_or_default();
    let is_known = page.config().commands.iter().any(|kind| kind.words().contains(&word));
    if !is_known || line.lines().count() != 1 {
        return Err(Refusal::bad_request(format!("this program has no command {word:?} for the page")));
    }
    let (answer, answered) = sync_channel(1);
    if !page.send_command(Command { line, answer }) {
        return Err(Refusal(StatusCode::SERVICE_UNAVAILABLE, "the program takes no commands now".into()));
    }
    match spawn_blocking(move || answered.recv_timeout(COMMAND_TIME)).await {
        Ok(Ok(Ok(()))) => Ok(Json(json!({}))),
        Ok(Ok(Err(error))) => Err(Refusal::bad_request(error)),
        Ok(Err(_)) | Err(_) => {
            Err(Refusal(StatusCode::SERVICE_UNAVAILABLE, "the program did not answer in time".into()))
        }
    }
}
