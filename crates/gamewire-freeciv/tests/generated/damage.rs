//! Damaged bodies: both codecs must decode them to the same values, or return the same error.

use gamewire_freeciv::delta::Direction;

use super::support::{ALL, Both, packets, stream};

/// One packet in this many is damaged.
const STRIDE: usize = 23;

/// Decodes a stream up to the packet `at`, damages that packet, and returns whether it is rejected.
fn damaged(name: &str, at: usize, damage: impl Fn(&mut Vec<u8>)) -> bool {
    let mut both = Both::new(Direction::ToClient, ALL);
    let all = packets(&stream(name));
    for (number, body) in all.iter().take(at).skip(at.saturating_sub(60)) {
        if both.decode(*number, body).is_err() {
            return false;
        }
    }
    let (number, mut body) = all[at].clone();
    damage(&mut body);
    let is_refused = both.decode(number, &body).is_err();
    // After an error, every call returns the same error.
    assert_eq!(both.decode(number, &body).is_err() && is_refused, is_refused);
    is_refused
}

#[test]
fn a_truncated_body_is_rejected_by_both_codecs() {
    let refused =
        (100..4004).step_by(STRIDE).filter(|at| damaged("game", *at, |body| body.truncate(body.len() / 2)));
    assert!(refused.count() > 50);
}

#[test]
fn an_extra_byte_is_rejected_by_both_codecs() {
    let refused = (100..4004).step_by(STRIDE).filter(|at| damaged("game", *at, |body| body.push(0)));
    assert!(refused.count() > 100);
}

#[test]
fn a_changed_byte_means_the_same_to_both() {
    let mut refused = 0_usize;
    for at in (100..4004).step_by(STRIDE) {
        for place in 0..4 {
            let is_refused = damaged("game", at, |body| {
                let place = body.len() * place / 4;
                if let Some(byte) = body.get_mut(place) {
                    *byte ^= 0xff;
                }
            });
            refused += usize::from(is_refused);
        }
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn types_of_the_other_direction_and_unknown_ones_are_rejected_by_both_codecs() {
    for number in 0..300 {
        for direction in [Direction::ToClient, Direction::ToServer] {
            let _ = Both::new(direction, ALL).decode(number, &[]);
            let _ = Both::new(direction, ALL).decode(number, &[0xff; 300]);
            let _ = Both::new(direction, &[]).decode(number, &[0; 3000]);
        }
    }
}
