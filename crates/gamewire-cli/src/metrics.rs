//! An HTTP server for Prometheus: one page, for programs on this machine only.

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{ALLOW, CONTENT_TYPE, HOST, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::runtime::{self, Runtime};
use tokio::sync::{Semaphore, oneshot};

use crate::exit_status::Failure;

/// Maximum number of connections at once; others wait with the system.
const MAX_CONNECTIONS: usize = 8;
/// Maximum bytes of the head of a request.
const MAX_HEAD: usize = 8 << 10;
/// Maximum time for the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(2);
/// Maximum time of a connection.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(10);
const OPEN_METRICS: HeaderValue =
    HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");
const PLAIN_TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

/// Returns the page, in the text format of OpenMetrics. It runs on the thread of the server.
pub(crate) type MetricsPage = Arc<dyn Fn() -> String + Send + Sync>;

/// The server, on a thread of its own. It ends when it is dropped.
pub(crate) struct MetricsServer {
    local: SocketAddr,
    stop: Option<oneshot::Sender<Infallible>>,
    thread: Option<JoinHandle<()>>,
}

/// Parses the address of `--metrics`: `PORT`, or `HOST:PORT` of this machine.
pub(crate) fn parse_address(text: &str) -> Result<SocketAddr, String> {
    let text = text.strip_prefix(':').unwrap_or(text);
    let address = match text.parse::<u16>() {
        Ok(port) => SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
        Err(_) => text.replacen("localhost", "127.0.0.1", 1).parse().map_err(|_| {
            "expected a port, or an address of this machine such as 127.0.0.1:9100".to_owned()
        })?,
    };
    if address.ip().is_loopback() {
        Ok(address)
    } else {
        Err("metrics are for programs on this machine only: use 127.0.0.1 or [::1]".to_owned())
    }
}

impl MetricsServer {
    /// Listens on `address` and answers `GET /metrics`.
    pub(crate) fn open(address: SocketAddr, page: MetricsPage) -> Result<Self, Failure> {
        let failed =
            |error: io::Error| Failure::Failed(format!("cannot serve metrics on {address}: {error}"));
        let listener = TcpListener::bind(address).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let local = listener.local_addr().map_err(failed)?;
        let runtime = runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let listener = {
            let _context = runtime.enter();
            tokio::net::TcpListener::from_std(listener).map_err(failed)?
        };
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::Builder::new()
            .name("metrics".to_owned())
            .spawn(move || run(&runtime, listener, page, stopped))
            .map_err(failed)?;
        Ok(Self { local, stop: Some(stop), thread: Some(thread) })
    }

    /// Returns the address of the page.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/metrics", self.local)
    }
}

impl Drop for MetricsServer {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // It ends immediately, and its panic would be reported already.
            _ = thread.join();
        }
    }
}

/// Serves until the sender of `stopped` is dropped.
fn run(
    runtime: &Runtime,
    listener: tokio::net::TcpListener,
    page: MetricsPage,
    stopped: oneshot::Receiver<Infallible>,
) {
    runtime.spawn(accept(listener, page));
    _ = runtime.block_on(stopped);
}

async fn accept(listener: tokio::net::TcpListener, page: MetricsPage) {
    let slots = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    while let Ok(slot) = Arc::clone(&slots).acquire_owned().await {
        let Ok((stream, _)) = listener.accept().await else {
            // Without descriptors the system would fail again immediately.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let page = Arc::clone(&page);
        tokio::spawn(async move {
            let answer = service_fn(|request| {
                let response = answer(&request, &page);
                async { Ok::<_, Infallible>(response) }
            });
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_TIMEOUT)
                .max_buf_size(MAX_HEAD)
                .keep_alive(false)
                .serve_connection(TokioIo::new(stream), answer);
            // What a client does wrong concerns nobody else.
            _ = tokio::time::timeout(CONNECTION_TIMEOUT, connection).await;
            drop(slot);
        });
    }
}

fn answer(request: &Request<Incoming>, page: &MetricsPage) -> Response<Full<Bytes>> {
    let text = |status, text: &'static str| response(status, PLAIN_TEXT, text.into());
    if !request.headers().get(HOST).is_some_and(is_this_machine) {
        return text(StatusCode::FORBIDDEN, "metrics are asked for by an address of this machine\n");
    }
    if request.uri().path() != "/metrics" {
        return text(StatusCode::NOT_FOUND, "the metrics are at /metrics\n");
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let mut response = text(StatusCode::METHOD_NOT_ALLOWED, "use GET\n");
        response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        return response;
    }
    response(StatusCode::OK, OPEN_METRICS, page().into())
}

fn response(status: StatusCode, content_type: HeaderValue, body: Bytes) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, content_type);
    response
}

