use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use async_nats::{ConnectOptions, ServerAddr};
use gamewire_inspect::filter::Filter;
use gamewire_page::{Page, Source};
use gamewire_watch::Sinks;
use percent_encoding::percent_decode_str;
use tokio::runtime::{Builder, Runtime};
use tokio::time::sleep;

use super::observer::observe;
use super::publisher::publish;
use super::records::{RecordSink, Records};
use super::refusals::Refusals;
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
    /// it is connected. Refusals of the server are printed and shown on the page.
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
            let refusals = Refusals::default();
            let shown = format!("{}:{}", server.host(), server.port());
            let (refused, name) = (refusals.clone(), shown.clone());
            let options = credentials(&server)
                .name("gamewire")
                .client_capacity(MAX_WAITING)
                .max_reconnects(None)
                .reconnect_delay_callback(|_| RECONNECT)
                .retry_on_initial_connect()
                .event_callback(move |event| {
                    refused.on_event(&event, &name);
                    std::future::ready(())
                });
            let Some(client) = connect(options, server).await else { return };
            if let Some(page) = page {
                tokio::spawn(observe(client.clone(), page, refusals.clone(), shown));
            }
            if let Some(Published { identity, source, records }) = published {
                publish(client, identity, source, records, refusals).await;
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

/// Returns options with the user and password of the address, or with the token that is in place of both. The NATS
/// client does not read them from the address.
fn credentials(server: &ServerAddr) -> ConnectOptions {
    let options = ConnectOptions::new();
    match (server.username(), server.password()) {
        (Some(user), Some(password)) => options.user_and_password(decoded(user), decoded(password)),
        (Some(token), None) => options.token(decoded(token)),
        (None, _) => options,
    }
}

/// Returns a part of a URL without percent encoding.
fn decoded(part: &str) -> String {
    percent_decode_str(part).decode_utf8_lossy().into_owned()
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

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn a_password_may_have_characters_that_a_url_encodes() {
        assert_eq!(decoded("p%40ss%3a%c3%a9"), "p@ss:é");
        assert_eq!(decoded("100%"), "100%");
        assert_eq!(decoded("%zz"), "%zz");
    }
}
