//! Output of the events of a proxy.

use std::net::SocketAddr;

use gamewire_machine::Transport;
use gamewire_proxy::relay::RelayStats;
use gamewire_watch::{DirectionStats, Event, PeerNumber};

use crate::output::{OutputEvent, Value, event};

pub(super) fn listening(local: SocketAddr, transport: Transport, server: SocketAddr) -> OutputEvent {
    let address = Value::Escaped(local.to_string());
    let to = Value::Escaped(server.to_string());
    event!("listening", address: address, port: local.port(), transport: transport.name(), to: to)
}

/// Describes an event of a client.
pub(super) fn client_event(event: &Event) -> OutputEvent {
    match event {
        Event::Opened { client, address, transport } => {
            described_client("client_opened", *client, *address, *transport)
        }
        Event::Closed { client, reason, stats } => {
            let mut event =
                event!("client_closed", client: number(client.0), reason: Value::Escaped(reason.to_string()));
            event.fields.extend(directions(&[stats.to_server, stats.to_client]));
            event
        }
    }
}

/// Describes a client in an event named `name`.
pub(super) fn described_client(
    name: &'static str,
    client: PeerNumber,
    address: SocketAddr,
    transport: Transport,
) -> OutputEvent {
    let from = Value::Escaped(address.to_string());
    let mut event = event!("client", client: number(client.0), from: from, transport: transport.name());
    event.name = name;
    event
}

/// Describes the figures since the start.
pub(super) fn stats(stats: &RelayStats, not_shown: u64) -> OutputEvent {
    let RelayStats { total, clients, open, displaced, refused, lost, missed, .. } = stats;
    let mut event = event!("stats", clients: number(*clients), open: number(*open));
    event.fields.extend(directions(&[total.to_server, total.to_client]));
    let others = [
        ("displaced", *displaced),
        ("refused", *refused),
        ("lost", *lost),
        ("missed", *missed),
        ("not_shown", not_shown),
    ];
    event.fields.extend(others.map(|(name, count)| (name, number(count))));
    event
}

fn directions([to_server, to_client]: &[DirectionStats; 2]) -> [(&'static str, Value); 4] {
    [
        ("to_server", number(to_server.sent)),
        ("to_server_bytes", number(to_server.sent_bytes)),
        ("to_client", number(to_client.sent)),
        ("to_client_bytes", number(to_client.sent_bytes)),
    ]
}

fn number(count: u64) -> Value {
    Value::Number(i64::try_from(count).unwrap_or(i64::MAX))
}
