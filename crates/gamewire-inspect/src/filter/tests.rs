//! Filters, evaluated for datagrams of the test protocol.

use gamewire_machine::Role;

use gamewire_machine::{ConversationSide, Follow, Instant, Record};

use super::*;
use crate::conversation::PacketInfo;
use crate::protocol::test_protocol::{self, TestProtocol};

const DATAGRAM: &[u8] = b"toy\0say hi there\nsay second\nhit 250\nworld -7\nodd\nwhat";

fn packet() -> PacketInfo {
    PacketInfo {
        frame: 7,
        time: 1_250_000_000,
        conversation: 3,
        protocol: "toy",
        dialect: Some("toy-1"),
        sender: Role::Client,
        from: "127.0.0.1:5000".parse().unwrap(),
        to: "[::1]:80".parse().unwrap(),
        length: 52,
    }
}

fn record(data: &[u8]) -> Record {
    let mut record = Record::new();
    TestProtocol::default().follow(Instant::ZERO, ConversationSide::First, data, &mut record);
    record
}

fn holds(filter: &str) -> bool {
    match Filter::parse(filter, &test_protocol::catalog()) {
        Ok(filter) => filter.holds(&packet(), &record(DATAGRAM)),
        Err(error) => panic!("{error}"),
    }
}

fn error(filter: &str) -> FilterError {
    match Filter::parse(filter, &test_protocol::catalog()) {
        Ok(_) => panic!("{filter} is accepted"),
        Err(error) => error,
    }
}

#[test]
fn builtin_fields_match() {
    for filter in [
        "frame == 7",
        "time == 1.25 && time < 2 && time >= 1.25",
        "conversation != 4",
        r#"direction == "client""#,
        r#"dialect matches "^toy-[0-9]$""#,
        r#"from == "127.0.0.1:5000" && from == "127.0.0.1" && to == "::1""#,
        r#"from contains ":5000" && from != "127.0.0.2""#,
        "length > 0x20 and length <= 52",
        r#"error && error contains "known verb""#,
        r#"warning == "odd_line""#,
    ] {
        assert!(holds(filter), "{filter}");
    }
    for filter in [
        "frame == 8",
        "time > 1.25",
        r#"direction != "client""#,
        r#"to == "127.0.0.1""#,
        r#"warning == "odd""#,
    ] {
        assert!(!holds(filter), "{filter}");
    }
}

#[test]
fn fields_of_every_type_match() {
    for filter in [
        "toy",
        "toy.say",
        "toy.packet.chunk.say",
        r#"toy.say.text contains "hi" && direction == "client""#,
        r#"toy.say.text == "second""#,
        r#"toy.say.text matches "^h.*e$""#,
        "toy.hit.damage == 2.5",
        "toy.hit.damage > 2.49",
        r#"toy.hit.weapon == "pistol" && toy.hit.weapon == 1"#,
        "toy.player.x < 0 && toy.world.player.x == -7",
        "toy.world.sizes == 9 && toy.world.sizes == 7",
        r#"toy.player.token == 0x0a0b && toy.player.token == "00000a0b""#,
        r#"toy.packet.flags == "first" && toy.packet.flags contains "first" && toy.packet.flags == 1"#,
        "toy.odd.raw == 6f:64:64 && toy.odd.raw contains 64:64",
        r#"toy.odd.id == "abababab-abab-abab-abab-abababababab""#,
        "toy.odd.yes && toy.odd.yes == true",
    ] {
        assert!(holds(filter), "{filter}");
    }
    for filter in [
        "toy.hit.damage == 3",
        r#"toy.hit.weapon == "hammer""#,
        r#"toy.say.text == "hi""#,
        "toy.say.text == 1",
        r#"toy.player.x == "x""#,
        r#"toy.packet.flags contains "resend""#,
        "toy.odd.yes == false",
        "toy.odd.id == 00:01",
    ] {
        assert!(!holds(filter), "{filter}");
    }
}

