//! Every datagram of the captures decodes to its fields and encodes to the same bytes.

use crate::encode::Workshop;
use crate::support;
use gamewire::machine::{ConversationSide, Follow};
use gamewire::teeworlds::raw::huffman::TrailingByte;
use gamewire::teeworlds::{Dialect, Follower};

/// Returns the compression variant of a sender. Only the client of the first 0.6.5 conversation and DDNet 20.1 omit the
/// extra byte.
fn ending(capture: &str, from: ConversationSide, dialect: Dialect) -> TrailingByte {
    match (capture, from, dialect) {
        ("tw-0.6.5-tokens", ConversationSide::First, _) => TrailingByte::Exact,
        ("tw-0.6-ddnet-20" | "tw-0.7-ddnet-20", ConversationSide::Second, _) => TrailingByte::Exact,
        ("tw-0.6-ddnet-20-tken", ..) => TrailingByte::Exact,
        _ => TrailingByte::ExtraByte,
    }
}

#[test]
fn every_datagram_encodes_to_the_same_bytes() {
    for (capture, datagrams) in support::CAPTURES.into_iter().zip([1972, 4896, 598, 304, 577, 637]) {
        let (mut same, mut total) = (0, 0);
        for conversation in support::conversations(capture) {
            let (mut follower, mut workshop) = (Follower::default(), Workshop::new());
            for datagram in &conversation.datagrams {
                follower.follow(datagram.at, datagram.from, &datagram.data, &mut ());
                let dialect = follower.dialect_kind().unwrap();
                let ending = ending(capture, datagram.from, dialect);
                let mut out = [0; 1500];
                let length = workshop.again(dialect, &datagram.data, ending, &mut out).unwrap();
                if out[..length] == datagram.data {
                    same += 1;
                } else {
                    println!("{capture} frame {} {:?}", datagram.frame, datagram.from);
                }
                total += 1;
            }
        }
        println!("{capture}: {same} of {total} identical");
        assert_eq!((same, total), (datagrams, datagrams), "{capture}");
    }
}
