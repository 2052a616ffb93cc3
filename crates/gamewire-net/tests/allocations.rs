//! A driver that has warmed up does not allocate for a datagram.
#![allow(clippy::arithmetic_side_effects, reason = "counts of a test")]

mod support;

use allocation_counter::measure;
use support::{Parrot, driver, updates};

#[test]
fn a_warm_driver_allocates_nothing() {
    let (mut caller, mut parrot) = (driver(Parrot::default()), driver(Parrot::repeating()));
    let to = parrot.local_addr();
    let mut round = || {
        for number in 0..32 {
            caller.machine().say(to, number, 50 + usize::from(number % 5));
        }
        let mut heard = 0;
        while heard < 32 {
            heard += caller.update().unwrap().count();
            parrot.update().unwrap().for_each(drop);
        }
    };
    for _ in 0..10 {
        round();
    }
    let allocated = measure(|| (0..50).for_each(|_| round()));
    assert_eq!(allocated.count_total, 0);

    // The measure sees what a driver allocates when it does.
    let allocated = measure(|| drop(updates(&mut driver(Parrot::default()), |_| true)));
    assert_ne!(allocated.count_total, 0);
}
