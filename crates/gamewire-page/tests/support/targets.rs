//! The targets `explain` and `http_request` of the fuzzer. Each takes any bytes and panics if a property does not hold.
#![allow(dead_code, unreachable_pub, reason = "each fuzz target uses a part of it")]
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a broken promise is a panic")]

use std::net::SocketAddr;
use std::sync::LazyLock;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode, Uri};
use futures_util::StreamExt as _;
use gamewire_inspect::protocol::ProtocolConfig;
use gamewire_page::explain::{Explanations, explain as explain_bytes, parse_hex};
use gamewire_page::traffic::{Selection, SourceKind, read_capture};
use gamewire_page::{CommandKind, Page, PageConfig, router};
use tokio::runtime::{Builder, Runtime};
use tower_service::Service as _;

/// Maximum bytes to explain. More are slower, and reach nothing else.
const MAX_EXPLAINED: usize = 128;
/// Maximum bytes of a request.
const MAX_REQUEST: usize = 1_024;
const CAPTURE: &[u8] = include_bytes!("../../../../vectors/riptide/captures/pytide-2.1.0a0-udp.pcapng");
/// The token of a page that does not listen on loopback.
const TOKEN: &str = "0123456789abcdef";

static CONFIG: LazyLock<ProtocolConfig> = LazyLock::new(ProtocolConfig::default);

/// Explains pasted text, or bytes if the first byte is odd. Returns whether there is an explanation.
///
/// The first explanation has no more errors than any other, and none if it is certain.
pub fn explain(input: &[u8]) -> bool {
    let Some((&start, content)) = input.split_first() else { return false };
    let parsed = if start % 2 == 0 {
        let Ok(parsed) = parse_hex(&String::from_utf8_lossy(content)) else { return false };
        parsed
    } else {
        content.to_vec()
    };
    let bytes = parsed.get(..MAX_EXPLAINED).unwrap_or(&parsed);
    let Explanations { found, is_certain } = explain_bytes(bytes, &CONFIG);
    let Some(best) = found.first() else { return false };
    let errors = best.record.errors();
    assert!(found.iter().all(|other| errors <= other.record.errors()));
    assert!(!is_certain || errors == 0);
    let again = best.candidate.clone().explain(bytes, &CONFIG).expect("it was explained before");
    assert_eq!(again.record.errors(), errors);
    errors == 0
}

/// Sends a request to a page: on loopback without a token, or elsewhere with one if the host begins with `10.`. The
/// input is the request as HTTP/1 sends it. Returns the status of the response, or `None` if the request is malformed.
///
/// No request makes the page fail, and each response has the headers that isolate it. Without the token, and from other
/// pages, a request gets no data. JSON is valid.
pub fn http_request(input: &[u8]) -> Option<u16> {
    thread_local! {
        static RUNTIME: Runtime = Builder::new_current_thread().enable_time().build().unwrap();
    }
    static PAGE: LazyLock<Page> = LazyLock::new(page);
    let input = input.get(..MAX_REQUEST).unwrap_or(input);
    let request = request(input)?;
    // The response to HEAD has no body.
    let (headers, has_body) = (request.headers().clone(), request.method() != Method::HEAD);
    let is_remote = headers.get(HOST).is_some_and(|host| host.as_bytes().starts_with(b"10."));
    let (local, token): (SocketAddr, _) = match is_remote {
        true => (([10, 0, 0, 7], 8_642).into(), Some(TOKEN.to_owned())),
        false => (([127, 0, 0, 1], 8_642).into(), None),
    };
    let mut router: Router = router(PAGE.clone(), local, token);
    let (status, headers_of_response, body) = RUNTIME.with(|runtime| {
        runtime.block_on(async {
            let response = router.call(request).await.unwrap();
            let (head, body) = response.into_parts();
            let is_endless = content_type(&head.headers) == "text/event-stream";
            let body = if is_endless && has_body { first_part(body).await } else { whole(body).await };
            (head.status, head.headers, body)
        })
    });
    let is_failure = status.is_server_error() && status != StatusCode::SERVICE_UNAVAILABLE;
    assert!(!is_failure, "{status}: {}", String::from_utf8_lossy(&body));
    assert!(headers_of_response.contains_key(CONTENT_SECURITY_POLICY));
    if status.is_success() {
        assert!(headers.get_all(HOST).iter().count() == 1 && headers.get_all(ORIGIN).iter().count() <= 1);
        let has_token = input.windows(TOKEN.len()).any(|part| part == TOKEN.as_bytes());
        assert!(!is_remote || has_token, "data without the token");
        assert!(
            !is_remote
                || !headers.contains_key(ORIGIN)
                || headers[ORIGIN].as_bytes().starts_with(b"http://10.")
        );
    }
    if has_body && content_type(&headers_of_response) == "application/json" {
        serde_json::from_slice::<serde_json::Value>(&body).expect("JSON");
    }
    Some(status.as_u16())
}

/// Returns a page with a recorded conversation. No program reads its commands.
fn page() -> Page {
    let commands = vec![CommandKind::Link, CommandKind::Close, CommandKind::Replay];
    let (page, _) = Page::new(PageConfig { commands, ..PageConfig::default() });
    let source = page.add_source("capture", SourceKind::File);
    read_capture(&source, CAPTURE, CONFIG.clone(), &Selection::default(), u64::MAX).unwrap();
    page
}

/// Parses a request: its line, its headers, an empty line, and its body.
fn request(input: &[u8]) -> Option<Request<Body>> {
    let end = input.windows(4).position(|part| part == b"\r\n\r\n")?;
    let (head, body) = (str::from_utf8(input.get(..end)?).ok()?, input.get(end.checked_add(4)?..)?);
    let mut lines = head.split("\r\n");
    let mut words = lines.next()?.split(' ');
    let mut request = Request::new(Body::from(body.to_vec()));
    *request.method_mut() = words.next()?.parse::<Method>().ok()?;
    *request.uri_mut() = words.next()?.parse::<Uri>().ok()?;
    for line in lines {
        let (name, value) = line.split_once(':')?;
        let name = name.parse::<HeaderName>().ok()?;
        request.headers_mut().append(name, value.trim().parse::<HeaderValue>().ok()?);
    }
    Some(request)
}

fn content_type(headers: &HeaderMap) -> &str {
    headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

async fn whole(body: Body) -> Vec<u8> {
    to_bytes(body, 1 << 24).await.unwrap().to_vec()
}

async fn first_part(body: Body) -> Vec<u8> {
    body.into_data_stream().next().await.unwrap().unwrap().to_vec()
}
