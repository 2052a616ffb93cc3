//! Filters, evaluated for datagrams of the test protocol.

use gamewire_machine::{ConversationSide, Follow, Instant, Record};

use super::*;
use crate::conversation::PacketInfo;
use crate::protocol::test_protocol::{self, TestProtocol};
use crate::render;

const DATAGRAM: &[u8] = b"toy\0say hi there\nsay second\nhit 250\nworld -7\nodd\nwhat";

fn packet() -> PacketInfo {
    PacketInfo { length: 52, ..render::tests::packet_info() }
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
        "frame.number eq 7 and frame.time_relative ge 1.25 and frame.len == 52",
        r#"frame.time >= "2023-11-14 22:13:21" && frame.time < "2023-11-14T22:13:21.5Z""#,
        "frame.time_epoch == 1700000001.25",
        "ip.addr == 127.0.0.1 && ip.src == 127.0.0.0/8 && ip.dst == ::1 && ip.src != ::1",
        "udp.port == 80 && udp.port == 5000 && udp.srcport == 5000 && udp.dstport == 80",
        "from == 127.0.0.1:5000 && to == [::1]:80",
        "direction == client && direction in {server, client}",
    ] {
        assert!(holds(filter), "{filter}");
    }
    for filter in [
        "frame == 8",
        "time > 1.25",
        r#"direction != "client""#,
        r#"to == "127.0.0.1""#,
        "ip.addr != 127.0.0.1",
        "ip.src == 10.0.0.0/8",
        "tcp.port == 80",
        "frame.time > \"2023-11-15\"",
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
        "toy.hit.weapon == pistol && toy.hit.weapon in {hammer, pistol} && toy.hit.weapon in {1}",
        "toy.hit.damage in {2..3} && toy.hit.damage in {0, 2.5}",
        r#"toy.say.text in {"x", "second"} && toy.say.text ~ "^sec""#,
        "len(toy.say.text) == 6 && len(toy.odd.raw) gt 2",
        r#"upper(toy.say.text) == "SECOND" && lower(upper(toy.say.text)[0:3]) == "sec""#,
        r#"toy.say.text[3:] == "there" && toy.say.text[-3:2] == "on" && toy.say.text[0] == "h""#,
        r#"toy.say.text[3-4] == "th" && toy.odd.raw[1:2] == 64:64"#,
        "toy.say xor toy.hit xor toy.odd",
        "!(toy.say xor toy.hit) && frame == 7",
    ] {
        assert!(holds(filter), "{filter}");
    }
    for filter in [
        "toy.hit.damage == 3",
        r#"toy.hit.weapon == "hammer""#,
        r#"toy.say.text == "hi""#,
        r#"toy.player.x == "x""#,
        r#"toy.packet.flags contains "resend""#,
        "toy.odd.yes == false",
        "toy.odd.id == 00:01",
        "toy.hit.damage in {3..4}",
        r#"toy.say.text[100:2] == "x""#,
        "len(toy.say.text) > 100",
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
            "expected an operator after frame\n  frame 1\n        ^\noperators are == != < <= > >= contains matches in && || xor",
        ),
        (
            "frame ==",
            "expected a value after ==\n  frame ==\n          ^\nvalues are numbers, \"text\", true, false, and bytes such as 0a:0b",
        ),
        (
            "toy.say.text == server",
            "expected a value after ==\n  toy.say.text == server\n                  ^^^^^^\ntext goes in double quotes: \"server\"",
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
        (
            "toy.say.text == 1",
            "toy.say.text is a text\n  toy.say.text == 1\n                  ^\nput it in double quotes",
        ),
        (
            "toy.chunk.size == \"5\"",
            "toy.chunk.size is a number\n  toy.chunk.size == \"5\"\n                    ^^^",
        ),
        (
            "toy.hit.weapon == shotgun",
            "toy.hit.weapon is \"hammer\" or \"pistol\"\n  toy.hit.weapon == shotgun\n                    ^^^^^^^",
        ),
        (
            "toy.hit.weapon in {1, \"gun\"}",
            "toy.hit.weapon is \"hammer\" or \"pistol\"\n  toy.hit.weapon in {1, \"gun\"}\n                        ^^^^^",
        ),
        (
            "toy.odd.yes == 0a:0b",
            "toy.odd.yes is true or false\n  toy.odd.yes == 0a:0b\n                 ^^^^^",
        ),
        (
            "toy.odd.raw == 5",
            "toy.odd.raw is bytes\n  toy.odd.raw == 5\n                 ^\nwrite them as 0a:0b, or as a text in double quotes",
        ),
        (
            "ip.addr == \"localhost\"",
            "ip.addr is an address\n  ip.addr == \"localhost\"\n             ^^^^^^^^^^^\naddresses are written 10.0.0.1, ::1 or 10.0.0.0/8",
        ),
        (
            "frame.time > \"yesterday\"",
            "frame.time is a time\n  frame.time > \"yesterday\"\n               ^^^^^^^^^^^\ntimes are in UTC: \"2023-11-14 22:13:20.5\"",
        ),
        (
            "frame in 7",
            "expected a set after in\n  frame in 7\n           ^\na set is {1, 3..5} or {\"a\", \"b\"}",
        ),
        ("frame in {7", "expected a comma or a } after a value of the set\n  frame in {7\n             ^"),
        (
            "toy.say.text in {\"a\"..\"b\"}",
            "expected numbers around ..\n  toy.say.text in {\"a\"..\"b\"}\n                   ^^^^^^^^",
        ),
        ("len(frame) > 1", "expected a field of text or bytes\n  len(frame) > 1\n  ^^^"),
        ("len(toy.say.text > 1", "expected a ) for this (\n  len(toy.say.text > 1\n     ^"),
        (
            "toy.say.text[x] == \"a\"",
            "invalid slice\n  toy.say.text[x] == \"a\"\n              ^^^\nslices are [2] [2:4] (4 bytes from byte 2) [2-5] [2:] [:4]; a negative start counts from the end",
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
            "frame is a number\n  frame contains \"1\"\n        ^^^^^^^^\ncompare it with == != < <= > >= in",
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
    ] {
        assert_eq!(error(filter).to_string(), shown, "{filter}");
    }
    let regex = error("toy.say.text matches \"(\"");
    assert!(regex.message.starts_with("invalid regular expression: "), "{regex}");
    assert_eq!(regex.at, 21..24);
}

