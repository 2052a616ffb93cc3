use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::{ConnectOptions, Event, ServerAddr};
use gamewire_inspect::filter::Filter;
use gamewire_page::{Page, Source};
use gamewire_proxy::watch::Sink;
use tokio::runtime::{Builder, Runtime};
use tokio::time::sleep;

use super::observer::observe;
use super::publisher::publish;
use super::records::{RecordSink, Records};
use super::state::Identity;
use crate::exit_status::Failure;

/// Time until a lost connection is tried again.
const RECONNECT: Duration = Duration::from_millis(500);
/// Messages that wait for the connection.
const WAITING: usize = 256;

/// The connection to a fleet, on a thread of its own, which ends when this is dropped.
pub(crate) struct Fleet {
    _runtime: Runtime,
}

/// Both ends of the records that are published.
pub(crate) struct PublishedRecords(Records);

impl Fleet {
    /// Returns a sink that passes the records of matching packets on, and where they come out.
    pub(crate) fn records<S: Sink>(filter: Filter, inner: S) -> (impl Sink + use<S>, PublishedRecords) {
        let (sink, records) = RecordSink::new(filter, inner);
        (sink, PublishedRecords(records))
    }

    /// Publishes a source, if there is one, and shows the fleet on the page, if there is one. A server that is not there, or no
    /// longer, is tried again until it is.
    pub(crate) fn join(
        server: ServerAddr,
        published: Option<(Identity, Source, Option<PublishedRecords>)>,
        page: Option<Page>,
    ) -> Result<Self, Failure> {
        let failed =
            |error: io::Error| Failure::Failed(format!("cannot start the thread of the fleet: {error}"));
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("fleet")
            .enable_all()
            .build()
            .map_err(failed)?;
        runtime.spawn(async move {
            let is_connected = Arc::new(AtomicBool::new(false));
            let shown = format!("{}:{}", server.host(), server.port());
            let flag = Arc::clone(&is_connected);
            let options = ConnectOptions::new()
                .name("gamewire")
                .client_capacity(WAITING)
                .max_reconnects(None)
                .reconnect_delay_callback(|_| RECONNECT)
                .retry_on_initial_connect()
                .event_callback(move |event| {
                    match event {
                        Event::Connected => flag.store(true, Ordering::Relaxed),
                        Event::Disconnected | Event::Closed => flag.store(false, Ordering::Relaxed),
                        _ => {}
                    }
                    std::future::ready(())
                });
            let Some(client) = connect(options, server).await else { return };
            if let Some(page) = page {
                tokio::spawn(observe(client.clone(), page, is_connected, shown));
            }
            if let Some((identity, source, records)) = published {
                publish(client, identity, source, records.map(|records| records.0)).await;
            }
        });
        Ok(Self { _runtime: runtime })
    }
}

async fn connect(options: ConnectOptions, server: ServerAddr) -> Option<async_nats::Client> {
    match options.connect(server).await {
        Ok(client) => Some(client),
        Err(error) => {
            crate::exit_status::warn(format_args!("no connection to NATS: {error}"));
            sleep(RECONNECT).await;
            None
        }
    }
}
