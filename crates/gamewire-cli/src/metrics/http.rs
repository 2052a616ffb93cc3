use std::time::{Duration, Instant};

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{ALLOW, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};

use super::address::is_loopback_host;
use super::exposition::Exposition;

/// The programs that a listener serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    /// Programs of this machine. They may read all pages. Requests under another host name are refused.
    ThisMachine,
    /// Orchestrators, also of other machines. They may read whether the server is healthy and ready. Their requests need
    /// no Host header.
    Orchestrators,
}

/// The state of the server at a time.
#[derive(Clone, Debug)]
pub(super) struct Published {
    /// The page of metrics.
    pub(super) page: Bytes,
    /// True if the server accepts clients.
    pub(super) is_ready: bool,
    pub(super) at: Instant,
}

/// Returns the response to a request. The server is not healthy if its state is older than `max_silence`.
pub(super) fn respond<T>(
    request: &Request<T>,
    audience: Audience,
    state: Option<Published>,
    max_silence: Duration,
) -> Response<Full<Bytes>> {
    let is_local = audience == Audience::ThisMachine;
    match host(request.headers()) {
        None if is_local => return plain(StatusCode::BAD_REQUEST, "one Host header is required\n"),
        Some(host) if is_local && !is_loopback_host(host) => {
            let text = "the Host header must be localhost or a loopback address\n";
            return plain(StatusCode::FORBIDDEN, text);
        }
        _ => {}
    }
    let respond: fn(Published) -> Response<Full<Bytes>> = match request.uri().path() {
        "/metrics" if is_local => {
            |state| with_header(Response::new(Full::new(state.page)), CONTENT_TYPE, Exposition::CONTENT_TYPE)
        }
        "/health" => |_| plain(StatusCode::OK, "healthy\n"),
        "/ready" => |state| match state.is_ready {
            true => plain(StatusCode::OK, "ready\n"),
            false => plain(StatusCode::SERVICE_UNAVAILABLE, "draining\n"),
        },
        _ if is_local => return plain(StatusCode::NOT_FOUND, "see /metrics, /health and /ready\n"),
        _ => return plain(StatusCode::NOT_FOUND, "see /health and /ready\n"),
    };
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return with_header(plain(StatusCode::METHOD_NOT_ALLOWED, "use GET\n"), ALLOW, "GET, HEAD");
    }
    let Some(state) = state else {
        return plain(StatusCode::SERVICE_UNAVAILABLE, "the server is starting\n");
    };
    let silence = state.at.elapsed();
    // Figures that are old are still true of their time.
    if silence > max_silence && request.uri().path() != "/metrics" {
        let text = format!("the loop of the server has not run for {} s\n", silence.as_secs());
        return plain(StatusCode::SERVICE_UNAVAILABLE, text);
    }
    respond(state)
}

fn host(headers: &HeaderMap) -> Option<&str> {
    let mut hosts = headers.get_all(HOST).iter();
    let first = hosts.next()?.to_str().ok()?;
    hosts.next().is_none().then_some(first)
}

fn plain(status: StatusCode, text: impl Into<Bytes>) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(text.into()));
    *response.status_mut() = status;
    with_header(response, CONTENT_TYPE, "text/plain; charset=utf-8")
}

fn with_header<T>(mut response: Response<T>, name: HeaderName, value: &'static str) -> Response<T> {
    response.headers_mut().insert(name, HeaderValue::from_static(value));
    response
}
