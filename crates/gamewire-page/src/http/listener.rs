//! Connections of browsers. Their number is bounded, and a peer that neither sends a request nor reads is disconnected.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rustix::net::sockopt::set_socket_send_buffer_size;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::sleep;
use tokio_io_timeout::TimeoutStream;

use super::strangers::{Stranger, Strangers};

/// Delay before the next attempt to accept after a failure.
const ACCEPT_BACKOFF: Duration = Duration::from_millis(100);

/// Size of the send buffer of a connection in bytes. Writes to a peer that does not read fail only after it is full. The
/// default of several megabytes would take minutes to fill.
const SEND_BUFFER: usize = 128 << 10;

/// Limits of the connections of a page.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConnectionLimits {
    /// Maximum number of connections. At the limit, a new one replaces the oldest one without an accepted request;
    /// if there is none, it waits.
    pub(super) connections: usize,
    /// Maximum number of connections without an accepted request from one address other than loopback. At the limit, a
    /// new one replaces the oldest of them.
    pub(super) strangers_per_address: usize,
    /// Maximum time until the whole head of the first request, or of the next one.
    pub(super) head_time: Duration,
    /// Maximum time that a write waits for the reader.
    pub(super) write_time: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            connections: 64,
            strangers_per_address: 8,
            head_time: Duration::from_secs(3),
            write_time: Duration::from_secs(10),
        }
    }
}

/// Accepts connections and serves their requests. A request has its [`Stranger`] as an extension.
pub(super) async fn serve(listener: TcpListener, router: Router, limits: ConnectionLimits) {
    let places = Arc::new(Semaphore::new(limits.connections));
    let strangers = Strangers::new(limits.strangers_per_address);
    loop {
        let Ok((stream, from)) = listener.accept().await else {
            sleep(ACCEPT_BACKOFF).await;
            continue;
        };
        if places.available_permits() == 0 {
            strangers.close_oldest();
        }
        // The semaphore is never closed.
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let router = router.clone();
        strangers.admit(from.ip(), |stranger| connection(stream, router, limits, stranger, place));
    }
}

