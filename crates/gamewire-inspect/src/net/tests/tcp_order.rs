//! Order of the segments of one TCP connection.

use gamewire_machine::Role::{Client, Server};

use super::tcp_script::{ACK, FIN, RST, SYN, SYN_ACK, Script};
use crate::net::tcp::ReassemblyLimits;

#[test]
fn segments_in_order_are_delivered_in_order() {
    let mut script = Script::connected(1);
    script.check(
        &[
            (Client, 1, ACK, "ping"),
            (Server, 501, ACK, "pong"),
            (Client, 5, FIN, "bye"),
            (Server, 505, FIN, ""),
        ],
        "0 client opens; 0 client ping; 0 server pong; 0 client bye; 0 client ends; 0 server ends",
    );
}

#[test]
fn segments_out_of_order_wait_for_the_missing_one() {
    let mut script = Script::connected(1);
    script.check(&[(Client, 4, ACK, "def"), (Client, 10, FIN, "jk"), (Client, 7, ACK, "ghi")], "");
    assert_eq!(script.reassembler.buffered_bytes(), 8 + 3 * ReassemblyLimits::SEGMENT_OVERHEAD);
    script.check(
        &[(Client, 1, ACK, "abc")],
        "0 client opens; 0 client abc; 0 client def; 0 client ghi; 0 client jk; 0 client ends",
    );
    assert_eq!(script.reassembler.buffered_bytes(), 0);
}

#[test]
fn duplicates_are_delivered_once() {
    let mut script = Script::connected(1);
    for _ in 0..3 {
        script.client(1, ACK, b"abc");
    }
    script.check(
        &[(Client, 2, ACK, "bcde"), (Client, 0, SYN, "")],
        "0 client opens; 0 client abc; 0 client de",
    );
}

#[test]
fn g2_in_an_overlap_the_first_bytes_count() {
    let mut script = Script::connected(1);
    script.client(5, ACK, b"EFG");
    script.client(10, ACK, b"JK");
    // This segment overlaps both buffered ones; only the missing bytes are used.
    script.client(3, ACK, b"cdefghijklm");
    script.check(
        &[(Client, 1, ACK, "abXYZ")],
        "0 client opens; 0 client ab; 0 client cd; 0 client EFG; 0 client hi; 0 client JK; 0 client lm",
    );
    script.check(&[(Client, 1, ACK, "0123456789abc!")], "0 client !");
    assert_eq!(script.reassembler.buffered_bytes(), 0);
}

#[test]
fn g2_sequence_numbers_wrap() {
    let mut script = Script::connected(u32::MAX - 2);
    script.check(
        &[(Client, 2, ACK, "fgh"), (Client, u32::MAX - 2, ACK, "abcde"), (Client, 5, FIN, "")],
        "0 client opens; 0 client abcde; 0 client fgh; 0 client ends",
    );
}

#[test]
fn g2_a_stream_of_more_than_four_gibibytes_continues() {
    let mut script = Script::connected(1);
    let mut seq = 1_u32;
    let piece = vec![b'x'; 0x0400_0000];
    for _ in 0..70 {
        script.client(seq, ACK, &piece);
        seq = seq.wrapping_add(0x0400_0000);
        assert_eq!(script.events().last().unwrap(), "0 client sends 67108864 bytes");
    }
    script.check(&[(Client, seq, ACK, "end")], "0 client end");
}

#[test]
fn g2_a_gap_is_skipped_after_the_timeout() {
    let mut script = Script::connected(1);
    script.client(1, ACK, b"a");
    script.client(4, ACK, b"def");
    script.wait_seconds(9);
    script.check(&[(Client, 7, ACK, "g")], "0 client opens; 0 client a");
    script.wait_seconds(2);
    script.check(&[(Client, 8, ACK, "h")], "0 client misses 2; 0 client def; 0 client g; 0 client h");
    // Bytes that arrive after the gap was skipped are late.
    script.check(&[(Client, 2, ACK, "bc")], "");
}

