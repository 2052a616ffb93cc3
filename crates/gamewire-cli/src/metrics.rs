//! Figures of a server for Prometheus, and its health for orchestrators, over HTTP.

mod address;
mod exposition;
mod http;

pub(crate) use address::{parse_address, parse_loopback_address};
pub(crate) use exposition::{Exposition, Histogram};
pub(crate) use http::Audience;

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener as StdListener};
use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};

use self::http::{Published, respond};
use crate::exit_status::Failure;

/// Maximum number of connections of a listener. Further ones wait in the system's queue.
const MAX_CONNECTIONS: usize = 64;
/// Maximum duration of a connection. Each connection serves one request.
const MAX_TIME: Duration = Duration::from_secs(3);
/// Time without a publication after which the server is not healthy. It publishes once a second.
const MAX_SILENCE: Duration = Duration::from_secs(5);
/// Maximum bytes of the head of a request; the minimum that the HTTP library allows.
const MAX_HEAD: usize = 8_192;
/// Delay before accepting is retried after a failure.
const ACCEPT_BACKOFF: Duration = Duration::from_millis(100);

/// A server of the metrics and the health. It runs on a separate thread, which ends when this is dropped.
#[derive(Debug)]
pub(crate) struct MetricsServer {
    state: watch::Sender<Option<Published>>,
    runtime: Runtime,
    limits: Limits,
}

#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Maximum duration of a connection.
    max_time: Duration,
    /// Time without a publication after which the server is not healthy.
    max_silence: Duration,
}

impl MetricsServer {
    /// Starts the thread. The server is neither healthy nor ready until [`publish`](Self::publish) is called.
    pub(crate) fn start() -> Result<Self, Failure> {
        Self::start_with(Limits { max_time: MAX_TIME, max_silence: MAX_SILENCE })
            .map_err(|error| Failure::Failed(format!("cannot start a thread for metrics: {error}")))
    }

    fn start_with(limits: Limits) -> io::Result<Self> {
        let runtime =
            Builder::new_multi_thread().worker_threads(1).thread_name("metrics").enable_all().build()?;
        Ok(Self { state: watch::Sender::new(None), runtime, limits })
    }

    /// Listens on `local` for `audience`, and returns the address.
    pub(crate) fn listen(&self, local: SocketAddr, audience: Audience) -> Result<SocketAddr, Failure> {
        self.open(local, audience).map_err(|error| {
            let what = match audience {
                Audience::ThisMachine => "metrics",
                Audience::Orchestrators => "health checks",
            };
            Failure::Failed(format!("cannot listen on {local} for {what}: {error}; choose another port"))
        })
    }

    fn open(&self, local: SocketAddr, audience: Audience) -> io::Result<SocketAddr> {
        let listener = StdListener::bind(local)?;
        listener.set_nonblocking(true)?;
        let local = listener.local_addr()?;
        let guard = self.runtime.enter();
        let listener = TcpListener::from_std(listener)?;
        drop(guard);
        self.runtime.spawn(accept(listener, audience, self.state.subscribe(), self.limits));
        Ok(local)
    }

    /// Replaces the page of metrics, and whether the server is ready. Responses in flight keep the old ones.
    pub(crate) fn publish(&self, page: String, is_ready: bool) {
        self.state.send_replace(Some(Published { page: page.into(), is_ready, at: Instant::now() }));
    }
}

async fn accept(
    listener: TcpListener,
    audience: Audience,
    state: watch::Receiver<Option<Published>>,
    limits: Limits,
) {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    while let Ok(place) = Arc::clone(&places).acquire_owned().await {
        let Ok((stream, _)) = listener.accept().await else {
            sleep(ACCEPT_BACKOFF).await;
            continue;
        };
        let state = state.clone();
        tokio::spawn(async move {
            // An error ends only this connection.
            _ = timeout(limits.max_time, serve(stream, audience, state, limits.max_silence)).await;
            drop(place);
        });
    }
}

