//! Connections of browsers. Their number is bounded, and a browser that does not read is disconnected.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::serve::Listener;
use std::pin::Pin;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::sleep;
use tokio_io_timeout::TimeoutStream;

/// Maximum number of connections. Further ones wait in the accept queue of the system.
pub(super) const MAX_READERS: usize = 64;
/// Maximum time that a write waits for the reader.
pub(super) const WRITE_TIME: Duration = Duration::from_secs(10);
/// Delay before the next attempt to accept after a failure.
const ACCEPT_BACKOFF: Duration = Duration::from_millis(100);

/// A listener that accepts a bounded number of connections.
#[derive(Debug)]
pub(super) struct ReaderListener {
    listener: TcpListener,
    places: Arc<Semaphore>,
    write_time: Duration,
}

/// A connection, and its place among the accepted ones.
#[derive(Debug)]
pub(super) struct ReaderStream {
    stream: Pin<Box<TimeoutStream<TcpStream>>>,
    _place: OwnedSemaphorePermit,
}

impl ReaderListener {
    pub(super) fn new(listener: TcpListener, readers: usize, write_time: Duration) -> Self {
        Self { listener, places: Arc::new(Semaphore::new(readers)), write_time }
    }
}

impl Listener for ReaderListener {
    type Io = ReaderStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (ReaderStream, SocketAddr) {
        loop {
            let Ok(place) = Arc::clone(&self.places).acquire_owned().await else {
                // Unreachable, because the semaphore is never closed.
                sleep(ACCEPT_BACKOFF).await;
                continue;
            };
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    // Send events immediately, although they are small.
                    let _ = stream.set_nodelay(true);
                    let mut stream = TimeoutStream::new(stream);
                    stream.set_write_timeout(Some(self.write_time));
                    return (ReaderStream { stream: Box::pin(stream), _place: place }, address);
                }
                Err(_) => sleep(ACCEPT_BACKOFF).await,
            }
        }
    }

    fn local_addr(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

mod io {
    use std::io::Result;
    use std::pin::Pin;
    use std::task::{Context, Poll};

    use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

    use super::ReaderStream;

    impl AsyncRead for ReaderStream {
        fn poll_read(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
            buffer: &mut ReadBuf<'_>,
        ) -> Poll<Result<()>> {
            self.stream.as_mut().poll_read(context, buffer)
        }
    }

    impl AsyncWrite for ReaderStream {
        fn poll_write(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
            bytes: &[u8],
        ) -> Poll<Result<usize>> {
            self.stream.as_mut().poll_write(context, bytes)
        }

        fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
            self.stream.as_mut().poll_flush(context)
        }

        fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
            self.stream.as_mut().poll_shutdown(context)
        }
    }
}
