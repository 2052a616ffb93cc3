//! T12: text of a peer is always escaped on the terminal.

use crate::support::{Sender, capture, inspect, text};

/// Text that is not UTF-8 and would clear and recolor the screen, ring the bell, reorder and hide text.
const HOSTILE: &[u8] = b"A\x1b[2J\x1b]0;owned\x07\x08\x7f\xc2\x9b31m\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8b\xe2\x80\xa8\xef\xbb\xbf\xff\xc3\"\\Z";

/// Returns a conversation of 0.6 with a hostile player name, chat line and disconnect reason.
fn conversation() -> Vec<u8> {
    let with = |head: &[u8], tail: &[u8]| [head, HOSTILE, tail].concat();
    let chunk = |body: Vec<u8>, sequence: u8| {
        let size = u8::try_from(body.len()).unwrap();
        [vec![0, 0, 1, 0x40 | size >> 4, size & 15, sequence], body].concat()
    };
    let say = chunk(with(&[17 << 1, 0], &[0]), 1);
    let chat = chunk(with(&[3 << 1, 0, 0], &[0]), 1);
    let motd = chunk(with(&[1 << 1], &[0]), 2);
    capture(&[
        (Sender::Client, vec![0x10, 0, 0, 1]),
        (Sender::Server, vec![0x10, 0, 0, 2]),
        (Sender::Client, vec![0x10, 0, 0, 3]),
        (Sender::Client, say),
        (Sender::Server, chat),
        (Sender::Server, motd),
        (Sender::Client, with(&[0x10, 0, 0, 4], &[0])),
    ])
}

fn is_harmless(character: char) -> bool {
    let is_bidi = matches!(character, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_invisible =
        matches!(character, '\u{200b}'..='\u{200d}' | '\u{2028}'..='\u{2029}' | '\u{2060}' | '\u{feff}');
    character == '\n' || !(character.is_control() || is_bidi || is_invisible)
}

#[test]
fn t12_no_form_of_output_lets_a_peer_control_the_terminal() {
    let capture = conversation();
    for form in [&[][..], &["-V"], &["--hex"], &["--json"], &["--json", "-V"], &["-z"], &["-z", "--json"]] {
        let output = inspect(&capture, form);
        let shown = text(&output);
        let complaints = String::from_utf8(output.stderr).unwrap();
        for character in shown.chars().chain(complaints.chars()) {
            assert!(is_harmless(character), "{form:?} lets U+{:04X} through", u32::from(character));
        }
        assert!(form.contains(&"-z") || shown.matches("owned").count() >= 3, "{form:?}: {shown}");
    }
}

#[test]
fn t12_text_of_a_peer_stays_readable() {
    let capture = conversation();
    let line =
        r#""A\x1b[2J\x1b]0;owned\x07\x08\x7f\u{9b}31m\u{202e}\u{2066}\u{200b}\u{2028}\u{feff}\xff\xc3\"\\Z""#;
    assert!(text(&inspect(&capture, &["-V"])).contains(&format!("text: {line}")));
    let json = text(&inspect(&capture, &["--json"]));
    let escaped = r#""text":"A\u001b[2J\u001b]0;owned\u0007\b\u007f\u009b31m\u202e\u2066\u200b\u2028\ufeff"#;
    assert!(json.contains(escaped), "{json}");
}

#[test]
fn t12_color_is_the_only_control_and_is_always_reset() {
    let shown = text(&inspect(&conversation(), &["--color", "always"]));
    for sequence in shown.split('\u{1b}').skip(1) {
        let (style, _) = sequence.split_once('m').unwrap();
        assert!(
            style.starts_with('[') && style[1..].bytes().all(|byte| byte.is_ascii_digit() || byte == b';')
        );
    }
    assert!(
        shown.lines().all(|line| !line.contains('\u{1b}') || line.rfind("\u{1b}[0m") == line.rfind('\u{1b}'))
    );
}

#[test]
fn t12_a_hostile_file_name_is_escaped() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_gamewire"))
        .args(["inspect", "no\u{1b}[2Jsuch\u{202e}file"])
        .output()
        .unwrap();
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(complaint, "error: cannot open no\\x1b[2Jsuch\\u{202e}file: no such file\n");
    assert_eq!(output.status.code(), Some(1));
}
