use crate::{
    AllowedOrigins, ClientUpgrade, MAX_HEAD_BYTES, RequestError, ResponseError, ServerUpgrade, Target,
};

/// The request of RFC 6455, section 1.3.
const REQUEST: &str = "GET /chat HTTP/1.1\r\nHost: server.example.com\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: http://example.com\r\n\
    Sec-WebSocket-Protocol: chat, superchat\r\nSec-WebSocket-Version: 13\r\n\r\n";

fn answered(request: &str, origins: &AllowedOrigins) -> (Result<bool, RequestError>, String) {
    let mut response = Vec::new();
    let outcome = ServerUpgrade::default().handle_bytes(&mut request.as_bytes(), origins, &mut response);
    (outcome, String::from_utf8(response).unwrap())
}

#[test]
fn the_request_of_the_rfc_gets_its_answer() {
    let (outcome, response) = answered(REQUEST, &AllowedOrigins::any());
    assert_eq!(outcome, Ok(true));
    assert!(response.starts_with("HTTP/1.1 101 "), "{response}");
    assert!(response.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"), "{response}");
    assert!(response.ends_with("\r\n\r\n") && !response.contains("Protocol: chat"), "{response}");
}

#[test]
fn a_head_may_be_cut_anywhere_and_frames_may_follow() {
    let whole = [REQUEST.as_bytes(), b"frames"].concat();
    for at in 1..REQUEST.len() {
        let (mut upgrade, mut response) = (ServerUpgrade::default(), Vec::new());
        let (first, second) = whole.split_at(at);
        let (mut first, mut second) = (first, second);
        assert_eq!(upgrade.handle_bytes(&mut first, &AllowedOrigins::any(), &mut response), Ok(false));
        assert!(first.is_empty() && response.is_empty());
        assert_eq!(upgrade.handle_bytes(&mut second, &AllowedOrigins::any(), &mut response), Ok(true));
        assert_eq!(second, b"frames");
    }
}

#[test]
fn what_is_not_an_upgrade_is_refused_with_its_status() {
    for (from, to, status) in [
        ("GET", "POST", "400"),
        ("HTTP/1.1", "HTTP/1.0", "400"),
        ("GET /chat", "GET\0/chat", "400"),
        ("Upgrade: websocket", "Upgrade: h2c", "400"),
        ("Connection: Upgrade", "Connection: close", "400"),
        ("Host: server.example.com\r\n", "", "400"),
        ("Host: ", "Host: a\r\nHost: ", "400"),
        ("dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZQ", "400"),
        ("dGhlIHNhbXBsZSBub25jZQ==", "!GhlIHNhbXBsZSBub25jZQ==", "400"),
        ("Version: 13", "Version: 8", "426"),
        ("Version: 13", "Version: 13\r\nSec-WebSocket-Version: 8", "426"),
    ] {
        let request = REQUEST.replacen(from, to, 1);
        assert_ne!(request, REQUEST);
        let (outcome, response) = answered(&request, &AllowedOrigins::any());
        assert!(outcome.is_err(), "{request}");
        assert!(response.starts_with(&format!("HTTP/1.1 {status} ")), "{request}{response}");
    }
    let header = "Connection: keep-alive, Upgrade\r\nUpgrade: WebSocket";
    let request =
        REQUEST.replacen("Connection: Upgrade", header, 1).replacen("Upgrade: websocket\r\n", "", 1);
    assert_eq!(answered(&request, &AllowedOrigins::any()).0, Ok(true));
}

#[test]
fn origins_are_allowed_by_the_list() {
    let list = AllowedOrigins::list(["https://game.example", "http://game.example:8080/"]);
    let (loopback, any) = (AllowedOrigins::default(), AllowedOrigins::any());
    for (origin, expected) in [
        (None, [true, true, true]),
        (Some("https://game.example"), [true, false, true]),
        (Some("HTTPS://GAME.EXAMPLE"), [true, false, true]),
        (Some("http://game.example:8080"), [true, false, true]),
        (Some("http://game.example"), [false, false, true]),
        (Some("https://game.example.evil.example"), [false, false, true]),
        (Some("http://localhost"), [false, true, true]),
        (Some("http://localhost:8000"), [false, true, true]),
        (Some("https://[::1]:8000"), [false, true, true]),
        (Some("http://127.0.0.1:1"), [false, true, true]),
        (Some("http://localhost.evil.example"), [false, false, true]),
        (Some("http://localhost:80.evil.example"), [false, false, true]),
        (Some("http://127.0.0.1@evil.example"), [false, false, true]),
        (Some("null"), [false, false, true]),
        (Some(""), [false, false, true]),
    ] {
        let allowed = [&list, &loopback, &any].map(|origins| origins.allows(origin));
        assert_eq!(allowed, expected, "{origin:?}");
    }
}

#[test]
fn w1_a_page_of_another_origin_gets_403() {
    for origin in ["http://evil.example", "null"] {
        let request = REQUEST.replacen("http://example.com", origin, 1);
        let (outcome, response) = answered(&request, &AllowedOrigins::default());
        assert_eq!(outcome, Err(RequestError::Origin(origin.into())));
        assert!(response.starts_with("HTTP/1.1 403 "), "{response}");
    }
}

#[test]
fn a_client_opens_what_a_server_accepts_and_nothing_else() {
    let (client, request) = ClientUpgrade::new(&Target::new("h\r\nx:1").with_path("a b\r\n"), 7);
    let text = String::from_utf8(request.clone()).unwrap();
    assert!(text.starts_with("GET /ab HTTP/1.1\r\nHost: hx:1\r\n"), "{text}");
    let (outcome, response) = answered(&text, &AllowedOrigins::default());
    assert_eq!(outcome, Ok(true));
    assert_eq!(client.clone().handle_bytes(&mut response.as_bytes()), Ok(true));
    for (from, to, error) in [
        ("HTTP/1.1 101", "HTTP/1.1 403", ResponseError::Refused(403)),
        ("HTTP", "FTP", ResponseError::NotHttp),
        ("Accept: ", "Accept: A", ResponseError::NotUpgrade),
        ("Upgrade: websocket\r\n", "", ResponseError::NotUpgrade),
        ("Upgrade: ", "Sec-WebSocket-Extensions: permessage-deflate\r\nUpgrade: ", ResponseError::NotUpgrade),
    ] {
        let response = response.replacen(from, to, 1);
        assert_eq!(client.clone().handle_bytes(&mut response.as_bytes()), Err(error), "{response}");
    }
    let (other, _) = ClientUpgrade::new(&Target::new("h"), 8);
    assert_eq!(other.clone().handle_bytes(&mut response.as_bytes()), Err(ResponseError::NotUpgrade));
}

#[test]
fn w1_a_head_by_the_megabyte_is_refused_after_8_kib() {
    let start = "GET / HTTP/1.1\r\nCookie: ";
    let (mut upgrade, mut response) = (ServerUpgrade::default(), Vec::new());
    let mut read = 0;
    let origins = AllowedOrigins::any();
    let chunks = core::iter::once(start.as_bytes()).chain(core::iter::repeat(&[b'a'; 1000][..]));
    for mut chunk in chunks.take(1000) {
        let before = chunk.len();
        match upgrade.handle_bytes(&mut chunk, &origins, &mut response) {
            Ok(is_open) => assert!(!is_open),
            Err(error) => {
                assert_eq!(error, RequestError::TooLong);
                assert!(response.starts_with(b"HTTP/1.1 431 "));
                assert!(read + before - chunk.len() <= MAX_HEAD_BYTES);
                let many = "x: y\r\n".repeat(65);
                let request = format!("GET / HTTP/1.1\r\n{many}\r\n");
                assert_eq!(answered(&request, &origins).0, Err(RequestError::TooLong));
                return;
            }
        }
        read += before - chunk.len();
    }
    panic!("a megabyte was read");
}
