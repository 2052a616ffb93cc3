use std::collections::BTreeSet;

use proptest::prelude::*;

use crate::link::receive_window::{MAX_SPAN, ReceivedIds, SeqCheck};

/// A reference implementation of the filter: a set of numbers that never wrap.
struct Naive {
    last: i64,
    seen: BTreeSet<i64>,
}

impl Naive {
    /// All numbers up to the start count as arrived.
    const START: i64 = 0;

    fn is_seen(&self, number: i64) -> bool {
        number <= Self::START || self.seen.contains(&number)
    }

    fn oldest_missing(&self) -> Option<i64> {
        (Self::START + 1..self.last).find(|number| !self.is_seen(*number))
    }

    fn take(&mut self, number: i64) -> SeqCheck {
        if number > self.last {
            let from = self.oldest_missing().unwrap_or(self.last);
            if number - from > i64::try_from(MAX_SPAN).unwrap() {
                return SeqCheck::OutOfWindow;
            }
            self.last = number;
        }
        if self.is_seen(number) {
            return SeqCheck::Duplicate;
        }
        self.seen.insert(number);
        SeqCheck::New
    }

    fn first_16(&self) -> u16 {
        let arrived = |back: &u16| {
            let number = self.last - 1 - i64::from(*back);
            number == Self::START || self.seen.contains(&number)
        };
        (0..16).filter(arrived).fold(0, |field, back| field | 1 << back)
    }
}

fn step() -> impl Strategy<Value = i64> {
    prop_oneof![
        8 => -20_i64..20,
        2 => -1_200_i64..200,
        1 => -2_000_i64..1_100,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_filter_takes_each_message_once_as_a_plain_set_does(
        start in any::<u16>(),
        steps in proptest::collection::vec(step(), 1..600),
    ) {
        let mut filter = ReceivedIds { last: start, ..ReceivedIds::default() };
        let mut naive = Naive { last: Naive::START, seen: BTreeSet::new() };
        for step in steps {
            let number = naive.last + step;
            let id = (i64::from(start) + number).rem_euclid(65_536) as u16;
            prop_assert_eq!(filter.check(id), naive.take(number), "{}", number);
            prop_assert_eq!(i64::from(filter.last), (i64::from(start) + naive.last).rem_euclid(65_536));
            // The field contains the id before the first one only after the first one has arrived.
            if naive.last > Naive::START {
                prop_assert_eq!(filter.first_16(), naive.first_16());
            }
        }
    }
}

#[test]
fn the_first_id_may_be_2_as_that_of_the_python_port() {
    let mut filter = ReceivedIds::default();
    assert_eq!(filter.check(2), SeqCheck::New);
    assert_eq!((filter.last, filter.first_16()), (2, 0b10));
    let mut filter = ReceivedIds::default();
    assert_eq!(filter.check(1), SeqCheck::New);
    assert_eq!((filter.last, filter.first_16()), (1, 0b1));
    assert_eq!([0, 65_535].map(|id| filter.check(id)), [SeqCheck::Duplicate; 2]);
}

#[test]
fn messages_after_a_gap_of_16_to_79_ids_are_handled_in_2_0() {
    for gap in [17_u16, 18, 40, 80, 81, 500] {
        let mut filter = ReceivedIds::default();
        assert_eq!(filter.check(1), SeqCheck::New);
        assert_eq!(filter.check(1 + gap), SeqCheck::New);
        assert!((2..=gap).all(|id| filter.check(id) == SeqCheck::New), "{gap}");
        assert!((1..=1 + gap).all(|id| filter.check(id) == SeqCheck::Duplicate), "{gap}");
    }
}

#[test]
fn r4_a_jump_beyond_the_window_is_an_error_and_changes_nothing() {
    for (id, arrival) in [
        (1024, SeqCheck::New),
        (1025, SeqCheck::OutOfWindow),
        (32_767, SeqCheck::OutOfWindow),
        (32_768, SeqCheck::OutOfWindow),
        (32_769, SeqCheck::Duplicate),
        (65_535, SeqCheck::Duplicate),
    ] {
        let mut filter = ReceivedIds::default();
        assert_eq!(filter.check(id), arrival, "{id}");
        if arrival != SeqCheck::New {
            assert_eq!(filter, ReceivedIds::default());
        }
    }
}

#[test]
fn r4_only_the_oldest_missing_message_holds_the_window() {
    let mut filter = ReceivedIds { last: 65_000, ..ReceivedIds::default() };
    let id = |number: u16| 65_000_u16.wrapping_add(number);
    (2..=1025).for_each(|number| assert_eq!(filter.check(id(number)), SeqCheck::New));
    assert_eq!(filter.check(id(1026)), SeqCheck::OutOfWindow);
    assert_eq!(filter.check(id(1)), SeqCheck::New);
    // Message 1 was the only missing one, so the window can advance by its full size.
    assert_eq!(filter.check(id(1025 + 1024)), SeqCheck::New);
    assert_eq!(filter.check(id(1)), SeqCheck::Duplicate);
}
