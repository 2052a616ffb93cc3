use gamewire_machine::Instant;
use gamewire_sim::Conditions;

use super::delivery::{connected, events, send, sent};
use super::network::{Network, at, millis};
use crate::link::{
    CloseCause, ConnectionLimit, ConnectionSettings, ConnectionState, Event, Link, LinkConfig, TickAction,
};

fn client() -> Link {
    Link::client(LinkConfig::v21(), ConnectionSettings::csharp(), Instant::ZERO)
}

/// Returns the packets that timers send until `end`, with their times in milliseconds.
fn beats(link: &mut Link, end: u64) -> Vec<(u64, TickAction)> {
    let mut beats = Vec::new();
    while let Some(wake) = link.poll_timeout().filter(|wake| wake.at <= at(end)) {
        beats.extend(link.handle_timeout(wake.at).map(|beat| (wake.at.as_micros() / 1000, beat)));
        assert!(link.poll_timeout().is_none_or(|next| next.at > wake.at));
    }
    beats
}

const fn steady(delay: u64) -> Conditions {
    Conditions { delay: millis(delay), ..Conditions::PERFECT }
}

fn connects(config: LinkConfig, round_trip: u64) -> Network {
    let mut network = Network::asking(config, ConnectionSettings::csharp(), steady(round_trip / 2), 1);
    network.run_until(at(4_900));
    network
}

#[test]
fn a_client_sends_five_connect_requests_and_gives_up() {
    let mut link = client();
    let requests: Vec<_> = (0..5).map(|beat| (beat * 1000, TickAction::Connect)).collect();
    assert_eq!(beats(&mut link, 4_999), requests);
    assert_eq!(events(&mut link), []);
    assert_eq!(beats(&mut link, 100_000), []);
    assert_eq!(events(&mut link), [Event::Closed(CloseCause::NeverConnected)]);
}

#[test]
fn while_the_server_decides_a_client_is_silent_for_ten_seconds() {
    let mut link = client();
    beats(&mut link, 300);
    link.handle_pending(at(400));
    assert_eq!((link.state(), beats(&mut link, 10_400)), (ConnectionState::Pending, vec![]));
    assert_eq!(link.state(), ConnectionState::Pending);
    beats(&mut link, 11_000);
    assert_eq!(events(&mut link), [Event::Closed(CloseCause::Exceeded(ConnectionLimit::Silence))]);
}

#[test]
fn a_pending_notice_after_the_welcome_is_ignored() {
    let mut link = client();
    assert!(link.handle_welcome(at(100)));
    link.handle_pending(at(200));
    assert_eq!(link.state(), ConnectionState::Connected);
    assert!(!link.handle_welcome(at(300)));
}

#[test]
fn a_connected_client_sends_numbered_heartbeats_with_the_last_round_trip() {
    let mut link = client();
    assert_eq!(beats(&mut link, 100), [(0, TickAction::Connect)]);
    assert!(link.handle_welcome(at(100)));
    assert_eq!(beats(&mut link, 1_000), [(1_000, TickAction::Heartbeat { ping_id: 0, rtt: -1 })]);
    link.handle_heartbeat_reply(at(1_080), 0);
    assert_eq!(beats(&mut link, 2_000), [(2_000, TickAction::Heartbeat { ping_id: 1, rtt: 80 })]);
    link.handle_heartbeat_reply(at(2_040), 1);
    assert_eq!((link.rtt(), link.smooth_rtt()), (Some(millis(40)), Some(millis(68))));
}

#[test]
fn a_silence_of_five_seconds_times_out_at_the_next_tick() {
    // Both clocks tick at whole seconds. A heartbeat just after a tick delays the timeout the most.
    for (last, noticed) in [(3_000, 9_000), (3_001, 9_000), (3_999, 9_000), (4_000, 10_000)] {
        let (mut one, mut other) = (client(), connected(LinkConfig::v21()));
        beats(&mut one, 100);
        assert!(one.handle_welcome(at(100)));
        for time in (1_000..=last).step_by(1_000) {
            beats(&mut one, time);
            one.handle_heartbeat_reply(at(time), 0);
            assert!(other.handle_heartbeat(at(time), -1));
        }
        one.handle_heartbeat_reply(at(last), 0);
        assert!(other.handle_heartbeat(at(last), -1));
        for link in [&mut one, &mut other] {
            beats(link, noticed - 1);
            assert_eq!(link.state(), ConnectionState::Connected, "{last}");
            beats(link, noticed);
            assert_eq!(
                events(link),
                [Event::Closed(CloseCause::Exceeded(ConnectionLimit::Silence))],
                "{last}"
            );
        }
    }
}

#[test]
fn a_server_wakes_for_an_idle_client_only_at_its_timeout() {
    let mut link = connected(LinkConfig::v21());
    assert!(link.handle_heartbeat(at(2_500), 20));
    let wake = link.poll_timeout().unwrap();
    assert_eq!((wake.at, wake.reason), (at(8_000), "timeout"));
}

