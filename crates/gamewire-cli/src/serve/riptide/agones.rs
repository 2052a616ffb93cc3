//! The sidecar of Agones, over the REST interface of its SDK.
//!
//! The sidecar listens on localhost, on the port in `AGONES_SDK_HTTP_PORT`. A game server sends it POST requests with the
//! JSON body `{}`: `/ready` once it takes players, `/health` at an interval, and `/shutdown` at its end.

use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use crate::exit_status::{Failure, warn};

/// The environment variable with the port of the sidecar.
const PORT_VARIABLE: &str = "AGONES_SDK_HTTP_PORT";
/// Interval between two requests. By default, Agones counts a failure after each 5 s without `/health`.
const INTERVAL: Duration = Duration::from_secs(2);
/// Maximum time to connect, to send, and to wait for the next bytes of the response.
const IO_TIMEOUT: Duration = Duration::from_secs(1);
/// Maximum time that the end of the server waits for `/shutdown`.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);
/// The start of a response that has its status: `HTTP/1.1 200`.
const STATUS_BYTES: usize = 12;

/// The connection to the sidecar, on a separate thread. Dropping it sends `/shutdown`.
#[derive(Debug)]
pub(super) struct Agones {
    /// True if the loop has run since the last request.
    has_run: Arc<AtomicBool>,
    /// `None` after the end.
    running: Option<SyncSender<()>>,
    ended: Receiver<()>,
}

impl Agones {
    /// Starts the thread if the environment has the port of a sidecar. The thread sends `/ready` until the sidecar accepts
    /// it, then `/health` as long as [`loop_runs`](Self::loop_runs) is called.
    pub(super) fn from_environment() -> Result<Option<Self>, Failure> {
        let Some(port) = std::env::var_os(PORT_VARIABLE) else { return Ok(None) };
        let port = port.to_str().and_then(|port| port.parse().ok()).filter(|port| *port > 0);
        let port = port.ok_or_else(|| {
            Failure::Usage(format!("invalid {PORT_VARIABLE}: expected a port from 1 to 65535"))
        })?;
        Ok(Some(Self::start(Sidecar { port, timeout: IO_TIMEOUT, has_warned: false }, INTERVAL)))
    }

    fn start(mut sidecar: Sidecar, interval: Duration) -> Self {
        let has_run = Arc::new(AtomicBool::new(true));
        let (running, is_running) = sync_channel(0);
        let (ending, ended) = sync_channel(1);
        let loop_runs = Arc::clone(&has_run);
        thread::spawn(move || {
            sidecar.run(&is_running, &loop_runs, interval);
            // The server may have ended already.
            _ = ending.try_send(());
        });
        Self { has_run, running: Some(running), ended }
    }

    /// Reports that the server's loop runs.
    pub(super) fn loop_runs(&self) {
        self.has_run.store(true, Ordering::Relaxed);
    }
}

impl Drop for Agones {
    fn drop(&mut self) {
        self.running = None;
        // A sidecar that does not answer must not hold up the end.
        _ = self.ended.recv_timeout(SHUTDOWN_TIMEOUT);
    }
}

struct Sidecar {
    port: u16,
    /// Maximum time of each step of a request.
    timeout: Duration,
    /// True after the one warning about a failed request.
    has_warned: bool,
}

impl Sidecar {
    /// Sends requests until the other end of `is_running` is dropped.
    fn run(&mut self, is_running: &Receiver<()>, has_run: &AtomicBool, interval: Duration) {
        let mut is_ready = false;
        loop {
            is_ready = is_ready || self.post("/ready");
            if has_run.swap(false, Ordering::Relaxed) {
                self.post("/health");
            }
            if is_running.recv_timeout(interval) == Err(RecvTimeoutError::Disconnected) {
                break;
            }
        }
        self.post("/shutdown");
    }

