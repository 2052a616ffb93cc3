use core::time::Duration;

use gamewire_machine::Instant;
use proptest::prelude::*;

use super::side::{Side, every_dialect};

/// The fate of a datagram in the network.
#[derive(Clone, Copy, Debug)]
enum Fate {
    Arrives,
    Lost,
    Twice,
    /// The datagram arrives after datagrams that are sent in the next steps.
    Late(u8),
}

fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        5 => Just(Fate::Arrives),
        2 => Just(Fate::Lost),
        1 => Just(Fate::Twice),
        2 => (1_u8..8).prop_map(Fate::Late),
    ]
}

/// Datagrams in flight to one side, each with the step in which it arrives.
type Under = Vec<(usize, Vec<u8>)>;

fn post(from: &mut Side, step: usize, fates: &[Fate], used: &mut usize, under: &mut Under) {
    for datagram in from.sent() {
        let fate = fates.get(*used % fates.len().max(1)).copied().unwrap_or(Fate::Arrives);
        *used += 1;
        match fate {
            Fate::Arrives => under.push((step + 1, datagram)),
            Fate::Lost => {}
            Fate::Twice => under.extend([(step + 1, datagram.clone()), (step + 2, datagram)]),
            Fate::Late(steps) => under.push((step + usize::from(steps), datagram)),
        }
    }
}

fn deliver(to: &mut Side, now: Instant, step: usize, under: &mut Under, got: &mut Vec<u32>) {
    let mut rest = Vec::new();
    for (due, datagram) in under.drain(..) {
        if due > step {
            rest.push((due, datagram));
        } else if let Ok(messages) = to.hear(now, &datagram) {
            got.extend(messages.iter().map(|message| u32::from_le_bytes(*message.first_chunk().unwrap())));
        }
    }
    *under = rest;
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn two_links_over_a_lossy_network_deliver_every_vital_message_once_and_in_order(
        dialect in 0_usize..4,
        fates in proptest::collection::vec(fate(), 1..60),
        count in 1_u32..1500,
        burst in 1_u32..40,
        size in 4_usize..200,
    ) {
        let tokens = every_dialect()[dialect];
        let (mut one, mut other) = Side::pair(tokens);
        one.link.config.overflow = crate::link::OverflowPolicy::Refuse;
        // A loss pattern can hit the same message every time, so the timeouts are off.
        for side in [&mut one, &mut other] {
            side.link.config.unacked_timeout = Duration::from_secs(1 << 30);
            side.link.config.receive_timeout = Duration::from_secs(1 << 30);
        }
        let (mut to_other, mut to_one) = (Vec::new(), Vec::new());
        let (mut got, mut none, mut next, mut used) = (Vec::new(), Vec::new(), 0_u32, 0);
        // One step takes 50 ms. After 20,000 steps no datagram is lost, so that the test ends.
        let mut step = 0;
        while got.len() < count as usize && step < 40_000 {
            let now = Instant::from_micros(step as u64 * 50_000);
            let fates: &[Fate] = if step > 20_000 { &[Fate::Arrives] } else { &fates };
            deliver(&mut one, now, step, &mut to_one, &mut none);
            deliver(&mut other, now, step, &mut to_other, &mut got);
            for _ in 0..burst {
                let mut message = vec![7; size];
                message[..4].copy_from_slice(&next.to_le_bytes());
                if next < count && one.link_at(now).send(true, &message).is_ok() {
                    next += 1;
                }
            }
            one.link.handle_timeout(now).unwrap();
            other.link.handle_timeout(now).unwrap();
            one.link_at(now).flush();
            post(&mut one, step, fates, &mut used, &mut to_other);
            post(&mut other, step, fates, &mut used, &mut to_one);
            step += 1;
        }
        prop_assert_eq!(got, (0..count).collect::<Vec<_>>());
        prop_assert!(one.link.held_bytes() <= 2048 + 32 * 1024);
    }
}
