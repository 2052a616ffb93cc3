use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{ALLOW, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};

use super::address::is_loopback_host;
use super::exposition::Exposition;

const PATH: &str = "/metrics";

/// Returns the response to a request: the page, or an error.
pub(super) fn respond<T>(request: &Request<T>, page: Bytes) -> Response<Full<Bytes>> {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    match host(request.headers()) {
        None => error(StatusCode::BAD_REQUEST, "one Host header is required\n"),
        Some(host) if !is_loopback_host(host) => {
            error(StatusCode::FORBIDDEN, "the Host header must be localhost or a loopback address\n")
        }
        Some(_) if request.uri().path() != PATH => {
            error(StatusCode::NOT_FOUND, "the metrics are at /metrics\n")
        }
        Some(_) if !is_read => {
            let response = error(StatusCode::METHOD_NOT_ALLOWED, "use GET\n");
            with_header(response, ALLOW, "GET, HEAD")
        }
        Some(_) if page.is_empty() => error(StatusCode::SERVICE_UNAVAILABLE, "no figures yet\n"),
        Some(_) => with_header(Response::new(Full::new(page)), CONTENT_TYPE, Exposition::CONTENT_TYPE),
    }
}

fn host(headers: &HeaderMap) -> Option<&str> {
    let mut hosts = headers.get_all(HOST).iter();
    let first = hosts.next()?.to_str().ok()?;
    hosts.next().is_none().then_some(first)
}

fn error(status: StatusCode, text: &'static str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from_static(text.as_bytes())));
    *response.status_mut() = status;
    with_header(response, CONTENT_TYPE, "text/plain; charset=utf-8")
}

fn with_header<T>(mut response: Response<T>, name: HeaderName, value: &'static str) -> Response<T> {
    response.headers_mut().insert(name, HeaderValue::from_static(value));
    response
}