#[test]
fn user_data_does_not_extend_the_timeout_but_an_old_heartbeat_reply_does() {
    let mut link = client();
    beats(&mut link, 0);
    assert!(link.handle_welcome(at(0)));
    for (id, time) in (1..=6).zip((1_000..).step_by(1_000)) {
        beats(&mut link, time - 1);
        assert!(link.handle_reliable(id, 3).is_new);
        link.metrics.received_unreliable(20);
    }
    beats(&mut link, 6_000);
    assert_eq!(events(&mut link), [Event::Closed(CloseCause::Exceeded(ConnectionLimit::Silence))]);

    let mut link = client();
    beats(&mut link, 0);
    assert!(link.handle_welcome(at(0)));
    beats(&mut link, 5_000);
    link.handle_heartbeat_reply(at(5_100), 0);
    beats(&mut link, 10_000);
    assert_eq!((link.state(), link.rtt()), (ConnectionState::Connected, None));
}

#[test]
fn can_timeout_disables_the_timeout_until_it_is_set_again() {
    let mut link = connected(LinkConfig::v21());
    link.set_settings(at(0), ConnectionSettings { can_timeout: false, ..ConnectionSettings::csharp() });
    assert_eq!((beats(&mut link, 100_000), link.poll_timeout()), (vec![], None));
    link.set_settings(at(100_500), ConnectionSettings::csharp());
    beats(&mut link, 105_999);
    assert_eq!(link.state(), ConnectionState::Connected);
    beats(&mut link, 106_000);
    assert_eq!(link.state(), ConnectionState::Ended);
}

#[test]
fn a_server_waits_ten_seconds_for_its_application_and_five_for_the_echo() {
    let mut link = Link::server(LinkConfig::v21(), ConnectionSettings::csharp(), at(0));
    beats(&mut link, 10_999);
    assert_eq!(link.state(), ConnectionState::Pending);
    beats(&mut link, 11_000);
    assert_eq!(link.state(), ConnectionState::Ended);

    let mut link = Link::server(LinkConfig::v21(), ConnectionSettings::csharp(), at(0));
    assert!(!link.handle_welcome_echo(at(100)));
    assert!(link.accept(at(200)) && !link.accept(at(200)));
    assert!(!link.handle_heartbeat(at(300), -1));
    beats(&mut link, 5_999);
    assert_eq!(link.state(), ConnectionState::Accepted);
    beats(&mut link, 6_000);
    assert_eq!(link.state(), ConnectionState::Ended);
}

#[test]
fn a_round_trip_of_740_ms_connects_and_one_of_760_ms_needs_a_longer_resend_delay() {
    let network = connects(LinkConfig::v21(), 740);
    assert_eq!(network.states(), [ConnectionState::Connected; 2]);
    let network = connects(LinkConfig::v21(), 760);
    let (ended, end) = network.client.ended.unwrap();
    // The echo is sent after 760 ms.
    assert_eq!(ended, at(760 + 750));
    assert!(
        matches!(end, CloseCause::Exceeded(ConnectionLimit::SendAttempts { attempts: 15, .. })),
        "{end:?}"
    );

    let patient = LinkConfig { first_resend_delay: millis(300), ..LinkConfig::v21() };
    for round_trip in [760, 1_500] {
        assert_eq!(connects(patient, round_trip).states(), [ConnectionState::Connected; 2], "{round_trip}");
    }
}

#[test]
fn a_round_trip_above_one_second_is_not_measured() {
    let patient = LinkConfig { first_resend_delay: millis(300), ..LinkConfig::v21() };
    let mut network = connects(patient, 1_100);
    network.run_until(at(30_000));
    assert_eq!(network.states(), [ConnectionState::Connected; 2]);
    assert_eq!((network.client.link.rtt(), network.server.link.rtt()), (None, None));
    let mut network = connects(patient, 900);
    network.run_until(at(30_000));
    assert_eq!(network.client.link.rtt(), Some(millis(900)));
    assert_eq!(network.server.link.rtt(), Some(millis(900)));
}

#[test]
fn a_peer_that_stalls_for_150_ms_is_dropped_unless_the_resend_delay_has_a_floor() {
    for (floor, dropped) in [(10, true), (100, false)] {
        let mut link = connected(LinkConfig { min_resend_delay: millis(floor), ..LinkConfig::v21() });
        assert!(link.handle_heartbeat(at(0), 1));
        send(&mut link, at(0));
        let last = (0..=160).filter(|time| !sent(&mut link, at(*time)).is_empty()).max();
        assert_eq!(last, Some(if dropped { 140 } else { 100 }));
        assert_eq!(link.state() == ConnectionState::Ended, dropped);
    }
}

#[test]
fn an_unanswered_welcome_is_paused_until_the_client_sends_again() {
    for most in [2, 15] {
        let config = LinkConfig { handshake_send_attempts: most, ..LinkConfig::v21() };
        let mut link = Link::server(config, ConnectionSettings::csharp(), at(0));
        assert!(link.accept(at(0)));
        send(&mut link, at(0));
        let times = (0..3_000).filter(|time| sent(&mut link, at(*time)) == [1]).count();
        assert_eq!((times, link.state()), (most.into(), ConnectionState::Accepted));
        // Another connect request resends the Welcome once.
        link.retry_stalled(at(3_000));
        let times: Vec<_> = (3_000..4_000).filter(|time| sent(&mut link, at(*time)) == [1]).collect();
        assert_eq!(times, [3_000]);
        // The echo arrived and the ack of the Welcome was lost: resends restart.
        assert!(link.handle_welcome_echo(at(4_000)));
        let times: Vec<_> = (4_000..4_100).filter(|time| sent(&mut link, at(*time)) == [1]).collect();
        assert_eq!(times, [4_000, 4_050]);
    }
}
