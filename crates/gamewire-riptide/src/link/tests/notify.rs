use super::delivery::{connected, events};
use crate::DeliveryOutcome;
use crate::link::{Event, Link, LinkConfig};
use crate::shared::packet::Notify;

fn answer(last: u16, field: u8, seq_id: u16) -> Notify<'static> {
    Notify { last_received_seq_id: last, received_seq_ids: field, seq_id, ..Notify::default() }
}

/// Sends `count` messages, and returns the ids of the last one.
fn send(link: &mut Link, count: u16) -> Notify<'static> {
    (0..count).map(|_| link.send_notify(6).unwrap()).last().unwrap()
}

#[test]
fn ids_start_at_1_and_packets_carry_the_last_received_id() {
    let mut link = connected(LinkConfig::v21());
    assert_eq!(send(&mut link, 1), answer(0, 0, 1));
    assert!(link.handle_notify(answer(0, 0, 1), 6));
    assert!(link.handle_notify(answer(0, 0, 4), 6));
    assert_eq!(send(&mut link, 1), answer(4, 0b1100, 2));
}

#[test]
fn late_and_repeated_messages_are_dropped_and_counted() {
    let mut link = connected(LinkConfig::v21());
    let taken = [1, 3, 2, 3, 4, 4].map(|id| link.handle_notify(answer(0, 0, id), 10));
    assert_eq!(taken, [true, true, false, false, true, false]);
    let metrics = link.metrics;
    assert_eq!((metrics.notify_in, metrics.notify_bytes_in, metrics.notify_discarded), (6, 60, 3));
}

#[test]
fn each_message_gets_one_verdict_in_the_order_of_ids() {
    let mut link = connected(LinkConfig::v21());
    send(&mut link, 12);
    link.handle_notify(answer(11, 0b1000_0001, 1), 6);
    let expected: Vec<_> = (1..=11)
        .map(|seq_id| match seq_id {
            1 | 2 => Event::Delivery { seq_id, outcome: DeliveryOutcome::NotifyUnknown },
            3 | 10 | 11 => Event::Delivery { seq_id, outcome: DeliveryOutcome::NotifyDelivered },
            _ => Event::Delivery { seq_id, outcome: DeliveryOutcome::NotifyLost },
        })
        .collect();
    assert_eq!(events(&mut link), expected);
    // Older and equal acks add no results, and the last message has no result.
    link.handle_notify(answer(11, 0xff, 2), 6);
    link.handle_notify(answer(4, 0xff, 3), 6);
    assert_eq!(events(&mut link), []);
    let metrics = link.metrics;
    assert_eq!((metrics.notify_delivered, metrics.notify_lost, metrics.notify_unknown), (3, 6, 2));
    assert_eq!((metrics.rolling_notify.delivered(), metrics.rolling_notify.lost()), (3, 6));
}

#[test]
fn a_message_reported_unknown_gets_no_later_verdict() {
    let mut link = connected(LinkConfig::v21());
    send(&mut link, 1030);
    let given_up: Vec<_> =
        (1..=6).map(|seq_id| Event::Delivery { seq_id, outcome: DeliveryOutcome::NotifyUnknown }).collect();
    assert_eq!(events(&mut link), given_up);
    link.handle_notify(answer(6, 0xff, 1), 6);
    assert_eq!(events(&mut link), []);
    link.handle_notify(answer(7, 0xff, 2), 6);
    assert_eq!(events(&mut link), [Event::Delivery { seq_id: 7, outcome: DeliveryOutcome::NotifyDelivered }]);
}
