//! Packets that only a hostile peer sends.

use crate::DeliveryOutcome;
use proptest::prelude::*;

use super::delivery::{ack, connected, events, send, sent};
use super::network::at;
use crate::SendError;
use crate::link::{
    CloseCause, ConnectionLimit, ConnectionSettings, ConnectionState, Event, Link, LinkConfig,
};
use crate::shared::packet::{Ack, Notify};

const TOO_FAR: Event = Event::Closed(CloseCause::Exceeded(ConnectionLimit::SequenceGap));

#[test]
fn r4_a_jump_beyond_the_window_closes_the_connection_with_any_settings() {
    for config in [LinkConfig::v20(), LinkConfig::v21()] {
        for id in [1025, 5_000, 32_767, 32_768] {
            let mut link = connected(config);
            let settings = ConnectionSettings {
                can_quality_disconnect: false,
                can_timeout: false,
                ..ConnectionSettings::csharp()
            };
            link.set_settings(at(0), settings);
            let receipt = link.handle_reliable(id, 3);
            assert!(!receipt.is_new && receipt.ack.is_none(), "{id}");
            assert_eq!(events(&mut link), [TOO_FAR]);
            assert!(link.held_bytes() <= 64);
        }
    }
}

#[test]
fn r4_so_it_does_before_the_connection_is_established() {
    let mut link = Link::server(LinkConfig::v21(), ConnectionSettings::csharp(), at(0));
    assert!(link.handle_reliable(20_000, 3).ack.is_none());
    assert_eq!(events(&mut link), [TOO_FAR]);
}

#[test]
fn r4_duplicates_are_delivered_once_and_always_acknowledged() {
    let mut link = connected(LinkConfig::v21());
    let mut fresh = 0;
    for id in [1, 1, 5, 1, 5, 3, 3, 5, 65_535, 0, 40_000] {
        let receipt = link.handle_reliable(id, 3);
        fresh += u32::from(receipt.is_new);
        assert!(receipt.ack.is_some());
    }
    assert_eq!((fresh, link.state()), (3, ConnectionState::Connected));
}

#[test]
fn r4_the_field_takes_no_memory_however_ids_jump() {
    let info = allocation_counter::measure(|| {
        let mut link = connected(LinkConfig::v21());
        for id in (0..=u16::MAX).step_by(900) {
            let _ = link.handle_reliable(id, 3);
            let _ = link.handle_reliable(id.wrapping_sub(700), 3);
        }
    });
    // The only allocation is that of the event `Closed`.
    assert!(info.bytes_max <= 64, "{info:?}");
}

#[test]
fn r5_a_peer_that_never_acknowledges_is_given_up_and_its_memory_freed() {
    let mut link = connected(LinkConfig::v21());
    (0..1500).for_each(|_| _ = link.send_reliable(at(0), 1231, |_, _| {}));
    let mut times = [0_u32; 1501];
    for time in (0..1000).step_by(10) {
        sent(&mut link, at(time)).into_iter().for_each(|id| times[usize::from(id)] += 1);
    }
    assert_eq!(times.iter().max(), Some(&15));
    assert_eq!(times.iter().filter(|times| **times > 0).count(), 256);
    assert!(matches!(
        events(&mut link)[..],
        [Event::Closed(CloseCause::Exceeded(ConnectionLimit::SendAttempts { .. }))]
    ));
    assert!(link.held_bytes() <= 64, "{}", link.held_bytes());
}

#[test]
fn r5_queued_messages_are_limited_in_bytes_and_number() {
    let mut link = connected(LinkConfig::v21());
    let taken = (0..100_000).take_while(|_| link.send_reliable(at(0), 1231, |_, _| {}).is_ok()).count();
    assert_eq!(taken, (2 << 20) / 1231);
    assert_eq!(link.send_reliable(at(0), 1231, |_, _| {}), Err(SendError::Full));
    assert!(link.held_bytes() <= (4 << 20) + 32 * 4096, "{}", link.held_bytes());
    assert_eq!(
        link.send_reliable(at(0), 70_000, |_, _| {}),
        Err(SendError::TooLong { length: 70_000, max: 65_535 })
    );

    let mut link = connected(LinkConfig::v21());
    let taken = (0..100_000).take_while(|_| link.send_reliable(at(0), 3, |_, _| {}).is_ok()).count();
    assert_eq!(taken, 32_000);
}

#[test]
fn r5_an_ack_of_an_unsent_id_is_ignored() {
    let mut link = connected(LinkConfig { send_window: 3, ..LinkConfig::v21() });
    link.handle_ack(at(0), ack(1, 0xffff));
    link.handle_ack(at(0), ack(32_768, 0xffff));
    (0..6).for_each(|_| _ = send(&mut link, at(0)));
    assert_eq!(sent(&mut link, at(0)), [1, 2, 3]);
    for wrong in [
        ack(4, 0b11),
        ack(6, 0xffff),
        ack(20_000, 0xffff),
        Ack { for_seq_id: Some(4), ..ack(2, 0) },
        Ack { for_seq_id: Some(9), ..ack(3, 0b11) },
    ] {
        link.handle_ack(at(1), wrong);
    }
    assert_eq!((events(&mut link), link.unacked_count(), link.metrics.acks_ignored), (vec![], 6, 7));
    link.handle_ack(at(1), ack(3, 0b11));
    assert_eq!(events(&mut link).len(), 3);
    // An ack of a message that was acknowledged long ago changes nothing.
    link.handle_ack(at(1), Ack { for_seq_id: Some(65_000), ..ack(65_000, 0xffff) });
    assert_eq!((events(&mut link), link.unacked_count()), (vec![], 3));
}

