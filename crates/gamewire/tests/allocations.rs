//! A warm follower and a warm codec allocate nothing for a datagram.
//!
//! A follower is warm after a whole conversation. The test then replays the conversation from its
//! CONNECT, and counts only the second pass.

use crate::encode::Workshop;
use crate::support;
use crate::support::{CAPTURES, Conversation, Datagram};
use allocation_counter::measure;
use gamewire::machine::{Follow, Record};
use gamewire::teeworlds::raw::huffman::TrailingByte;
use gamewire::teeworlds::{Dialect, Follower};

/// Number of datagrams of all captures.
const DATAGRAMS: usize = 1972 + 4896 + 598 + 304 + 577 + 637;

/// Passes every conversation to `pass` twice, with the same state from `start`. Returns the number of datagrams in the
/// second passes, and the ones that allocated.
fn second_passes<S>(
    mut start: impl FnMut(&Conversation) -> S,
    mut pass: impl FnMut(&mut S, usize, &Datagram),
) -> (usize, Vec<String>) {
    let (mut total, mut allocated) = (0, Vec::new());
    for capture in CAPTURES {
        for conversation in support::conversations(capture) {
            let mut state = start(&conversation);
            for (index, datagram) in conversation.datagrams.iter().enumerate() {
                pass(&mut state, index, datagram);
            }
            for (index, datagram) in conversation.datagrams.iter().enumerate() {
                let counted = measure(|| pass(&mut state, index, datagram));
                if counted.count_total > 0 {
                    let (count, bytes) = (counted.count_total, counted.bytes_total);
                    allocated.push(format!("{capture} frame {}: {count} of {bytes} bytes", datagram.frame));
                }
                total += 1;
            }
        }
    }
    (total, allocated)
}

#[test]
fn following_allocates_nothing() {
    let follow = |follower: &mut Follower, _: usize, datagram: &Datagram| {
        follower.follow(datagram.at, datagram.from, &datagram.data, &mut ());
    };
    assert_eq!(second_passes(|_| Follower::default(), follow), (DATAGRAMS, Vec::new()));
}

#[test]
fn following_into_a_used_record_allocates_nothing() {
    let follow = |(follower, record): &mut (Follower, Record), _: usize, datagram: &Datagram| {
        record.clear();
        follower.follow(datagram.at, datagram.from, &datagram.data, record);
    };
    assert_eq!(second_passes(|_| Default::default(), follow), (DATAGRAMS, Vec::new()));
}

#[test]
fn reading_messages_and_writing_them_again_allocates_nothing() {
    let again = |(workshop, dialects): &mut (Workshop, Vec<Dialect>), index: usize, datagram: &Datagram| {
        let mut out = [0; 1500];
        workshop.again(dialects[index], &datagram.data, TrailingByte::ExtraByte, &mut out).unwrap();
    };
    let start = |conversation: &Conversation| (Workshop::new(), dialects(conversation));
    assert_eq!(second_passes(start, again), (DATAGRAMS, Vec::new()));
}

/// Returns the dialect of each datagram of a conversation.
fn dialects(conversation: &Conversation) -> Vec<Dialect> {
    let mut follower = Follower::default();
    let dialect = |datagram: &Datagram| {
        follower.follow(datagram.at, datagram.from, &datagram.data, &mut ());
        follower.dialect_kind().unwrap()
    };
    conversation.datagrams.iter().map(dialect).collect()
}

#[test]
fn the_counter_counts() {
    let counted = measure(|| drop(std::hint::black_box(vec![1_u8; 100])));
    assert_eq!((counted.count_total, counted.bytes_total), (1, 100));
}
