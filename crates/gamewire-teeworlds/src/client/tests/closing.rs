use core::time::Duration;

use gamewire_machine::Machine;

use super::table::{DIALECTS, SERVER, Table, asking, config, map_change};
use crate::Dialect;
use crate::client::{CommandError, Event};
use crate::link::CloseReason;
use crate::model::message::{Audience, ServerMessage};

/// Checks that `Closed` is the last event, and that later calls cause no other.
fn is_over(table: &mut Table, reason: &CloseReason) {
    let events = table.events();
    assert_eq!(events.last(), Some(&Event::Closed(reason.clone())), "{events:?}");
    assert_eq!(events.iter().filter(|event| matches!(event, Event::Closed(_))).count(), 1);
    let client = &mut table.client;
    assert_eq!((client.state(), client.poll_timeout()), ("closed", None));
    client.disconnect("again");
    assert_eq!(client.say(Audience::All, "hello"), Err(CommandError::NotConnected));
    assert_eq!(client.reconnect(None), Err(CommandError::NotConnected));
    assert_eq!(client.map_ready(), Err(CommandError::NotConnected));
    client.handle_timeout(table.now + Duration::from_secs(3600));
    assert!(client.handle_datagram(table.now, SERVER, &[0x10, 0, 0, 4]).is_err());
    assert_eq!(client.poll_event(), None);
    assert_eq!(client.poll_timeout(), None);
}

#[test]
fn disconnecting_sends_the_reason_to_the_server() {
    for dialect in DIALECTS {
        let mut table = Table::playing(dialect);
        table.client.say(Audience::All, "bye").unwrap();
        table.client.disconnect("good night");
        table.settle();
        assert_eq!(table.said_in_full().last().unwrap(), "Close Some(\"good night\")", "{dialect:?}");
        is_over(&mut table, &CloseReason::Left);
    }
}

#[test]
fn a_client_can_disconnect_at_any_time() {
    let mut connecting = Table::with(config(Dialect::V07));
    connecting.client.disconnect("no");
    is_over(&mut connecting, &CloseReason::Left);
    let mut loading = Table::connected(asking(Dialect::V06));
    loading.say(&map_change(Dialect::V06));
    loading.client.disconnect("no");
    is_over(&mut loading, &CloseReason::Left);
}

#[test]
fn the_servers_reason_is_reported() {
    for dialect in DIALECTS {
        let mut table = Table::playing(dialect);
        let mut buffer = Vec::new();
        let link = table.link.as_mut().unwrap();
        link.close(Some(b"kicked"));
        link.poll_transmit(&mut buffer).unwrap();
        table.client.handle_datagram(table.now, SERVER, &buffer).unwrap();
        is_over(&mut table, &CloseReason::PeerClosed { reason: "kicked".into() });
    }
}

#[test]
fn a_silent_server_times_out() {
    for dialect in DIALECTS {
        let mut table = Table::playing(dialect);
        table.link = None;
        table.datagrams = 0;
        let wakes = silence(&mut table, Duration::from_secs(200));
        assert!(matches!(table.client.state(), "closed"), "{dialect:?}");
        // Expected timers: ten inputs per second, resends and keepalives.
        assert!(wakes < 2500, "{dialect:?}: {wakes} wakes");
        let events = table.events();
        assert!(matches!(events.last(), Some(Event::Closed(CloseReason::Timeout))), "{events:?}");
    }
}

/// Advances the time without answers. Returns the number of fired timers.
fn silence(table: &mut Table, span: Duration) -> usize {
    let (end, mut wakes, mut buffer) = (table.now + span, 0, Vec::new());
    while let Some(wake) = table.client.poll_timeout().filter(|wake| wake.at <= end) {
        table.now = table.now.max(wake.at);
        table.client.handle_timeout(table.now);
        while table.client.poll_transmit(table.now, &mut buffer).is_some() {}
        wakes += 1;
    }
    wakes
}

#[test]
fn a_server_that_never_answers_times_out() {
    for dialect in DIALECTS {
        let mut table = Table::with(config(dialect));
        silence(&mut table, Duration::from_secs(200));
        is_over(&mut table, &CloseReason::UnableToConnect);
    }
}

#[test]
fn a_refusal_reports_its_reason() {
    let mut table = Table::with(config(Dialect::V06));
    let close = [&[0x10, 0, 0, 4][..], b"This server is full\0"].concat();
    table.client.handle_datagram(table.now, SERVER, &close).unwrap();
    is_over(&mut table, &CloseReason::Refused { reason: "This server is full".into() });
}

#[test]
fn g9_after_an_hour_of_sleep_the_client_closes_once_without_a_storm() {
    for dialect in DIALECTS {
        let mut table = Table::playing(dialect);
        table.client.say(Audience::All, "before").unwrap();
        let later = table.now + Duration::from_secs(3600);
        table.client.handle_timeout(later);
        let (mut datagrams, mut buffer) = (0, Vec::new());
        while table.client.poll_transmit(later, &mut buffer).is_some() {
            datagrams += 1;
        }
        assert!(datagrams <= 2, "{dialect:?}: {datagrams} datagrams");
        let events = table.events();
        assert_eq!(events.len(), 1, "{events:?}");
        assert!(matches!(events[0], Event::Closed(CloseReason::Timeout | CloseReason::TooWeak { .. })));
        assert_eq!(table.client.poll_timeout(), None);
    }
}

#[test]
fn a_reconnect_is_reported_and_only_done_on_command() {
    let mut table = Table::playing(Dialect::Tken);
    table.say(&ServerMessage::Reconnect);
    table.say(&ServerMessage::Redirect { port: 8304 });
    assert_eq!(table.events(), [Event::Reconnect, Event::Redirect { port: 8304 }]);
    assert_eq!(table.client.state(), "playing");

    table.client.reconnect(None).unwrap();
    assert_eq!(table.client.state(), "connecting");
    table.settle();
    assert_eq!(table.client.state(), "logging in");
    assert_eq!(table.said(), ["~Close", "ClientVersion", "Info"]);
    assert_eq!(table.events(), [Event::Connected { dialect: Dialect::Tken }]);
}

#[test]
fn a_reconnect_can_change_the_port() {
    let mut table = Table::playing(Dialect::V07);
    table.client.reconnect(Some(8304)).unwrap();
    let mut buffer = Vec::new();
    let mut to = Vec::new();
    while let Some(transmit) = table.client.poll_transmit(table.now, &mut buffer) {
        to.push(transmit.to.port());
    }
    assert_eq!(to, [8303, 8304]);
    assert!(table.client.handle_datagram(table.now, SERVER, &buffer).is_err(), "the old one is a stranger");
}