#[test]
fn a_pause_is_not_a_gap() {
    let mut script = Script::connected(1);
    script.client(1, ACK, b"a");
    script.wait_seconds(3600);
    script.check(
        &[(Client, 3, ACK, "c"), (Client, 2, ACK, "b")],
        "0 client opens; 0 client a; 0 client b; 0 client c",
    );
}

#[test]
fn a_gap_is_skipped_at_the_end_of_the_capture() {
    let mut script = Script::connected(1);
    script.client(1, ACK, b"a");
    script.client(3, ACK, b"c");
    script.client(6, FIN, b"f");
    script.finish();
    script.check(&[], "0 client opens; 0 client a; 0 client misses 1; 0 client c; 0 client misses 2; 0 client f; 0 client ends");
    assert_eq!(script.reassembler.connections(), 0);
}

#[test]
fn a_connection_without_its_handshake_begins_with_its_first_data() {
    let mut script = Script::new(ReassemblyLimits::default());
    script.client(999, ACK, b"");
    script.server(10, FIN, b"");
    script.client(70, RST, b"");
    assert_eq!(script.reassembler.connections(), 0);
    script.check(
        &[(Server, 77, ACK, "hello"), (Client, 1000, ACK, "hi")],
        "0 server is in the middle; 0 server hello; 0 client hi",
    );
}

#[test]
fn g2_a_reset_takes_effect_at_its_sequence_number() {
    let mut script = Script::connected(1);
    // An older reset is ignored.
    script.check(
        &[(Client, 1, ACK, "abc"), (Client, 2, RST, ""), (Client, 4, ACK, "d")],
        "0 client opens; 0 client abc; 0 client d",
    );
    // A reset ahead waits for the data before it.
    script.check(&[(Server, 503, ACK, "late"), (Client, 8, RST, "")], "");
    script
        .check(&[(Client, 5, ACK, "efg")], "0 client efg; 0 client resets; 0 server misses 2; 0 server late");
    // Nothing follows a reset.
    script.check(&[(Client, 8, ACK, "ghost"), (Server, 507, FIN, "ghost")], "");
    assert_eq!(script.reassembler.buffered_bytes(), 0);
}

#[test]
fn g2_nothing_is_delivered_after_the_end() {
    let mut script = Script::connected(1);
    script.check(
        &[(Client, 9, ACK, "ghost"), (Client, 4, FIN, ""), (Client, 1, ACK, "abcdefgh")],
        "0 client opens; 0 client abc; 0 client ends",
    );

    let mut script = Script::connected(1);
    script.client(9, ACK, b"ghost");
    script.client(4, FIN, b"");
    script.finish();
    assert_eq!(script.events(), ["0 client opens", "0 client misses 3", "0 client ends"]);
}

#[test]
fn a_refused_connection_is_a_reset() {
    let mut script = Script::new(ReassemblyLimits::default());
    script.check(&[(Client, 7, SYN, ""), (Server, 0, RST, "")], "0 client opens; 0 server resets");
}

#[test]
fn after_the_end_only_a_syn_begins_a_new_connection() {
    let mut script = Script::connected(1);
    script.check(
        &[(Client, 1, FIN, "a"), (Server, 501, FIN, ""), (Client, 1, FIN, "a")],
        "0 client opens; 0 client a; 0 client ends; 0 server ends",
    );
    script.check(
        &[(Client, 9000, SYN, ""), (Server, 8000, SYN_ACK, ""), (Client, 9001, ACK, "again")],
        "1 client opens; 1 client again",
    );
}

#[test]
fn g2_a_forged_syn_changes_nothing_until_it_is_answered() {
    let mut script = Script::connected(1);
    script.check(
        &[(Client, 1, ACK, "a"), (Client, 9000, SYN, ""), (Client, 2, ACK, "b")],
        "0 client opens; 0 client a; 0 client b",
    );
    script.segment(false, 8000, 9001, SYN_ACK, b"");
    assert_eq!(script.events(), ["0 client is dropped"]);
    script.check(
        &[(Client, 9001, ACK, "new"), (Server, 8001, ACK, "too")],
        "1 client opens; 1 client new; 1 server too",
    );
}