#[test]
fn r5_a_notify_ack_of_an_unsent_id_is_ignored_and_its_message_handled() {
    let mut link = connected(LinkConfig::v21());
    link.send_notify(6).unwrap();
    let ids = |last, seq_id| Notify {
        last_received_seq_id: last,
        received_seq_ids: 0xff,
        seq_id,
        ..Notify::default()
    };
    assert!(link.handle_notify(ids(2, 1), 6));
    assert!(link.handle_notify(ids(30_000, 2), 6));
    assert_eq!((events(&mut link), link.metrics.acks_ignored), (vec![], 2));
    assert!(link.handle_notify(ids(1, 3), 6));
    assert_eq!(events(&mut link), [Event::Delivery { seq_id: 1, outcome: DeliveryOutcome::NotifyDelivered }]);
}

#[test]
fn r5_a_round_trip_that_a_client_makes_up_slows_only_its_own_messages() {
    for rtt in [i16::MIN, -1, 0, 1, i16::MAX] {
        let mut link = connected(LinkConfig::v21());
        assert!(link.handle_heartbeat(at(0), rtt));
        send(&mut link, at(0));
        assert_eq!(sent(&mut link, at(0)), [1]);
        let wake = link.poll_timeout().unwrap();
        let expected = match rtt {
            ..=1 => (50, "resend"),
            _ => (6_000, "timeout"),
        };
        assert_eq!((wake.at, wake.reason), (at(expected.0), expected.1), "{rtt}");
    }
}

/// Any operation of a peer or an owner.
#[derive(Clone, Debug)]
enum Step {
    Reliable(u16),
    Ack(u16, u16, Option<u16>),
    Notify(u16, u8, u16),
    Heartbeat(i16),
    Reply(u8),
    Handshake(u8),
    Send(u16),
    SendNotify,
    Wait(u32),
}

fn step() -> impl Strategy<Value = Step> {
    let id = || prop_oneof![0_u16..40, any::<u16>()];
    prop_oneof![
        id().prop_map(Step::Reliable),
        (id(), any::<u16>(), proptest::option::of(id()))
            .prop_map(|(last, field, id)| Step::Ack(last, field, id)),
        (id(), any::<u8>(), id()).prop_map(|(last, field, id)| Step::Notify(last, field, id)),
        any::<i16>().prop_map(Step::Heartbeat),
        any::<u8>().prop_map(Step::Reply),
        (0_u8..5).prop_map(Step::Handshake),
        (0_u16..1300).prop_map(Step::Send),
        Just(Step::SendNotify),
        (0_u32..3_000_000).prop_map(Step::Wait),
    ]
}

proptest! {
    #[test]
    fn any_order_of_calls_is_legal_and_each_reliable_id_is_delivered_at_most_once(
        is_client in any::<bool>(),
        steps in proptest::collection::vec(step(), 1..300),
    ) {
        let (config, settings) = (LinkConfig::v21(), ConnectionSettings::csharp());
        let mut link = if is_client {
            Link::client(config, settings, at(0))
        } else {
            Link::server(config, settings, at(0))
        };
        let (mut now, mut delivered, mut ended) = (at(0), std::collections::BTreeSet::new(), 0);
        for step in steps {
            match step {
                Step::Reliable(id) => _ = link.handle_reliable(id, 3),
                Step::Ack(last_received_seq_id, received_seq_ids, for_seq_id) => {
                    link.handle_ack(now, Ack { last_received_seq_id, received_seq_ids, for_seq_id, ..Ack::default() });
                }
                Step::Notify(last_received_seq_id, received_seq_ids, seq_id) => {
                    _ = link.handle_notify(Notify { last_received_seq_id, received_seq_ids, seq_id, ..Notify::default() }, 6);
                }
                Step::Heartbeat(rtt) => _ = link.handle_heartbeat(now, rtt),
                Step::Reply(id) => link.handle_heartbeat_reply(now, id),
                Step::Handshake(0) => link.handle_pending(now),
                Step::Handshake(1) => _ = link.handle_welcome(now),
                Step::Handshake(2) => _ = link.accept(now),
                Step::Handshake(3) => _ = link.handle_welcome_echo(now),
                Step::Handshake(_) => link.retry_stalled(now),
                Step::Send(length) => _ = link.send_reliable(now, length.into(), |_, _| {}),
                Step::SendNotify => _ = link.send_notify(6),
                Step::Wait(micros) => now = now + core::time::Duration::from_micros(micros.into()),
            }
            link.handle_timeout(now);
            sent(&mut link, now);
            for event in events(&mut link) {
                prop_assert_eq!(ended, 0);
                match event {
                    Event::Closed(_) => ended += 1,
                    Event::Delivery { seq_id, outcome: DeliveryOutcome::ReliableDelivered } => prop_assert!(delivered.insert(seq_id)),
                    _ => {}
                }
            }
            prop_assert!(link.poll_timeout().is_none_or(|wake| wake.at > now));
        }
    }
}
