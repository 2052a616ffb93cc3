use super::delivery::{ack, connected, events, send, sent};
use super::network::at;
use crate::link::{
    CloseCause, ConnectionLimit, ConnectionSettings, ConnectionState, Event, Link, LinkConfig,
};
use crate::shared::packet::Notify;

/// Sends one message `attempts` times, then acknowledges it.
fn deliver(link: &mut Link, time: &mut u64, attempts: u64) {
    let id = send(link, at(*time));
    for _ in 0..attempts {
        assert_eq!(sent(link, at(*time)), [id]);
        *time += 50;
    }
    link.handle_ack(at(*time - 1), ack(id, 0xffff));
}

/// Returns the number of messages, with this many attempts each, after which the connection closes.
fn ends_after(link: &mut Link, attempts: u64) -> Option<(usize, Event)> {
    let mut time = 0;
    (1..=300).find_map(|count| {
        deliver(link, &mut time, attempts);
        let last = events(link).pop();
        (link.state() == ConnectionState::Ended).then_some((count, last?))
    })
}

const AVERAGE: Event = Event::Closed(CloseCause::Exceeded(ConnectionLimit::AverageSendAttempts));
const LOSS: Event = Event::Closed(CloseCause::Exceeded(ConnectionLimit::NotifyLoss));

#[test]
fn an_average_above_5_attempts_for_64_acks_ends_the_connection() {
    assert_eq!(ends_after(&mut connected(LinkConfig::v21()), 5), None);
    assert_eq!(ends_after(&mut connected(LinkConfig::v21()), 6), Some((64, AVERAGE)));
    assert_eq!(ends_after(&mut connected(LinkConfig::v20()), 14), None);
}

#[test]
fn an_ack_with_a_low_average_resets_the_count() {
    let mut link = connected(LinkConfig::v21());
    let mut time = 0;
    // One or two messages with one attempt do not help either while the average stays above the limit.
    (0..62).for_each(|_| deliver(&mut link, &mut time, 6));
    deliver(&mut link, &mut time, 1);
    assert_eq!(link.state(), ConnectionState::Connected);
    deliver(&mut link, &mut time, 1);
    assert_eq!(link.state(), ConnectionState::Ended);

    let mut link = connected(LinkConfig::v21());
    let mut time = 0;
    (0..10).for_each(|_| deliver(&mut link, &mut time, 6));
    (0..3).for_each(|_| deliver(&mut link, &mut time, 1));
    assert!(link.metrics.rolling_reliable_sends.mean() < 5.0);
    // The average of 12 messages with 6 attempts and 3 with 1 is exactly 5: the third message from here is the first
    // above the limit again.
    assert_eq!(ends_after_from(&mut link, time, 6), 2 + 64);
}

fn ends_after_from(link: &mut Link, mut time: u64, attempts: u64) -> usize {
    (1..300)
        .find(|_| {
            deliver(link, &mut time, attempts);
            link.state() == ConnectionState::Ended
        })
        .unwrap()
}

#[test]
fn settings_of_one_connection_move_the_threshold_or_take_it_away() {
    let settings = ConnectionSettings {
        max_avg_send_attempts: 2,
        avg_send_attempts_resilience: 10,
        ..ConnectionSettings::csharp()
    };
    let mut link = connected(LinkConfig::v21());
    link.set_settings(at(0), settings);
    assert_eq!(ends_after(&mut link, 3), Some((10, AVERAGE)));
    let mut link = connected(LinkConfig::v21());
    link.set_settings(at(0), ConnectionSettings { can_quality_disconnect: false, ..settings });
    assert_eq!(ends_after(&mut link, 4), None);
}

/// Returns the number of results after which the connection closes, when one of each `period` notify messages is lost.
fn ends_by_notify_loss(settings: ConnectionSettings, period: u16) -> Option<u16> {
    let mut link = connected(LinkConfig::v21());
    link.set_settings(at(0), settings);
    (1..=500_u16).find(|id| {
        link.send_notify(6).unwrap();
        if id % period == 0 {
            return false;
        }
        // The message before `id` is lost if its id is a multiple of the period.
        let field = if (id - 1) % period == 0 { 0 } else { 1 };
        let ids =
            Notify { last_received_seq_id: *id, received_seq_ids: field, seq_id: *id, ..Notify::default() };
        link.handle_notify(ids, 6);
        events(&mut link).contains(&LOSS)
    })
}

#[test]
fn more_than_3_of_64_notify_messages_lost_64_times_in_a_row_end_the_connection() {
    assert_eq!(ends_by_notify_loss(ConnectionSettings::csharp(), 22), None);
    // The fourth loss of 64 (known with the 65th message) is the first of 64 consecutive results above the limit.
    assert_eq!(ends_by_notify_loss(ConnectionSettings::csharp(), 16), Some(64 + 63));
    let settings = ConnectionSettings { can_quality_disconnect: false, ..ConnectionSettings::csharp() };
    assert_eq!(ends_by_notify_loss(settings, 2), None);
}