/// Returns whether a `Host` is one of this machine. A page of another site that resolves its name to this machine has its
/// own name there.
fn is_this_machine(host: &HeaderValue) -> bool {
    let Ok(host) = host.to_str() else { return false };
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    name.eq_ignore_ascii_case("localhost")
        || address.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;
    use std::time::Instant;

    use super::*;

    fn server() -> MetricsServer {
        let page: MetricsPage = Arc::new(|| "# EOF\n".to_owned());
        MetricsServer::open(parse_address("0").unwrap(), page).unwrap()
    }

    fn connect(server: &MetricsServer) -> TcpStream {
        let stream = TcpStream::connect(server.local).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
    }

    /// Sends a request and returns the first line of the answer, and its body.
    fn ask(server: &MetricsServer, request: &str) -> (String, String) {
        let mut stream = connect(server);
        // The server may refuse a long request before it has read all of it.
        _ = stream.write_all(request.as_bytes());
        let mut answer = String::new();
        _ = stream.read_to_string(&mut answer);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        (head.lines().next().unwrap_or_default().to_owned(), body.to_owned())
    }

    #[test]
    fn the_page_is_answered_to_this_machine_only() {
        let server = server();
        let ok = ("HTTP/1.1 200 OK".to_owned(), "# EOF\n".to_owned());
        for host in ["localhost", "LOCALHOST:9100", "127.0.0.1:1", "127.1.2.3", "[::1]:80", "[::1]"] {
            assert_eq!(ask(&server, &format!("GET /metrics HTTP/1.1\r\nHost: {host}\r\n\r\n")), ok, "{host}");
        }
        for host in ["example.org", "127.0.0.1.example.org", "192.0.2.1", "localhost.example.org:80", ""] {
            let (status, _) = ask(&server, &format!("GET /metrics HTTP/1.1\r\nHost: {host}\r\n\r\n"));
            assert_eq!(status, "HTTP/1.1 403 Forbidden", "{host}");
        }
        let (status, _) = ask(&server, "GET /metrics HTTP/1.1\r\n\r\n");
        assert_eq!(status, "HTTP/1.1 403 Forbidden");
    }

    #[test]
    fn other_paths_and_methods_are_refused() {
        let server = server();
        for (request, status) in [
            ("GET / HTTP/1.1", "HTTP/1.1 404 Not Found"),
            ("GET /metrics/.. HTTP/1.1", "HTTP/1.1 404 Not Found"),
            ("POST /metrics HTTP/1.1", "HTTP/1.1 405 Method Not Allowed"),
            ("nonsense", "HTTP/1.1 400 Bad Request"),
        ] {
            assert_eq!(ask(&server, &format!("{request}\r\nHost: localhost\r\n\r\n")).0, status, "{request}");
        }
    }

    #[test]
    fn a_long_head_is_refused_and_a_slow_one_ends() {
        let server = server();
        let long = format!("GET /metrics HTTP/1.1\r\nHost: localhost\r\nA: {}\r\n\r\n", "x".repeat(1 << 20));
        assert_ne!(ask(&server, &long).0, "HTTP/1.1 200 OK");
        let began = Instant::now();
        let mut slow = connect(&server);
        slow.write_all(b"GET /metrics").unwrap();
        _ = slow.read_to_end(&mut Vec::new());
        assert!(began.elapsed() < CONNECTION_TIMEOUT, "{:?}", began.elapsed());
    }

    #[test]
    fn idle_connections_do_not_keep_others_out_for_long_nor_the_server_alive() {
        let server = server();
        let idle: Vec<_> = (0..100).map(|_| connect(&server)).collect();
        // Those that wait with the system take their turns of two seconds.
        drop(idle);
        assert_eq!(ask(&server, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n").0, "HTTP/1.1 200 OK");
        let _idle = connect(&server);
        let (local, began) = (server.local, Instant::now());
        drop(server);
        assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
        assert!(TcpStream::connect(local).is_err());
    }

    #[test]
    fn an_address_is_one_of_this_machine() {
        assert_eq!(parse_address("9100"), Ok(([127, 0, 0, 1], 9100).into()));
        for text in ["127.0.0.1:9100", ":9100", "localhost:9100", "[::1]:9100"] {
            assert_eq!(parse_address(text).map(|address| address.port()), Ok(9100), "{text}");
        }
        for text in ["0.0.0.0:9100", "192.0.2.1:9100", "[::]:9100"] {
            assert!(parse_address(text).unwrap_err().contains("this machine only"), "{text}");
        }
        for text in ["", "metrics", "127.0.0.1", "9100:9100", "65536"] {
            assert!(parse_address(text).unwrap_err().contains("expected a port"), "{text}");
        }
    }
}
