use httparse::{EMPTY_HEADER, Response, Status};

use crate::head::{HeadBuffer, HeadTooLong, MAX_HEADERS, has_word, only_value};
use crate::key::{KEY_BYTES, accept_key, encode_key};
use crate::mask::hash_of_seed;

/// The resource that a client requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    host: String,
    path: String,
}

impl Target {
    /// Returns the resource `/` of a host, such as `game.example:7778`. Characters that a header cannot have are dropped.
    pub fn new(host: &str) -> Self {
        Self {
            host: host.chars().filter(|character| character.is_ascii_graphic()).collect(),
            path: "/".into(),
        }
    }

    /// Returns the target with a path, which begins with `/`. Characters that a path cannot have are dropped.
    #[must_use]
    pub fn with_path(mut self, path: &str) -> Self {
        self.path = path.chars().filter(|character| character.is_ascii_graphic()).collect();
        if !self.path.starts_with('/') {
            self.path.insert(0, '/');
        }
        self
    }
}

/// The client's side of an upgrade: writes the request, reads the response.
#[derive(Clone, Debug)]
pub struct ClientUpgrade {
    head: HeadBuffer,
    accept: [u8; 28],
}

/// The reason why a client gave up an upgrade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResponseError {
    /// The head is longer than [`MAX_HEAD_BYTES`](crate::MAX_HEAD_BYTES), or has more than 64 lines.
    #[error("the upgrade response is too long")]
    TooLong,
    /// The head is not an HTTP response.
    #[error("not an HTTP response")]
    NotHttp,
    /// The server answered with another status than 101: 403 if the origin is not allowed.
    #[error("the server refused the WebSocket with HTTP status {0}")]
    Refused(u16),
    /// The response is not for this request, or has an extension or protocol that was not requested.
    #[error("not the response to this upgrade request")]
    NotUpgrade,
}

impl From<HeadTooLong> for ResponseError {
    fn from(HeadTooLong: HeadTooLong) -> Self {
        Self::TooLong
    }
}

impl ClientUpgrade {
    /// Creates the request for `target`. The key is made from `seed`, which should be random.
    pub fn new(target: &Target, seed: u64) -> (Self, Vec<u8>) {
        let random = hash_of_seed(b"key ", seed, 0);
        let key = encode_key(random.first_chunk::<KEY_BYTES>().copied().unwrap_or_default());
        let Target { host, path } = target;
        let mut request = format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
        )
        .into_bytes();
        request.extend_from_slice(&key);
        request.extend_from_slice(b"\r\n\r\n");
        (Self { head: HeadBuffer::default(), accept: accept_key(&key) }, request)
    }

    /// Moves the bytes of the response from the front of `data`. Returns whether the connection is open; frames follow.
    ///
    /// # Errors
    /// [`ResponseError`] if the server refused the upgrade or is not a WebSocket server. The caller must close the stream.
    pub fn handle_bytes(&mut self, data: &mut &[u8]) -> Result<bool, ResponseError> {
        let accept = self.accept;
        match self.head.read(data)? {
            Some(head) => check_response(head, accept).map(|()| true),
            None => Ok(false),
        }
    }
}

fn check_response(head: &[u8], accept: [u8; 28]) -> Result<(), ResponseError> {
    let mut headers = [EMPTY_HEADER; MAX_HEADERS];
    let mut response = Response::new(&mut headers);
    match response.parse(head) {
        Ok(Status::Complete(_)) => {}
        Err(httparse::Error::TooManyHeaders) => return Err(ResponseError::TooLong),
        Ok(Status::Partial) | Err(_) => return Err(ResponseError::NotHttp),
    }
    let status = response.code.ok_or(ResponseError::NotHttp)?;
    if status != 101 {
        return Err(ResponseError::Refused(status));
    }
    let headers = &*response.headers;
    let is_ours = has_word(headers, "upgrade", "websocket")
        && has_word(headers, "connection", "upgrade")
        && only_value(headers, "sec-websocket-accept") == Some(&accept[..]);
    // Neither was requested.
    let has_extras = headers.iter().any(|header| {
        ["sec-websocket-extensions", "sec-websocket-protocol"]
            .iter()
            .any(|name| header.name.eq_ignore_ascii_case(name))
    });
    if is_ours && !has_extras { Ok(()) } else { Err(ResponseError::NotUpgrade) }
}
