use std::io;
use std::net::{SocketAddr, TcpListener as StdListener};
use std::time::Duration;

use gamewire_watch::unix_nanos;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::time::{MissedTickBehavior, interval};

use super::listener::{ConnectionLimits, serve};
use super::routes::router;
use crate::Page;
use crate::traffic::SourceKind;

/// Interval between two samples of the figures.
const SAMPLE: Duration = Duration::from_secs(1);
/// Number of worker threads, and maximum number of threads for blocking work.
const THREADS: usize = 2;

/// The HTTP server of a page. Its threads end when it is dropped.
#[derive(Debug)]
pub struct PageServer {
    local: SocketAddr,
    token: Option<String>,
    _runtime: Runtime,
}

/// The error of [`PageServer::open`].
#[derive(Debug, Error)]
pub enum OpenError {
    /// The address cannot be used.
    #[error("cannot listen on {local} for the page: {error}; choose another port")]
    Bind {
        /// The address.
        local: SocketAddr,
        /// The error of the system.
        error: io::Error,
    },
    /// The system cannot start threads, or has no random numbers.
    #[error("cannot serve the page: {0}")]
    SetUp(io::Error),
}

impl PageServer {
    /// Serves a page on `local`. If this is not a loopback address, requests need a token, which is part of
    /// [`url`](Self::url).
    ///
    /// # Errors
    /// [`OpenError::Bind`] if the address cannot be used. [`OpenError::SetUp`] if the system cannot start threads or
    /// has no random numbers.
    pub fn open(page: Page, local: SocketAddr) -> Result<Self, OpenError> {
        let bind = |error| OpenError::Bind { local, error };
        let listener = StdListener::bind(local).map_err(bind)?;
        listener.set_nonblocking(true).map_err(bind)?;
        let bound = listener.local_addr().map_err(bind)?;
        let token = if bound.ip().to_canonical().is_loopback() { None } else { Some(new_token()?) };
        let runtime = Builder::new_multi_thread()
            .worker_threads(THREADS)
            .max_blocking_threads(THREADS)
            .thread_name("page")
            .enable_all()
            .build()
            .map_err(OpenError::SetUp)?;
        let guard = runtime.enter();
        let listener = TcpListener::from_std(listener).map_err(OpenError::SetUp)?;
        drop(guard);
        let sampled = page.clone();
        let router = router(page, bound, token.clone());
        // The task ends with the runtime.
        runtime.spawn(serve(listener, router, ConnectionLimits::default()));
        runtime.spawn(async move {
            let mut ticks = interval(SAMPLE);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                ticks.tick().await;
                let sources = sampled.sources().into_iter();
                sources
                    .filter(|source| source.kind() == SourceKind::Live)
                    .for_each(|source| source.sample(unix_nanos()));
            }
        });
        Ok(Self { local: bound, token, _runtime: runtime })
    }

    /// Returns the address that the server listens on.
    pub const fn local_addr(&self) -> SocketAddr {
        self.local
    }

    /// Returns the URL to open in a browser. It contains the token if there is one.
    pub fn url(&self) -> String {
        match &self.token {
            Some(token) => format!("http://{}/?token={token}", self.local),
            None => format!("http://{}/", self.local),
        }
    }
}

/// Returns a token of 128 random bits as hexadecimal digits.
fn new_token() -> Result<String, OpenError> {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).map_err(|error| OpenError::SetUp(io::Error::other(error)))?;
    Ok(bits.iter().map(|byte| format!("{byte:02x}")).collect())
}
