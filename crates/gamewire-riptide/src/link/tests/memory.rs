use allocation_counter::measure;
use gamewire_machine::Instant;

use super::network::{at, millis};
use crate::link::{ConnectionSettings, Link, LinkConfig};
use crate::shared::packet::{Ack, Notify};

fn connected() -> Link {
    let mut link = Link::server(LinkConfig::v21(), ConnectionSettings::default(), Instant::ZERO);
    assert!(link.accept(Instant::ZERO) && link.handle_welcome_echo(Instant::ZERO));
    link
}

#[test]
fn a_connection_at_rest_takes_one_kibibyte_and_no_heap() {
    let info = measure(|| drop(connected()));
    assert_eq!(info.count_total, 0);
    assert!(size_of::<Link>() <= 1024, "{}", size_of::<Link>());
}

/// Sends and receives 10 messages of each kind, and acknowledges all except one, which is resent.
fn talk(link: &mut Link, now: Instant, round: &mut u16) {
    let mut last = 0;
    for _ in 0..10 {
        last =
            link.send_reliable(now, 64, |id, packet| packet[..2].copy_from_slice(&id.to_le_bytes())).unwrap();
        while link.poll_send(now).is_some() {}
        *round = round.wrapping_add(1);
        assert!(link.handle_reliable(*round, 64).is_new);
        let ids = link.send_notify(70).unwrap();
        let answer = Notify {
            last_received_seq_id: ids.seq_id,
            received_seq_ids: 0xff,
            seq_id: *round,
            ..Notify::default()
        };
        assert!(link.handle_notify(answer, 70));
    }
    let ack =
        Ack { last_received_seq_id: last, received_seq_ids: 0xfffe, for_seq_id: None, ..Ack::default() };
    link.handle_ack(now, ack);
    assert!(link.handle_heartbeat(now, 20));
    let later = now + millis(60);
    assert_eq!(link.handle_timeout(later), None);
    let again = link.poll_send(later).map(|outgoing| outgoing.seq_id);
    assert_eq!(again, Some(last.wrapping_sub(1)));
    let ack = Ack { for_seq_id: again, ..ack };
    link.handle_ack(later, ack);
    while link.poll_event().is_some() {}
    assert!(link.poll_timeout().is_some());
}

#[test]
fn a_warm_connection_allocates_nothing() {
    let mut link = connected();
    let (mut now, mut round) = (at(0), 0);
    let mut turn = |link: &mut Link| {
        now = now + millis(100);
        talk(link, now, &mut round);
    };
    (0..20).for_each(|_| turn(&mut link));
    let held = link.held_bytes();
    let info = measure(|| (0..10_000).for_each(|_| turn(&mut link)));
    assert_eq!(info.count_total, 0);
    assert_eq!((link.held_bytes(), link.unacked_count()), (held, 0));
    assert_eq!(link.metrics.reliable_uniques, 100_200);
}