#[test]
fn unequal_means_that_a_field_exists_and_no_occurrence_is_equal() {
    assert!(holds(r#"toy.say.text != "third""#));
    assert!(!holds(r#"toy.say.text != "second""#), "one of the two texts is equal");
    assert!(!holds(r#"toy.hit.weapon != "pistol""#));
    let absent = Filter::parse(r#"toy.say.text != "x""#, &test_protocol::catalog()).unwrap();
    assert!(!absent.holds(&packet(), &record(b"toy\0odd")), "there is no text");
    let negated = Filter::parse(r#"!(toy.say.text == "x")"#, &test_protocol::catalog()).unwrap();
    assert!(negated.holds(&packet(), &record(b"toy\0odd")));
}

#[test]
fn not_binds_stronger_than_and_which_binds_stronger_than_or() {
    assert!(holds("toy || frame == 8 && frame == 9"));
    assert!(!holds("(toy || frame == 8) && frame == 9"));
    assert!(!holds("! toy || frame == 8"));
    assert!(holds("not (frame == 8 or frame == 9) and toy"));
}

#[test]
fn fields_of_another_protocol_do_not_exist() {
    let filter = Filter::parse("toy.say", &test_protocol::catalog()).unwrap();
    let other = PacketInfo { protocol: "other", ..packet() };
    assert!(!filter.holds(&other, &record(DATAGRAM)));
}

#[test]
fn errors_have_a_position_and_what_was_expected() {
    for (filter, shown) in [
        ("", "the filter is empty\n  \n  ^\nan example: teeworlds.chat.text contains \"hi\""),
        (
            "toy.say.txt == 1",
            "toy.say has no field txt\n  toy.say.txt == 1\n  ^^^^^^^^^^^\ndid you mean toy.say.text?",
        ),
        ("frame == 1 toy", "expected &&, || or the end of the filter\n  frame == 1 toy\n             ^^^"),
        (
            "frame 1",
            "expected an operator after frame\n  frame 1\n        ^\noperators are == != < <= > >= contains matches && ||",
        ),
        (
            "frame ==",
            "expected a value after ==\n  frame ==\n          ^\nvalues are numbers, \"text\", true, false, and bytes such as 0a:0b",
        ),
        (
            "direction == server",
            "expected a value after ==\n  direction == server\n               ^^^^^^\ntext goes in double quotes: \"server\"",
        ),
        (
            "direction == \"sever\"",
            "direction is \"client\" or \"server\"\n  direction == \"sever\"\n               ^^^^^^^",
        ),
        ("frame == \"1\"", "frame is a number\n  frame == \"1\"\n           ^^^"),
        ("dialect == 7", "dialect is a text\n  dialect == 7\n             ^\nput it in double quotes"),
        (
            "toy.say.text < \"b\"",
            "expected a number after <\n  toy.say.text < \"b\"\n                 ^^^\ntext and bytes are compared with == != contains matches",
        ),
        (
            "toy.say == \"hi\"",
            "toy.say has no value to compare\n  toy.say == \"hi\"\n  ^^^^^^^\nuse it alone to test whether it exists; its fields are toy.say.NAME",
        ),
        (
            "\"hi\" == toy.say.text",
            "expected the name of a field\n  \"hi\" == toy.say.text\n  ^^^^\na comparison has the field on its left and the value on its right",
        ),
        ("toy && ", "expected the name of a field\n  toy && \n         ^"),
        ("(toy", "expected &&, || or a ) for this (\n  (toy\n  ^"),
        ("toy)", "unmatched )\n  toy)\n     ^"),
        (
            "toy.say.text contains 5",
            "expected a text or bytes after contains\n  toy.say.text contains 5\n                        ^",
        ),
        (
            "frame contains \"1\"",
            "frame is a number\n  frame contains \"1\"\n                 ^^^\ncompare it with == != < <= > >=",
        ),
        (
            "toy.say.text matches 5",
            "expected a regular expression in double quotes after matches\n  toy.say.text matches 5\n                       ^",
        ),
        ("toy & toy", "unknown operator\n  toy & toy\n      ^\nwrite && or the word and"),
        ("tühü", "unknown name tühü\n  tühü\n  ^^^^\ngamewire inspect --fields lists all names"),
        (
            "toy.sày",
            "toy has no packet, message, item or group sày\n  toy.sày\n  ^^^^^^^\ndid you mean toy.say?",
        ),
        (
            "from == 127.0.0.1",
            "an address is a text\n  from == 127.0.0.1\n          ^^^^^^^^^\naddresses go in double quotes: \"127.0.0.1\"",
        ),
        (
            "from == 127.0.0.1:80 || frame == 1",
            "an address is a text\n  from == 127.0.0.1:80 || frame == 1\n          ^^^^^^^^^^^^\naddresses go in double quotes: \"127.0.0.1:80\"",
        ),
        (
            "from == fe80::1",
            "an address is a text\n  from == fe80::1\n          ^^^^^^^\naddresses go in double quotes: \"fe80::1\"",
        ),
    ] {
        assert_eq!(error(filter).to_string(), shown, "{filter}");
    }
    let regex = error("toy.say.text matches \"(\"");
    assert!(regex.message.starts_with("invalid regular expression: "), "{regex}");
    assert_eq!(regex.at, 21..24);
}

#[test]
fn depth_length_and_any_bytes_do_not_break_the_parser() {
    let deep = format!("{}toy{}", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(error(&deep).message, "expected at most 64 parentheses and negations inside each other");
    assert!(error(&"!".repeat(100_000)).message.starts_with("expected at most 64"));
    let long = vec!["frame == 7"; 50_000].join(" && ");
    assert!(holds(&long));
    let pieces =
        ["toy", ".", "say", "\"", "\\", "(", ")", "&&", "==", "!", "ü", "0a:", "1", " ", "matches", "-"];
    let mut seed = 1_u64;
    for _ in 0..50_000 {
        let mut filter = String::new();
        for _ in 0..8 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            filter.push_str(pieces[usize::try_from(seed >> 60).unwrap()]);
        }
        match Filter::parse(&filter, &test_protocol::catalog()) {
            Ok(parsed) => {
                let _ = parsed.holds(&packet(), &record(DATAGRAM));
            }
            Err(error) => assert!(error.to_string().contains('^')),
        }
    }
}
