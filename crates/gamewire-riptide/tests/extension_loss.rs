//! Ordered delivery and messages over the limit on bad networks.

use core::time::Duration;

use crate::pair::{Pair, extended_client, extended_server, large, numbered, second};
use gamewire_riptide::client::{ClientConfig, Event};
use gamewire_riptide::server::ServerConfig;
use gamewire_riptide::{ClientId, DisconnectReason, Format, Message, MessageSendMode};
use gamewire_riptide::{ConnectionSettings, LinkConfig};
use gamewire_sim::Conditions;

const ONE: ClientId = ClientId(1);

/// Runs one seed at one loss rate. Returns whether the connection stayed open. Every other pair of
/// seeds disables the quality disconnect.
fn storm(format: Format, seed: u64, loss: f64) -> bool {
    const ORDERED: u32 = 60;
    let can_quality_disconnect = seed % 4 < 2;
    let settings = ConnectionSettings { can_quality_disconnect, ..ConnectionSettings::csharp() };
    // The round trip grows immediately, and the minimum resend delay is too short for it.
    let patient = |link: LinkConfig| LinkConfig { min_resend_delay: Duration::from_millis(60), ..link };
    let mut client = ClientConfig { settings, ..extended_client(format) };
    client.link = patient(client.link);
    let mut server = ServerConfig { settings, ..extended_server() };
    (server.link_v20, server.link_v21) = (patient(server.link_v20), patient(server.link_v21));
    let mut pair = Pair::new(seed, client, server);
    pair.run_until_agreed();
    pair.set_conditions(Conditions {
        loss,
        delay: Duration::from_millis(20),
        jitter: Duration::from_millis(seed % 40),
        reorder: 0.2,
        duplicate: 0.2,
        ..Conditions::PERFECT
    });
    let (mut to_server, mut to_client) = (vec![], vec![]);
    for n in 0..ORDERED {
        let message = if u64::from(n) % 30 == seed % 30 { large(n) } else { numbered(n) };
        if pair.client_mut().send_ordered(&message).is_ok() {
            to_server.push(n);
        }
        if pair.server_mut().send_ordered(&message, ONE).is_ok() {
            to_client.push(n);
        }
        // Ordered messages are mixed with ordinary ones.
        let mut other = Message::create(MessageSendMode::Reliable, 1_u16);
        let _ = pair.client_mut().send(other.add_uint(n));
        pair.run(Duration::from_millis(seed % 30));
    }
    let (mut at_server, mut at_client) = (vec![], vec![]);
    let is_up = |pair: &Pair| pair.client().is_connected() && pair.server().client_count() == 1;
    for _ in 0..90 {
        at_server.extend(pair.server_numbers());
        at_client.extend(pair.client_numbers());
        if !is_up(&pair) || (at_server.len(), at_client.len()) == (to_server.len(), to_client.len()) {
            break;
        }
        pair.run(second(1));
    }
    let lasted = is_up(&pair);
    if lasted {
        assert_eq!((&at_server, &at_client), (&to_server, &to_client), "seed {seed} at {loss}");
    }
    assert!(to_server.starts_with(&at_server), "seed {seed} at {loss}: {at_server:?}");
    assert!(to_client.starts_with(&at_client), "seed {seed} at {loss}: {at_client:?}");
    lasted
}

/// Returns the number of connections, of 500, that stayed open.
fn storms(loss: f64) -> usize {
    let lasted = (0..500).filter(|seed| storm(Format::ALL[*seed as usize / 4 % 2], *seed, loss)).count();
    println!("{lasted} of 500 lasted");
    lasted
}

#[test]
fn ordered_messages_arrive_in_order_and_once_on_a_good_network() {
    assert_eq!(storms(0.0), 500);
}

#[test]
fn ordered_messages_arrive_in_order_and_once_or_the_connection_ends_at_20_percent_loss() {
    let lasted = storms(0.2);
    assert!(lasted > 350, "{lasted}");
}

#[test]
fn ordered_messages_arrive_in_order_and_once_or_the_connection_ends_at_50_percent_loss() {
    let lasted = storms(0.5);
    assert!(lasted > 150 && lasted < 350, "{lasted}");
}

#[test]
fn a_gap_in_ordered_messages_closes_the_connection_in_both_formats() {
    for format in Format::ALL {
        let settings = ConnectionSettings { can_timeout: false, ..ConnectionSettings::csharp() };
        let client = ClientConfig { settings, ..extended_client(format) };
        let mut pair = Pair::new(1, client, ServerConfig { settings, ..extended_server() });
        pair.run_until_agreed();
        pair.set_conditions(Conditions { loss: 1.0, ..Conditions::PERFECT });
        pair.client_mut().send_ordered(&numbered(1)).unwrap();
        pair.run(second(5));
        let is_poor = |event: &Event| {
            matches!(event, Event::Disconnected { reason: DisconnectReason::PoorConnection, .. })
        };
        assert!(pair.client_events().iter().any(is_poor), "{format}");
    }
}
