//! Attacks on the codec and the follower of Teeworlds, each named after its kind: `t5_` Huffman, `t6_` integers, `t7_`
//! chunk headers, `t9_` snapshots, `t10_` unexpected packets, `t12_` strings.
//!
//! Every test checks the result of the attack. [`watch::survive`] checks its cost: no panic, no hang, no growth.

mod build;
mod chunks;
mod huffman;
mod integers;
mod misplaced;
mod snapshots;
mod storms;
mod strings;
mod watch;
