use httparse::{EMPTY_HEADER, Request, Status};

use crate::AllowedOrigins;
use crate::head::{HeadBuffer, HeadTooLong, MAX_HEADERS, has_word, only_value};
use crate::key::{accept_key, is_valid_key};

/// Maximum bytes of a refused origin that are kept for the log.
const MAX_LOGGED_ORIGIN: usize = 128;

/// The server's side of an upgrade: reads the request, writes the response.
#[derive(Clone, Debug, Default)]
pub struct ServerUpgrade {
    head: HeadBuffer,
}

/// The reason why a server refused an upgrade.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// The head is longer than [`MAX_HEAD_BYTES`](crate::MAX_HEAD_BYTES), or has more than 64 lines.
    #[error("the upgrade request is too long")]
    TooLong,
    /// The head is not an HTTP/1.1 request with the method GET.
    #[error("not an HTTP/1.1 GET request")]
    NotHttp,
    /// The request does not ask for a WebSocket, or lacks a valid key.
    #[error("not a WebSocket upgrade request")]
    NotUpgrade,
    /// The client has another version of the protocol than 13.
    #[error("unsupported WebSocket version")]
    Version,
    /// The page that opened the WebSocket is not allowed.
    #[error("origin not allowed: {0:?}")]
    Origin(String),
}

impl RequestError {
    /// Returns the HTTP response, after which the server closes the stream.
    pub const fn response(&self) -> &'static [u8] {
        match self {
            Self::TooLong => {
                b"HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
            }
            Self::NotHttp | Self::NotUpgrade => {
                b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
            }
            Self::Version => {
                b"HTTP/1.1 426 Upgrade Required\r\nSec-WebSocket-Version: 13\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
            }
            Self::Origin(_) => b"HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
        }
    }
}

impl From<HeadTooLong> for RequestError {
    fn from(HeadTooLong: HeadTooLong) -> Self {
        Self::TooLong
    }
}

impl ServerUpgrade {
    /// Returns the bytes that the upgrade buffers.
    pub const fn held_bytes(&self) -> usize {
        self.head.held_bytes()
    }

    /// Moves the bytes of the request from the front of `data`. Returns whether the request is complete. Its response is
    /// appended to `response` then; frames follow.
    ///
    /// # Errors
    /// [`RequestError`] if the upgrade is refused. An HTTP response with the error is appended to `response`, and the caller
    /// must close the stream.
    pub fn handle_bytes(
        &mut self,
        data: &mut &[u8],
        origins: &AllowedOrigins,
        response: &mut Vec<u8>,
    ) -> Result<bool, RequestError> {
        let key = self.head.read(data).map_err(RequestError::from);
        let key = key.and_then(|head| head.map(|head| check_request(head, origins)).transpose());
        match key {
            Ok(None) => Ok(false),
            Ok(Some(accept)) => {
                response.extend_from_slice(
                    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ",
                );
                response.extend_from_slice(&accept);
                response.extend_from_slice(b"\r\n\r\n");
                Ok(true)
            }
            Err(error) => {
                response.extend_from_slice(error.response());
                Err(error)
            }
        }
    }
}

/// Checks a request, and returns the answer to its key.
fn check_request(head: &[u8], origins: &AllowedOrigins) -> Result<[u8; 28], RequestError> {
    let mut headers = [EMPTY_HEADER; MAX_HEADERS];
    let mut request = Request::new(&mut headers);
    match request.parse(head) {
        Ok(Status::Complete(_)) => {}
        Err(httparse::Error::TooManyHeaders) => return Err(RequestError::TooLong),
        Ok(Status::Partial) | Err(_) => return Err(RequestError::NotHttp),
    }
    if request.method != Some("GET") || request.version != Some(1) {
        return Err(RequestError::NotHttp);
    }
    let headers = &*request.headers;
    if !has_word(headers, "upgrade", "websocket")
        || !has_word(headers, "connection", "upgrade")
        || only_value(headers, "host").is_none()
    {
        return Err(RequestError::NotUpgrade);
    }
    if only_value(headers, "sec-websocket-version") != Some(b"13") {
        return Err(RequestError::Version);
    }
    let key = only_value(headers, "sec-websocket-key").filter(|key| is_valid_key(key));
    let key = key.ok_or(RequestError::NotUpgrade)?;
    let origin = headers.iter().find(|header| header.name.eq_ignore_ascii_case("origin"));
    let origin = origin.map(|header| String::from_utf8_lossy(header.value));
    if !origins.allows(origin.as_deref()) {
        let origin = origin.unwrap_or_default().chars().take(MAX_LOGGED_ORIGIN).collect();
        return Err(RequestError::Origin(origin));
    }
    Ok(accept_key(key))
}