/// Serves one request.
async fn serve(
    stream: TcpStream,
    audience: Audience,
    state: watch::Receiver<Option<Published>>,
    max_silence: Duration,
) -> hyper::Result<()> {
    let service = service_fn(async |request| {
        let state = state.borrow().clone();
        Ok::<_, Infallible>(respond(&request, audience, state, max_silence))
    });
    let mut http = http1::Builder::new();
    // The timeout of the connection also covers the head of the request.
    http.keep_alive(false).max_buf_size(MAX_HEAD).header_read_timeout(None);
    http.serve_connection(TokioIo::new(stream), service).await
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;
    use std::time::Instant;

    use super::*;

    const PAGE: &str = "# TYPE up gauge\nup 1\n";

    const LIMITS: Limits = Limits { max_time: MAX_TIME, max_silence: Duration::from_secs(3600) };

    fn open(limits: Limits) -> (MetricsServer, SocketAddr) {
        let server = MetricsServer::start_with(limits).unwrap();
        let local = server.listen("127.0.0.1:0".parse().unwrap(), Audience::ThisMachine).unwrap();
        server.publish(PAGE.into(), true);
        (server, local)
    }

    fn connect(local: SocketAddr) -> TcpStream {
        let stream = TcpStream::connect(local).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        stream
    }

    /// Returns the whole response to a request; empty if the connection closed or was reset.
    fn response(local: SocketAddr, request: &str) -> String {
        let mut stream = connect(local);
        _ = stream.write_all(request.as_bytes());
        let mut response = Vec::new();
        _ = stream.read_to_end(&mut response);
        String::from_utf8(response).unwrap()
    }

    #[test]
    fn a_scrape_receives_the_published_page() {
        let (server, local) = open(LIMITS);
        let found = response(local, &format!("GET /metrics HTTP/1.1\r\nHost: {local}\r\n\r\n"));
        assert!(found.starts_with("HTTP/1.1 200 OK\r\n"), "{found}");
        assert!(found.contains("content-type: text/plain; version=0.0.4; charset=utf-8\r\n"), "{found}");
        assert!(found.ends_with(&format!("\r\n\r\n{PAGE}")), "{found}");

        server.publish("up 2\n".into(), true);
        let found = response(local, "GET /metrics?a=b HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n");
        assert!(found.ends_with("\r\n\r\nup 2\n"), "{found}");
        let found = response(local, "HEAD /metrics HTTP/1.1\r\nHost: [::1]\r\n\r\n");
        assert!(found.starts_with("HTTP/1.1 200 OK\r\n") && found.ends_with("\r\n\r\n"), "{found}");
    }

    #[test]
    fn other_requests_are_answered_by_their_status() {
        let (_server, local) = open(LIMITS);
        for (request, status) in [
            ("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "404 Not Found"),
            (
                "POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nhi",
                "405 Method Not Allowed",
            ),
            ("GET /metrics HTTP/1.1\r\nHost: metrics.example\r\n\r\n", "403 Forbidden"),
            ("GET /metrics HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", "400 Bad Request"),
            ("GET /metrics HTTP/1.1\r\n\r\n", "400 Bad Request"),
            ("hello\r\n\r\n", "400 Bad Request"),
        ] {
            let found = response(local, request);
            assert!(found.starts_with(&format!("HTTP/1.1 {status}\r\n")), "{request:?}: {found}");
            assert!(!found.contains("up 1"), "{request:?}: {found}");
        }
    }

    #[test]
    fn a_server_is_ready_while_it_accepts_clients_and_healthy_while_its_loop_runs() {
        let get = |local, path: &str| {
            let found = response(local, &format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"));
            found.split(' ').nth(1).unwrap().to_owned()
        };
        let (server, local) = open(LIMITS);
        server.state.send_replace(None);
        assert_eq!(["/metrics", "/health", "/ready"].map(|path| get(local, path)), ["503"; 3], "it starts");
        for (is_ready, status) in [(true, "200"), (false, "503"), (true, "200")] {
            server.publish(PAGE.into(), is_ready);
            assert_eq!((get(local, "/health"), get(local, "/ready")), ("200".into(), status.into()));
        }
        // No time without a publication is allowed.
        let (_server, local) = open(Limits { max_silence: Duration::ZERO, ..LIMITS });
        assert_eq!(["/health", "/ready", "/metrics"].map(|path| get(local, path)), ["503", "503", "200"]);
    }

    #[test]
    fn orchestrators_of_other_machines_read_the_health_only() {
        let (server, _) = open(LIMITS);
        let local = server.listen("127.0.0.1:0".parse().unwrap(), Audience::Orchestrators).unwrap();
        for (request, status) in [
            ("GET /health HTTP/1.1\r\nHost: 10.1.2.3:8080\r\n\r\n", "HTTP/1.1 200 OK"),
            ("GET /ready HTTP/1.1\r\nHost: game.example\r\n\r\n", "HTTP/1.1 200 OK"),
            ("GET /health HTTP/1.0\r\n\r\n", "HTTP/1.0 200 OK"),
            (
                "POST /ready HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 405 Method Not Allowed",
            ),
            ("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 404 Not Found"),
        ] {
            let found = response(local, request);
            assert!(found.starts_with(&format!("{status}\r\n")), "{request:?}: {found}");
            assert!(!found.contains("up 1"), "{request:?}: {found}");
        }
    }

    #[test]
    fn a_head_that_is_too_large_is_not_read_on() {
        let (_server, local) = open(LIMITS);
        let head = format!("GET /metrics HTTP/1.1\r\nHost: localhost\r\nX: {}", "x".repeat(1 << 20));
        let found = response(local, &head);
        // The response is lost if the system resets the connection for the unread rest.
        assert!(found.is_empty() || found.starts_with("HTTP/1.1 431 "), "{found}");
    }

    #[test]
    fn slow_requests_end_and_others_are_served_after_them() {
        let max_time = Duration::from_millis(300);
        let (_server, local) = open(Limits { max_time, ..LIMITS });
        let began = Instant::now();
        let slow: Vec<_> = (0..3 * MAX_CONNECTIONS)
            .map(|_| {
                let mut stream = connect(local);
                stream.write_all(b"GET /metrics HTTP/1.1\r\nHo").unwrap();
                stream
            })
            .collect();
        let found = response(local, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assert!(found.ends_with(PAGE), "{found}");
        assert!(began.elapsed() >= max_time.saturating_mul(3), "64 at once: {:?}", began.elapsed());
        for mut stream in slow {
            let mut rest = Vec::new();
            _ = stream.read_to_end(&mut rest);
            assert!(rest.is_empty());
        }
    }

    #[test]
    fn the_port_is_free_when_the_server_is_dropped_during_a_request() {
        let (server, local) = open(LIMITS);
        let other = MetricsServer::start_with(LIMITS).unwrap();
        let mut stream = connect(local);
        stream.write_all(b"GET /me").unwrap();
        assert!(other.listen(local, Audience::ThisMachine).is_err(), "it is in use");
        drop(server);
        assert!(TcpStream::connect(local).is_err());
        other.listen(local, Audience::ThisMachine).unwrap();
    }
}
