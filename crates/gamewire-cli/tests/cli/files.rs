//! Files that `inspect` writes: captures of matching frames, and the data that conversations transfer.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{folder, inspect, run, text};

const TWO_CLIENTS: &[u8] = include_bytes!("../../../../vectors/teeworlds/captures/tw-0.7-two-clients.pcap");
const TOKENS: &[u8] = include_bytes!("../../../../vectors/teeworlds/captures/tw-0.6.5-tokens.pcap");
/// Limit that ends a test that hangs.
const LIMIT: Duration = Duration::from_secs(120);
const FREECIV: &[u8] = include_bytes!("../../../../vectors/freeciv/captures/game.pcap");

#[test]
fn a_filtered_capture_has_the_frames_that_match() {
    let folder = folder("filtered-captures");
    for (filter, count) in [("teeworlds.snap_single", 199), ("conversation == 2", 2330)] {
        let file = folder.join(format!("{count}.pcapng"));
        let path = file.to_str().unwrap();
        let written = inspect(TWO_CLIENTS, &["-w", path, "-Y", filter]);
        let summary = String::from_utf8(written.stderr).unwrap();
        assert!(summary.contains(&format!("; {count} frames written")), "{summary}");
        assert!(written.stdout.is_empty());
        let again = text(&inspect(&fs::read(&file).unwrap(), &["-q", "--json"]));
        assert_eq!(again.lines().count(), count, "{filter}");
    }
    let file = folder.join("out.pcapng");
    let whole = || inspect(TWO_CLIENTS, &["-q", "-w", file.to_str().unwrap()]);
    assert!(whole().status.success());
    let fields = ["-q", "-T", "fields", "-e", "frame", "-e", "frame.time", "-e", "teeworlds"];
    let written = fs::read(&file).unwrap();
    assert_eq!(text(&inspect(&written, &fields)), text(&inspect(TWO_CLIENTS, &fields)));
    let refused = whole();
    let sentence = String::from_utf8(refused.stderr).unwrap();
    assert!(sentence.contains("out.pcapng: the file exists; name another file"), "{sentence}");
    assert_eq!((refused.status.code(), fs::read(&file).unwrap()), (Some(1), written));
}

#[test]
fn the_file_of_live_traffic_is_complete_when_the_program_is_killed() {
    let file = folder("killed-captures").join("live.pcapng");
    let path = file.to_str().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_gamewire"))
        .args(["inspect", "-", "-w", path])
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Keep the input open, because its end would end the program.
    let mut input = child.stdin.take().unwrap();
    input.write_all(&TOKENS[..2_000]).unwrap();
    let expected = text(&inspect(&TOKENS[..2_000], &["-q"])).lines().count();
    let shown = || fs::read(&file).map_or(0, |written| text(&inspect(&written, &["-q"])).lines().count());
    let began = Instant::now();
    while shown() < expected {
        let has_ended = child.try_wait().unwrap().is_some();
        assert!(!has_ended && began.elapsed() < LIMIT, "{} of {expected}", shown());
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(expected > 3 && shown() == expected);
}

#[test]
fn a_recording_does_not_replace_a_file() {
    let file = folder("kept-recordings").join("game.pcapng");
    fs::write(&file, "the recording of the crash").unwrap();
    let path = file.to_str().unwrap();
    let at = ["--listen", "teeworlds://127.0.0.1:0", "--to", "127.0.0.1:9"];
    for command in [
        &[&["proxy"], &at[..]].concat()[..],
        &["join", "tw-0.7+udp://127.0.0.1:9"],
        &["join", "riptide://127.0.0.1:9"],
        &["join", "freeciv://127.0.0.1:9"],
    ] {
        let refused = run(&[command, &["--record", path]].concat());
        let sentence = String::from_utf8(refused.stderr).unwrap();
        let expected = format!(
            "cannot record to {path}: the file exists; name another file, or a folder such as recordings/ for numbered \
             files"
        );
        assert!(sentence.contains(&expected), "{command:?}: {sentence}");
        assert_eq!(refused.status.code(), Some(1), "{command:?}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "the recording of the crash");
    }
}

#[test]
fn a_capture_goes_to_standard_output() {
    let output = inspect(TOKENS, &["-q", "-w", "-", "-Y", "teeworlds.chat"]);
    let lines = text(&inspect(&output.stdout, &["-q"]));
    assert_eq!(lines.lines().count(), 4, "{lines}");
}

#[test]
fn maps_and_chat_are_extracted() {
    let folder = folder("extracted-maps");
    let output = inspect(TOKENS, &["-q", "--extract", folder.to_str().unwrap()]);
    assert_eq!(
        text(&output),
        "conversation-1-chat.txt  116 bytes\nconversation-1-dm1.map  2688 of 5805 bytes\n\
         conversation-2-chat.txt  126 bytes\n"
    );
    assert!(fs::read(folder.join("conversation-1-dm1.map")).unwrap().starts_with(b"DATA"));
    let chat = fs::read_to_string(folder.join("conversation-1-chat.txt")).unwrap();
    assert!(chat.contains("Z 'nameless' entered and joined the game\n"), "{chat}");
}

#[test]
fn streams_are_extracted_and_read_again() {
    let folder = folder("extracted-streams");
    let output = inspect(FREECIV, &["-q", "--extract", folder.to_str().unwrap()]);
    let listed = text(&output);
    assert!(listed.contains("conversation-1-server.bin"), "{listed}");
    let server = fs::read(folder.join("conversation-1-server.bin")).unwrap();
    let capture = text(&inspect(
        FREECIV,
        &["-q", "-T", "fields", "-e", "freeciv.frame.number", "-Y", "direction == server"],
    ));
    let stream = inspect(&server, &["-q", "--stream", "-T", "fields", "-e", "freeciv.frame.number"]);
    assert!(stream.status.success());
    assert!(capture.lines().count() > 1000, "{} packets", capture.lines().count());
    assert_eq!(text(&stream), capture);
}

#[test]
fn a_packet_of_freeciv_is_shown_by_itself() {
    let chat = text(&inspect(FREECIV, &["-q", "-Y", "freeciv.chat_msg"]));
    assert!(chat.lines().count() > 5, "{chat}");
    assert!(chat.lines().all(|line| line.contains("freeciv-3.0 chat_msg ")), "{chat}");
    let json = text(&inspect(FREECIV, &["-q", "--json", "-Y", "freeciv.chat_msg"]));
    assert!(json.lines().all(|line| line.matches("\"frame\":{").count() == 1), "{json}");
}
