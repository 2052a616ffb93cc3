use crate::DeliveryOutcome;
use gamewire_machine::Instant;
use gamewire_sim::Conditions;

use super::network::{Network, at, millis};
use crate::SendError;
use crate::link::send::Transmission;
use crate::link::{
    CloseCause, ConnectionLimit, ConnectionSettings, ConnectionState, Event, Link, LinkConfig,
};
use crate::shared::packet::Ack;

/// Returns a server's link with an established connection.
pub(super) fn connected(config: LinkConfig) -> Link {
    let mut link = Link::server(config, ConnectionSettings::csharp(), Instant::ZERO);
    assert!(link.accept(Instant::ZERO) && link.handle_welcome_echo(Instant::ZERO));
    link
}

pub(super) fn send(link: &mut Link, now: Instant) -> u16 {
    link.send_reliable(now, 3, |_, _| {}).unwrap()
}

/// Returns the ids that are sent now.
pub(super) fn sent(link: &mut Link, now: Instant) -> Vec<u16> {
    let mut ids = Vec::new();
    while let Some(outgoing) = link.poll_send(now) {
        ids.push(outgoing.seq_id);
    }
    ids
}

pub(super) fn ack(last: u16, field: u16) -> Ack<'static> {
    Ack { last_received_seq_id: last, received_seq_ids: field, for_seq_id: None, ..Ack::default() }
}

pub(super) fn events(link: &mut Link) -> Vec<Event> {
    core::iter::from_fn(|| link.poll_event()).collect()
}

fn delivered(link: &mut Link) -> Vec<u16> {
    let id = |event| match event {
        Event::Delivery { seq_id, outcome: DeliveryOutcome::ReliableDelivered } => seq_id,
        other => panic!("{other:?}"),
    };
    events(link).into_iter().map(id).collect()
}

#[test]
fn a_resent_packet_is_identical() {
    let mut link = connected(LinkConfig::v21());
    let id = link.send_reliable(at(0), 4, |id, packet| packet[1..3].copy_from_slice(&id.to_le_bytes()));
    assert_eq!(id, Ok(1));
    let packet = [0, 1, 0, 0].as_slice();
    assert_eq!(link.poll_send(at(0)), Some(Transmission { seq_id: 1, attempt: 1, packet }));
    assert_eq!(link.poll_send(at(49)), None);
    assert_eq!(link.poll_send(at(50)), Some(Transmission { seq_id: 1, attempt: 2, packet }));
    let metrics = link.metrics;
    let counted = (metrics.reliable_uniques, metrics.reliable_out, metrics.reliable_bytes_out);
    assert_eq!(counted, (1, 2, 8));
}

#[test]
fn acks_name_the_newest_message_its_16_forerunners_and_the_one_that_is_answered() {
    let mut link = connected(LinkConfig::v21());
    let mut answer = |id| {
        let receipt = link.handle_reliable(id, 3);
        let ack = receipt.ack.unwrap();
        (receipt.is_new, ack.last_received_seq_id, ack.received_seq_ids, ack.for_seq_id)
    };
    assert_eq!(answer(1), (true, 1, 0b1, None));
    assert_eq!(answer(2), (true, 2, 0b11, None));
    assert_eq!(answer(5), (true, 5, 0b1_1100, None));
    assert_eq!(answer(3), (true, 5, 0b1_1110, Some(3)));
    assert_eq!(answer(3), (false, 5, 0b1_1110, Some(3)));
    assert_eq!(answer(5), (false, 5, 0b1_1110, None));
    assert_eq!((link.metrics.reliable_in, link.metrics.reliable_discarded), (6, 2));
}

#[test]
fn an_ack_delivers_all_that_it_names_and_each_once() {
    let mut link = connected(LinkConfig::v21());
    (0..20).for_each(|_| _ = send(&mut link, at(0)));
    assert_eq!(sent(&mut link, at(0)).len(), 20);
    link.handle_ack(at(10), ack(3, 0b1));
    assert_eq!(delivered(&mut link), [3, 2]);
    link.handle_ack(at(10), Ack { for_seq_id: Some(1), ..ack(3, 0b11) });
    assert_eq!(delivered(&mut link), [1]);
    // A later ack with the same last id may name more messages.
    link.handle_ack(at(11), ack(20, 0));
    link.handle_ack(at(12), ack(20, 0b101));
    assert_eq!(delivered(&mut link), [20, 19, 17]);
    // A reordered ack covers its own ids only.
    link.handle_ack(at(13), Ack { for_seq_id: Some(9), ..ack(12, u16::MAX) });
    assert_eq!(delivered(&mut link), [9, 12]);
    assert_eq!(link.unacked_count(), 12);
}

