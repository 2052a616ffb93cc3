use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::{ConnectOptions, Event, ServerAddr};
use gamewire_inspect::filter::Filter;
use gamewire_page::{Page, Source};
use gamewire_watch::Sinks;
use tokio::runtime::{Builder, Runtime};
use tokio::time::sleep;

use super::observer::observe;
use super::publisher::publish;
use super::records::{RecordSink, Records};
use super::state::Identity;
use crate::exit_status::Failure;
use crate::impairment::random_seed;
use crate::page::ServedPage;

/// Delay before a lost connection is retried.
const RECONNECT: Duration = Duration::from_millis(500);
/// Maximum number of messages that wait for the connection.
const MAX_WAITING: usize = 256;

/// The connection to a fleet. It runs on a separate thread, which ends when this is dropped.
pub(crate) struct Fleet {
    _runtime: Runtime,
}

/// The data that a proxy publishes.
struct Published {
    identity: Identity,
    source: Source,
    records: Option<Records>,
}

impl Fleet {
    /// Parses the address of a NATS server.
    pub(crate) fn server(url: Option<&str>) -> Result<Option<ServerAddr>, Failure> {
        let server = url.map(|url| {
            url.parse()
                .map_err(|error| Failure::Usage(format!("invalid --nats: {error}; use nats://HOST:PORT")))
        });
        server.transpose()
    }

    /// Publishes the state of a proxy with the addresses that it listens on and relays to, and the packets that match a
    /// filter, which a sink in front of the others queues. The page shows the fleet.
    pub(crate) fn publish(
        server: ServerAddr,
        name: Option<&str>,
        addresses: [SocketAddr; 2],
        source: &Source,
        served: Option<&ServedPage>,
        filter: Option<Filter>,
        sinks: &mut Sinks,
    ) -> Result<Self, Failure> {
        let records = filter.map(|filter| {
            let (publishing, queue) = RecordSink::new(filter);
            sinks.insert(0, Box::new(publishing));
            queue
        });
        let identity = identity(name, addresses, served);
        let published = Published { identity, source: source.clone(), records };
        Self::join(server, Some(published), served.map(|served| served.page.clone()))
    }

    /// Shows the fleet on a page.
    pub(crate) fn show(server: ServerAddr, page: Page) -> Result<Self, Failure> {
        Self::join(server, None, Some(page))
    }

    /// Connects to a NATS server. If the server cannot be reached or the connection is lost, the client retries until
    /// it is connected.
    fn join(server: ServerAddr, published: Option<Published>, page: Option<Page>) -> Result<Self, Failure> {
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
                .client_capacity(MAX_WAITING)
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
            if let Some(Published { identity, source, records }) = published {
                publish(client, identity, source, records).await;
            }
        });
        Ok(Self { _runtime: runtime })
    }
}

/// Returns the name, the addresses and the instance of a proxy.
fn identity(name: Option<&str>, [listen, to]: [SocketAddr; 2], served: Option<&ServedPage>) -> Identity {
    let process = std::process::id();
    Identity {
        name: name.map_or_else(|| format!("{listen} ({process})"), str::to_owned),
        instance: format!("{process}-{:x}", random_seed()),
        listen: listen.to_string(),
        to: to.to_string(),
        // The token is only for users who see the terminal.
        page: served.map(|served| served.url.split('?').next().unwrap_or_default().to_owned()),
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