/// Serves the requests of a connection until it ends. An error ends only this connection.
async fn connection(
    stream: TcpStream,
    router: Router,
    limits: ConnectionLimits,
    stranger: Stranger,
    _place: OwnedSemaphorePermit,
) {
    // Send events immediately, although they are small.
    let _ = stream.set_nodelay(true);
    let _ = set_socket_send_buffer_size(&stream, SEND_BUFFER);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(limits.write_time));
    let router = TowerToHyperService::new(router);
    let service = service_fn(|mut request: Request<Incoming>| {
        request.extensions_mut().insert(stranger.clone());
        router.call(request)
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.head_time);
    let _ = http.serve_connection(TokioIo::new(Box::pin(stream)), service).await;
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::{SocketAddr, TcpStream as StdStream};
    use std::time::Instant;

    use axum::Extension;
    use axum::body::Body;
    use axum::middleware::from_fn_with_state;
    use axum::routing::{get, post};
    use tokio::runtime::Runtime;

    use super::super::body::{BodyLimit, read_body};
    use super::*;

    const REQUEST: &[u8] = b"GET / HTTP/1.0\r\n\r\n";
    /// Maximum time to wait. It only ends a test that hangs.
    const LIMIT: Duration = Duration::from_secs(120);

    /// Serves `/` to every connection, `/large` with an endless response, and `/body`, which accepts a body of at most
    /// 8 bytes.
    fn open(limits: ConnectionLimits) -> (Runtime, SocketAddr) {
        let runtime = Runtime::new().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let local = listener.local_addr().unwrap();
        let accepted = |Extension(stranger): Extension<Stranger>| async move {
            stranger.accept();
            "hello"
        };
        let large = || async {
            let parts = futures_util::stream::repeat_with(|| Ok::<_, std::io::Error>(vec![b'x'; 1 << 16]));
            Body::from_stream(parts)
        };
        let limit = BodyLimit { bytes: 8, time: Duration::from_millis(300) };
        let body = post(|body: String| async { body }).layer(from_fn_with_state(limit, read_body));
        let router = Router::new().route("/", get(accepted)).route("/large", get(large)).route("/body", body);
        runtime.spawn(serve(listener, router, limits));
        (runtime, local)
    }

    fn connect(to: SocketAddr) -> StdStream {
        let stream = StdStream::connect(to).unwrap();
        stream.set_read_timeout(Some(LIMIT)).unwrap();
        stream
    }

    fn response(mut stream: StdStream, request: &[u8]) -> Vec<u8> {
        let mut response = Vec::new();
        let _ = stream.write_all(request);
        let _ = stream.read_to_end(&mut response);
        response
    }

    #[test]
    fn g4_idle_connections_and_slow_heads_give_way_to_a_request() {
        let (_runtime, local) = open(ConnectionLimits { head_time: LIMIT, ..ConnectionLimits::default() });
        let mut idle: Vec<_> = (0..200).map(|_| connect(local)).collect();
        for stream in idle.iter_mut().step_by(2) {
            let _ = stream.write_all(b"GET / HT");
        }
        for _ in 0..3 {
            assert!(response(connect(local), REQUEST).ends_with(b"hello"));
        }
    }

    #[test]
    fn g4_a_connection_without_a_whole_head_is_closed_in_time() {
        let limits =
            ConnectionLimits { head_time: Duration::from_millis(300), ..ConnectionLimits::default() };
        let (_runtime, local) = open(limits);
        let began = Instant::now();
        let mut kept = connect(local);
        kept.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        for part in [&b""[..], b"GET / HTTP/1.1\r\nHos"] {
            assert!(response(connect(local), part).is_empty());
        }
        // After the first request, the next one has as much time.
        assert!(response(kept, b"").ends_with(b"hello"));
        assert!(began.elapsed() >= limits.head_time);
    }

    #[test]
    fn g4_a_response_that_is_not_read_ends() {
        let write_time = Duration::from_millis(300);
        let limits = ConnectionLimits { connections: 1, write_time, ..ConnectionLimits::default() };
        let (_runtime, local) = open(limits);
        let mut lazy = connect(local);
        lazy.write_all(b"GET /large HTTP/1.0\r\n\r\n").unwrap();
        // It has the only place, until its unread bytes have waited for too long.
        lazy.read_exact(&mut [0; 1]).unwrap();
        assert!(response(connect(local), REQUEST).ends_with(b"hello"));
    }

    #[test]
    fn g4_a_body_has_a_size_and_a_time() {
        let (_runtime, local) = open(ConnectionLimits::default());
        for (length, sent, expected) in
            [(5, "hello", "hello"), (6, "hello", "too slowly\"}"), (9, "too long!", "too large\"}")]
        {
            let request = format!("POST /body HTTP/1.0\r\nContent-Length: {length}\r\n\r\n{sent}");
            let found = String::from_utf8(response(connect(local), request.as_bytes())).unwrap();
            assert!(found.ends_with(expected), "{found}");
        }
    }

    #[test]
    fn g4_connections_of_one_address_give_way_to_its_own() {
        let strangers = Strangers::new(2);
        let runtime = Runtime::new().unwrap();
        let _guard = runtime.enter();
        let admit = |from: &str| {
            let (ended, wait) = std::sync::mpsc::channel::<()>();
            strangers.admit(from.parse().unwrap(), |stranger| async move {
                let _kept = (stranger, ended);
                std::future::pending::<()>().await;
            });
            wait
        };
        let is_closed = |wait: &std::sync::mpsc::Receiver<()>| wait.recv_timeout(LIMIT).is_err();
        let first = admit("2001:db8::1");
        let other = admit("10.0.0.1");
        let second = admit("2001:db8::2");
        let third = admit("2001:db8::ffff:1");
        assert!(is_closed(&first), "the network of an address of IPv6 counts");
        let local: Vec<_> = (0..50).map(|_| admit("127.0.0.1")).collect();
        for open in local.iter().chain([&other, &second, &third]) {
            assert!(matches!(open.try_recv(), Err(std::sync::mpsc::TryRecvError::Empty)));
        }
        strangers.close_oldest();
        assert!(is_closed(&other));
    }
}