#[test]
fn a_message_that_falls_out_of_the_acks_reach_is_sent_again_at_once() {
    let mut link = connected(LinkConfig::v21());
    (0..60).for_each(|_| _ = send(&mut link, at(0)));
    sent(&mut link, at(0));
    link.handle_ack(at(30), ack(32, 0));
    assert_eq!(sent(&mut link, at(30)), []);
    // Message 1 is 33 before the new last id.
    link.handle_ack(at(30), ack(34, 0));
    assert_eq!(sent(&mut link, at(30)), [1]);
    link.handle_ack(at(31), ack(36, 0));
    assert_eq!(sent(&mut link, at(31)), [2, 3]);
    // These messages were sent recently and wait for their timers.
    link.handle_ack(at(32), ack(37, 0));
    assert_eq!(sent(&mut link, at(32)), [4]);
    // Messages 5 to 27 are now more than 32 ids before the last one. Later ones wait for their timers.
    link.handle_ack(at(40), ack(60, 0));
    assert_eq!(sent(&mut link, at(40)), (5..=27).collect::<Vec<_>>());
}

#[test]
fn a_message_that_was_just_sent_is_not_resent_early() {
    let mut link = connected(LinkConfig::v21());
    (0..40).for_each(|_| _ = send(&mut link, at(0)));
    sent(&mut link, at(0));
    link.handle_ack(at(24), ack(39, 0));
    link.handle_ack(at(24), ack(40, 0));
    assert_eq!(sent(&mut link, at(49)), []);
    assert_eq!(sent(&mut link, at(50)), (1..=38).collect::<Vec<_>>());
}

#[test]
fn a_timer_that_is_too_early_for_a_longer_round_trip_is_armed_again() {
    // The C# library never sends the message again.
    let mut link = connected(LinkConfig::v21());
    send(&mut link, at(0));
    assert_eq!(sent(&mut link, at(0)), [1]);
    assert!(link.handle_heartbeat(at(40), 400));
    assert_eq!(sent(&mut link, at(50)), []);
    let wake = link.poll_timeout().unwrap();
    assert_eq!((wake.at, wake.reason), (at(50 + 480), "resend"));
    assert_eq!(sent(&mut link, at(529)), []);
    assert_eq!(sent(&mut link, at(530)), [1]);
}

#[test]
fn acks_during_a_resend_do_not_drop_the_other_messages() {
    let mut link = connected(LinkConfig::v21());
    (0..6).for_each(|_| _ = send(&mut link, at(0)));
    sent(&mut link, at(0));
    assert_eq!(link.poll_send(at(50)).map(|outgoing| outgoing.seq_id), Some(1));
    assert!(link.poll_timeout().unwrap().at <= at(50));
    link.handle_ack(at(50), ack(3, 0b11));
    assert_eq!(sent(&mut link, at(50)), [4, 5, 6]);
    assert_eq!(link.poll_timeout().unwrap().at, at(100));
}

#[test]
fn a_message_that_is_never_acknowledged_is_sent_15_times_and_ends_the_connection_of_2_1() {
    let mut link = connected(LinkConfig::v21());
    send(&mut link, at(0));
    let times: Vec<u64> = (0..2000).filter(|time| sent(&mut link, at(*time)) == [1]).collect();
    assert_eq!(times, (0..15).map(|attempt| attempt * 50).collect::<Vec<_>>());
    let poor = ConnectionLimit::SendAttempts { seq_id: 1, attempts: 15 };
    assert_eq!(events(&mut link), [Event::Closed(CloseCause::Exceeded(poor))]);
    assert_eq!((link.state(), link.poll_timeout()), (ConnectionState::Ended, None));
}

#[test]
fn in_2_0_an_unacknowledged_message_is_dropped_and_the_connection_continues() {
    let mut link = connected(LinkConfig::v20());
    send(&mut link, at(0));
    let times = (0..2000).filter(|time| sent(&mut link, at(*time)) == [1]).count();
    assert_eq!((times, link.unacked_count()), (15, 0));
    assert_eq!(events(&mut link), [Event::Delivery { seq_id: 1, outcome: DeliveryOutcome::ReliableGivenUp }]);
    send(&mut link, at(2000));
    assert_eq!(sent(&mut link, at(2000)), [2]);
    link.handle_ack(at(2001), ack(2, 1));
    assert_eq!(delivered(&mut link), [2]);
}

#[test]
fn without_a_limit_attempts_become_rarer_and_go_on_until_the_timeout() {
    for config in [LinkConfig::v20(), LinkConfig::v21()] {
        let mut link = connected(config);
        link.set_settings(at(0), ConnectionSettings::default());
        send(&mut link, at(0));
        let times: Vec<u64> =
            (0..20_000).step_by(10).filter(|time| sent(&mut link, at(*time)) == [1]).collect();
        let first = [0, 50, 100, 150, 200, 300, 500, 900, 1_700];
        assert_eq!(times, first.into_iter().chain((2_700..15_000).step_by(1_000)).collect::<Vec<_>>());
        assert_eq!(events(&mut link), [Event::Closed(CloseCause::Exceeded(ConnectionLimit::NoAck))]);
    }
}

#[test]
fn an_ack_of_any_message_extends_the_timeout_of_the_others() {
    let mut link = connected(LinkConfig::v21());
    link.set_settings(at(0), ConnectionSettings::default());
    let mut newest = send(&mut link, at(0));
    for time in (0..60_000).step_by(100) {
        sent(&mut link, at(time));
        if time % 12_000 == 0 {
            newest = send(&mut link, at(time));
            sent(&mut link, at(time));
            link.handle_ack(at(time), ack(newest, 0));
        }
    }
    assert_eq!((link.state(), link.unacked_count()), (ConnectionState::Connected, 1), "{newest}");
}