    /// Sends a request, and returns whether the sidecar accepted it. Warns about the first failure.
    fn post(&mut self, path: &str) -> bool {
        let outcome = post(self.port, path, self.timeout);
        if let Err(error) = &outcome
            && !std::mem::replace(&mut self.has_warned, true)
        {
            warn(format_args!("cannot send {path} to Agones on port {}: {error}", self.port));
        }
        outcome.is_ok()
    }
}

/// Sends a request with an empty JSON object.
fn post(port: u16, path: &str, timeout: Duration) -> io::Result<()> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let mut stream = TcpStream::connect_timeout(&address, timeout)?;
    stream.set_read_timeout(Some(timeout))?;
    stream.set_write_timeout(Some(timeout))?;
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: application/json\r\n\
         Content-Length: 2\r\nConnection: close\r\n\r\n{{}}"
    );
    stream.write_all(request.as_bytes())?;
    let mut status = [0; STATUS_BYTES];
    stream.read_exact(&mut status)?;
    match &status {
        [b'H', b'T', b'T', b'P', b'/', b'1', b'.', _, b' ', b'2', _, _] => Ok(()),
        status => Err(io::Error::other(format!("unexpected response {:?}", String::from_utf8_lossy(status)))),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// Maximum time of a step. It only ends a test that hangs.
    const LIMIT: Duration = Duration::from_secs(120);

    /// Accepts a connection, reads a request, and answers with `response`. Returns the request.
    fn serve(listener: &TcpListener, response: &str) -> String {
        let (mut stream, _) = listener.accept().unwrap();
        stream.set_read_timeout(Some(LIMIT)).unwrap();
        let (mut request, mut byte) = (Vec::new(), [0]);
        while !request.ends_with(b"{}") && stream.read(&mut byte).unwrap() > 0 {
            request.extend(byte);
        }
        stream.write_all(response.as_bytes()).unwrap();
        String::from_utf8(request).unwrap()
    }

    fn listen(timeout: Duration) -> (TcpListener, Sidecar) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        (listener, Sidecar { port, timeout, has_warned: false })
    }

    #[test]
    fn ready_is_repeated_until_it_is_accepted_and_shutdown_is_last() {
        let (listener, sidecar) = listen(LIMIT);
        let port = sidecar.port;
        let agones = Agones::start(sidecar, Duration::from_millis(10));
        let path = |response: &str| serve(&listener, response).split(' ').nth(1).unwrap().to_owned();
        let failed = "HTTP/1.1 503 Service Unavailable\r\n\r\n";
        let accepted = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
        assert_eq!(path(failed), "/ready");
        assert_eq!(path(accepted), "/health");
        let request = serve(&listener, accepted);
        let expected = format!(
            "POST /ready HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: application/json\r\n\
             Content-Length: 2\r\nConnection: close\r\n\r\n{{}}"
        );
        assert_eq!(request, expected);
        // The loop has not run since the last request, so there is none before it runs.
        agones.loop_runs();
        assert_eq!(path(accepted), "/health");
        let ended = thread::spawn(|| drop(agones));
        assert_eq!(path(accepted), "/shutdown");
        ended.join().unwrap();
    }

    #[test]
    fn a_sidecar_that_never_answers_does_not_hold_up_the_end() {
        // The system accepts the connections, and nothing reads them.
        let (_listener, sidecar) = listen(LIMIT);
        let agones = Agones::start(sidecar, Duration::from_millis(10));
        agones.loop_runs();
        drop(agones);
    }

    #[test]
    fn one_warning_is_enough() {
        let (listener, mut sidecar) = listen(LIMIT);
        let served = thread::spawn(move || {
            for response in ["", "HTTP/1.1 404 Not Found\r\n\r\n", "SSH-2.0-x\r\n", "HTTP/1.1 200 OK\r\n\r\n"]
            {
                serve(&listener, response);
            }
        });
        let accepted = [(); 4].map(|()| (sidecar.post("/health"), sidecar.has_warned));
        assert_eq!(accepted, [(false, true), (false, true), (false, true), (true, true)]);
        served.join().unwrap();
    }
}
