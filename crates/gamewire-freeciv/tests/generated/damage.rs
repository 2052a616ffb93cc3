//! Damaged bodies: both codecs decode the same of them, or refuse them with the same error.

use gamewire_freeciv::delta::Direction;

use crate::support::{ALL, Both, packets, stream};

/// Every how many packets one is damaged.
const STRIDE: usize = 23;

/// A stream up to a packet, then that packet damaged.
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
    // After an error every call returns the same one.
    assert_eq!(both.decode(number, &body).is_err() && is_refused, is_refused);
    is_refused
}

#[test]
fn a_body_that_is_cut_off_is_refused_alike() {
    let refused =
        (100..4004).step_by(STRIDE).filter(|at| damaged("game", *at, |body| body.truncate(body.len() / 2)));
    assert!(refused.count() > 50);
}

#[test]
fn a_byte_too_many_is_refused_alike() {
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
fn types_of_the_other_direction_and_unknown_ones_are_refused_alike() {
    for number in 0..300 {
        for direction in [Direction::ToClient, Direction::ToServer] {
            let _ = Both::new(direction, ALL).decode(number, &[]);
            let _ = Both::new(direction, ALL).decode(number, &[0xff; 300]);
            let _ = Both::new(direction, &[]).decode(number, &[0; 3000]);
        }
    }
}