#[test]
fn without_a_timeout_it_is_resent_indefinitely() {
    let mut link = connected(LinkConfig::v21());
    link.set_settings(at(0), ConnectionSettings { can_timeout: false, ..ConnectionSettings::default() });
    send(&mut link, at(0));
    let times = (0..100_000_u64).step_by(50).filter(|time| sent(&mut link, at(*time)) == [1]).count();
    assert_eq!((times, link.state()), (107, ConnectionState::Connected));
}

#[test]
fn ids_go_on_over_the_wrap_and_messages_beyond_the_window_are_held_back() {
    let mut link = connected(LinkConfig { send_window: 10, ..LinkConfig::v21() });
    link.sent = super::super::send_window::SendWindow::new(65_530);
    link.last_acked = 65_529;
    let ids: Vec<u16> = (0..15).map(|_| send(&mut link, at(0))).collect();
    assert_eq!(ids, [(65_530..=65_535).collect::<Vec<u16>>(), (0..9).collect()].concat());
    assert_eq!(sent(&mut link, at(0)), ids[..10]);
    // The oldest message holds the window.
    link.handle_ack(at(5), ack(3, 0xff));
    assert_eq!(sent(&mut link, at(5)), []);
    link.handle_ack(at(6), Ack { for_seq_id: Some(65_530), ..ack(3, 0x1ff) });
    let wake = link.poll_timeout().unwrap();
    assert!(wake.at <= at(6) && wake.reason == "send", "{wake:?}");
    assert_eq!(sent(&mut link, at(6)), ids[10..]);
    assert_eq!(link.unacked_count(), 5);
}

#[test]
fn towards_2_0_no_more_than_79_messages_are_under_way() {
    let mut link = connected(LinkConfig::v20());
    (0..100).for_each(|_| _ = send(&mut link, at(0)));
    assert_eq!(sent(&mut link, at(0)), (1..=79).collect::<Vec<_>>());
    link.handle_ack(at(1), ack(4, 0b111));
    assert_eq!(sent(&mut link, at(1)), (80..=83).collect::<Vec<_>>());
}

#[test]
fn towards_2_0_300_messages_a_second_keep_up_with_a_round_trip_of_50_ms() {
    let backlog = |send_window| {
        let mut link = connected(LinkConfig { send_window, ..LinkConfig::v20() });
        assert!(link.handle_heartbeat(at(0), 50));
        let mut under_way = std::collections::VecDeque::new();
        for time in 0..3_000 {
            if time % 10 < 3 {
                send(&mut link, at(time));
            }
            under_way.extend(sent(&mut link, at(time)).into_iter().map(|id| (time + 50, id)));
            while under_way.front().is_some_and(|(due, _)| *due <= time) {
                let (_, id) = under_way.pop_front().unwrap();
                link.handle_ack(at(time), ack(id, u16::MAX));
            }
        }
        link.unacked_count()
    };
    assert!(backlog(79) <= 16, "{}", backlog(79));
    assert!(backlog(14) > 50, "{}", backlog(14));
}

#[test]
fn after_its_end_a_connection_does_nothing() {
    let mut link = connected(LinkConfig::v21());
    send(&mut link, at(0));
    link.close();
    assert_eq!(link.send_reliable(at(0), 3, |_, _| {}), Err(SendError::NotConnected));
    assert_eq!(link.send_notify(6), Err(SendError::NotConnected));
    assert_eq!(link.handle_reliable(1, 3).ack, None);
    assert!(!link.accept(at(0)) && !link.handle_welcome(at(0)) && !link.handle_heartbeat(at(0), 1));
    assert_eq!(link.poll_send(at(100)), None);
    assert_eq!(link.handle_timeout(at(60_000)), None);
    assert_eq!(link.poll_event(), None);
    assert_eq!((link.poll_timeout(), link.held_bytes()), (None, 0));
}

#[test]
fn an_hour_of_sleep_makes_no_storm_of_messages() {
    let mut link = connected(LinkConfig::v21());
    (0..100).for_each(|_| _ = send(&mut link, at(0)));
    assert_eq!(sent(&mut link, at(0)).len(), 100);
    assert_eq!(sent(&mut link, at(3_600_000)).len(), 100);
    assert_eq!(sent(&mut link, at(3_600_049)).len(), 0);
}

#[test]
fn delivery_is_not_in_order() {
    let settings = ConnectionSettings::csharp();
    let mixed = Conditions { reorder: 0.5, delay: millis(30), ..Conditions::PERFECT };
    let mut network = Network::connected(LinkConfig::v21(), settings, mixed, 3);
    (0..50).for_each(|value| _ = network.client.send(at(0), value));
    network.run_until(at(500));
    let got = &mut network.server.got;
    assert!(!got.is_sorted());
    got.sort_unstable();
    assert_eq!(*got, (0..50).collect::<Vec<_>>());
}