#[test]
fn a_field_has_its_values_as_text() {
    for (field, values) in [
        ("toy.say.text", &["hi there", "second"][..]),
        ("toy.hit.weapon", &["pistol"]),
        ("toy.odd.raw", &["6f6464"]),
        ("toy.say", &["say", "say"]),
        ("len(toy.say.text)", &["8", "6"]),
        ("toy", &["toy"]),
        ("frame.time", &["2023-11-14T22:13:21.250000000Z"]),
        ("frame.time_epoch", &["1700000001.250000000"]),
        ("from", &["127.0.0.1:5000"]),
        ("ip.addr", &["127.0.0.1", "::1"]),
        ("toy.world.sizes", &["7", "9"]),
    ] {
        let parsed = Field::parse(field, &test_protocol::catalog()).unwrap();
        let mut found = Vec::new();
        parsed.texts(&packet(), &record(DATAGRAM), |text| found.push(text.to_owned()));
        assert_eq!(found, values, "{field}");
    }
    let error = Field::parse("toy.say.text x", &test_protocol::catalog()).unwrap_err();
    assert_eq!(error.message, "expected the end of the field");
}

#[test]
fn depth_length_and_any_bytes_do_not_break_the_parser() {
    let deep = format!("{}toy{}", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(error(&deep).message, "expected at most 64 parentheses and negations inside each other");
    assert!(error(&"!".repeat(100_000)).message.starts_with("expected at most 64"));
    let long = vec!["frame == 7"; 50_000].join(" && ");
    assert!(holds(&long));
    let pieces =
        ["toy", "len", "say.", "\"", "[", "(", ")", "]", "==", "in{", "ü", "0a:", "1", " ", "}", "-"];
    let mut random = gamewire_sim::random::Random::new(1);
    for _ in 0..5_000 {
        let mut filter = String::new();
        for _ in 0..8 {
            filter.push_str(pieces[random.below(pieces.len())]);
        }
        match Filter::parse(&filter, &test_protocol::catalog()) {
            Ok(parsed) => {
                let _ = parsed.holds(&packet(), &record(DATAGRAM));
            }
            Err(error) => assert!(error.to_string().contains('^')),
        }
    }
}
