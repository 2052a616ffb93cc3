//! Figures of a server for Prometheus, over HTTP on the loopback interface.

mod address;
mod exposition;
mod http;

pub(crate) use address::parse_address;
pub(crate) use exposition::{Exposition, Histogram};

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener as StdListener};
use std::sync::Arc;
use std::time::Duration;

use hyper::body::Bytes;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};

use self::http::respond;
use crate::exit_status::Failure;

/// Maximum number of connections. Further ones wait in the system's queue.
const MAX_CONNECTIONS: usize = 64;
/// Maximum duration of a connection. Each connection serves one request.
const MAX_TIME: Duration = Duration::from_secs(3);
/// Maximum bytes of the head of a request; the minimum that the HTTP library allows.
const MAX_HEAD: usize = 8_192;
/// Delay before accepting is retried after a failure.
const ACCEPT_BACKOFF: Duration = Duration::from_millis(100);

/// A server of one page for Prometheus. It runs on a separate thread, which ends when this is dropped.
#[derive(Debug)]
pub(crate) struct MetricsServer {
    local: SocketAddr,
    page: watch::Sender<Bytes>,
    _runtime: Runtime,
}

impl MetricsServer {
    /// Listens on `local`. The page is empty until [`publish`](Self::publish) is called.
    pub(crate) fn listen(local: SocketAddr) -> Result<Self, Failure> {
        Self::open(local, MAX_TIME).map_err(|error| {
            Failure::Failed(format!("cannot listen on {local} for metrics: {error}; choose another port"))
        })
    }

    fn open(local: SocketAddr, max_time: Duration) -> io::Result<Self> {
        let listener = StdListener::bind(local)?;
        listener.set_nonblocking(true)?;
        let local = listener.local_addr()?;
        let runtime =
            Builder::new_multi_thread().worker_threads(1).thread_name("metrics").enable_all().build()?;
        let (page, published) = watch::channel(Bytes::new());
        let guard = runtime.enter();
        let listener = TcpListener::from_std(listener)?;
        drop(guard);
        runtime.spawn(accept(listener, published, max_time));
        Ok(Self { local, page, _runtime: runtime })
    }

    /// Returns the address that the server listens on.
    pub(crate) const fn local_addr(&self) -> SocketAddr {
        self.local
    }

    /// Replaces the page. Responses in flight keep the old one.
    pub(crate) fn publish(&self, page: String) {
        self.page.send_replace(page.into());
    }
}

async fn accept(listener: TcpListener, page: watch::Receiver<Bytes>, max_time: Duration) {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    while let Ok(place) = Arc::clone(&places).acquire_owned().await {
        let Ok((stream, _)) = listener.accept().await else {
            sleep(ACCEPT_BACKOFF).await;
            continue;
        };
        let page = page.clone();
        tokio::spawn(async move {
            // An error ends only this connection.
            _ = timeout(max_time, serve(stream, page)).await;
            drop(place);
        });
    }
}

/// Serves one request.
async fn serve(stream: TcpStream, page: watch::Receiver<Bytes>) -> hyper::Result<()> {
    let service = service_fn(async |request| {
        let page = page.borrow().clone();
        Ok::<_, Infallible>(respond(&request, page))
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

    fn open(max_time: Duration) -> MetricsServer {
        let server = MetricsServer::open("127.0.0.1:0".parse().unwrap(), max_time).unwrap();
        server.publish(PAGE.into());
        server
    }

    fn connect(server: &MetricsServer) -> TcpStream {
        let stream = TcpStream::connect(server.local_addr()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        stream
    }

    /// Returns the whole response to a request; empty if the connection closed or was reset.
    fn response(server: &MetricsServer, request: &str) -> String {
        let mut stream = connect(server);
        _ = stream.write_all(request.as_bytes());
        let mut response = Vec::new();
        _ = stream.read_to_end(&mut response);
        String::from_utf8(response).unwrap()
    }

    #[test]
    fn a_scrape_receives_the_published_page() {
        let server = open(MAX_TIME);
        server.publish(String::new());
        let found = response(&server, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assert!(found.starts_with("HTTP/1.1 503 "), "{found}");
        server.publish(PAGE.into());
        let host = server.local_addr();
        let found = response(&server, &format!("GET /metrics HTTP/1.1\r\nHost: {host}\r\n\r\n"));
        assert!(found.starts_with("HTTP/1.1 200 OK\r\n"), "{found}");
        assert!(found.contains("content-type: text/plain; version=0.0.4; charset=utf-8\r\n"), "{found}");
        assert!(found.ends_with(&format!("\r\n\r\n{PAGE}")), "{found}");

        server.publish("up 2\n".into());
        let found = response(&server, "GET /metrics?a=b HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n");
        assert!(found.ends_with("\r\n\r\nup 2\n"), "{found}");
        let found = response(&server, "HEAD /metrics HTTP/1.1\r\nHost: [::1]\r\n\r\n");
        assert!(found.starts_with("HTTP/1.1 200 OK\r\n") && found.ends_with("\r\n\r\n"), "{found}");
    }

    #[test]
    fn other_requests_are_answered_by_their_status() {
        let server = open(MAX_TIME);
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
            let found = response(&server, request);
            assert!(found.starts_with(&format!("HTTP/1.1 {status}\r\n")), "{request:?}: {found}");
            assert!(!found.contains("up 1"), "{request:?}: {found}");
        }
    }

    #[test]
    fn a_head_that_is_too_large_is_not_read_on() {
        let server = open(MAX_TIME);
        let head = format!("GET /metrics HTTP/1.1\r\nHost: localhost\r\nX: {}", "x".repeat(1 << 20));
        let found = response(&server, &head);
        // The response is lost if the system resets the connection for the unread rest.
        assert!(found.is_empty() || found.starts_with("HTTP/1.1 431 "), "{found}");
    }

    #[test]
    fn slow_requests_end_and_others_are_served_after_them() {
        let max_time = Duration::from_millis(300);
        let server = open(max_time);
        let began = Instant::now();
        let slow: Vec<_> = (0..3 * MAX_CONNECTIONS)
            .map(|_| {
                let mut stream = connect(&server);
                stream.write_all(b"GET /metrics HTTP/1.1\r\nHo").unwrap();
                stream
            })
            .collect();
        let found = response(&server, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
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
        let server = open(MAX_TIME);
        let local = server.local_addr();
        let mut stream = connect(&server);
        stream.write_all(b"GET /me").unwrap();
        assert!(MetricsServer::listen(local).is_err(), "it is in use");
        drop(server);
        assert!(TcpStream::connect(local).is_err());
        MetricsServer::listen(local).unwrap();
    }
}
