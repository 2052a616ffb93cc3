use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::Response;
use tokio::time::timeout;

use super::error::Refusal;

/// Limits of the body of a request.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyLimit {
    /// Maximum size in bytes.
    pub(super) bytes: usize,
    /// Maximum time until the whole body has arrived.
    pub(super) time: Duration,
}

/// Reads the body of a request before the request is handled.
pub(super) async fn read_body(
    State(limit): State<BodyLimit>,
    request: Request,
    next: Next,
) -> Result<Response, Refusal> {
    let (head, body) = request.into_parts();
    let read = timeout(limit.time, to_bytes(body, limit.bytes)).await;
    let read =
        read.map_err(|_| Refusal(StatusCode::REQUEST_TIMEOUT, "the body arrives too slowly".into()))?;
    let body = read.map_err(|_| Refusal(StatusCode::PAYLOAD_TOO_LARGE, "the body is too large".into()))?;
    Ok(next.run(Request::from_parts(head, Body::from(body))).await)
}
