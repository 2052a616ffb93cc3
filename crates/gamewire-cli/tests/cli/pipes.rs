//! Pipes: captures from standard input, closed pipes, standard output and standard error.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::support::{SAMPLE, inspect, text};

#[test]
fn standard_input_is_read_like_a_file() {
    let output = inspect(SAMPLE, &[]);
    assert_eq!(output.status.code(), Some(0));
    let file = Command::new(env!("CARGO_BIN_EXE_gamewire")).args(["inspect", "--sample"]).output().unwrap();
    assert_eq!(text(&output), text(&file));
}

#[test]
fn data_is_on_standard_output_and_messages_on_standard_error() {
    let output = inspect(SAMPLE, &[]);
    assert_eq!(text(&output).lines().count(), 60);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr, "60 datagrams in 2 conversations: 0 errors, 0 warnings\n");
    assert!(inspect(SAMPLE, &["--quiet"]).stderr.is_empty());
}

#[test]
fn a_closed_pipe_is_not_a_failure() {
    for form in [&[][..], &["-V"], &["--hex"], &["--json"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_gamewire"))
            .args(["inspect", "--sample"])
            .args(form)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{form:?}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(!stderr.contains("error:") && !stderr.contains("panicked"), "{form:?}: {stderr}");
    }
}

#[test]
fn a_live_capture_is_shown_immediately() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gamewire"))
        .args(["inspect", "-", "-q"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut shown = BufReader::new(child.stdout.take().unwrap());
    stdin.write_all(&SAMPLE[..2000]).unwrap();
    stdin.flush().unwrap();
    // Blocks forever, which fails the test run, if the line is buffered.
    let mut line = String::new();
    shown.read_line(&mut line).unwrap();
    assert!(line.contains("tw-0.7      token"), "{line}");
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(3));
}

/// Maximum time of a step. It only ends a test that hangs.
#[cfg(unix)]
const LIMIT: std::time::Duration = std::time::Duration::from_secs(120);

/// Starts a server without a reader of its standard output, and sends it `lines` lines of 4 kB. 10,000 lines exceed the
/// room for its output.
#[cfg(unix)]
fn unread_server(lines: u32) -> (std::process::Child, std::process::ChildStdin) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gamewire"))
        .args(["serve", "riptide", "--bind", "127.0.0.1:0", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let (sender, written) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        // The server reports each line as an unknown command. If the output blocked the server, it would read no more
        // lines.
        let line = "x".repeat(4_000);
        (0..lines).try_for_each(|_| writeln!(stdin, "{line}")).unwrap();
        sender.send(stdin).unwrap();
    });
    let stdin = written.recv_timeout(LIMIT).unwrap();
    (child, stdin)
}

#[cfg(unix)]
#[test]
fn a_reader_who_is_slow_loses_events_and_is_told_how_many() {
    let (mut child, mut stdin) = unread_server(10_000);
    let stdout = BufReader::new(child.stdout.take().unwrap());
    let (sender, lines) = std::sync::mpsc::channel();
    std::thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    let next = || serde_json::from_str::<serde_json::Value>(&lines.recv_timeout(LIMIT).unwrap()).unwrap();
    let (mut shown, mut lost, mut typed) = (0, 0, 10_000);
    let summary = loop {
        let event = next();
        match event["event"].as_str().unwrap() {
            "command_error" => shown += 1,
            "events_lost" => lost += event["count"].as_u64().unwrap(),
            "summary" => break event,
            _ => {}
        }
        if lost == 0 {
            writeln!(stdin, "more").unwrap();
            typed += 1;
        } else {
            // A server that has stopped reads no more lines.
            let _ = writeln!(stdin, "stop");
        }
    };
    assert!((1..10_000).contains(&lost), "{lost}");
    assert_eq!(summary["events_lost"].as_u64(), Some(lost));
    assert_eq!(shown + lost, typed, "each line is answered, or counted");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[cfg(unix)]
#[test]
fn a_server_whose_output_nobody_reads_ends_at_a_signal() {
    let (mut child, mut stdin) = unread_server(2_000);
    // The answer goes to standard error, which must not wait for standard output.
    writeln!(stdin, "help").unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    let began = std::time::Instant::now();
    Command::new("kill").arg(child.id().to_string()).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(began.elapsed() < LIMIT);
}

#[test]
fn color_is_for_terminals_unless_it_is_requested() {
    assert!(!text(&inspect(SAMPLE, &[])).contains('\u{1b}'));
    assert!(text(&inspect(SAMPLE, &["--color", "always"])).contains('\u{1b}'));
    assert!(!text(&inspect(SAMPLE, &["--color", "never"])).contains('\u{1b}'));
}

#[test]
fn every_listed_name_is_a_filter() {
    let list = Command::new(env!("CARGO_BIN_EXE_gamewire")).args(["inspect", "--fields"]).output().unwrap();
    let names = text(&list);
    let names: Vec<&str> = names.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let is_placeholder = |name: &&&str| name.bytes().any(|byte| byte.is_ascii_uppercase());
    let filter: Vec<&str> = names.iter().filter(|name| !is_placeholder(name)).copied().collect();
    assert!(filter.len() > 500, "{} names", filter.len());
    let output = inspect(SAMPLE, &["-c", "1", "-Y", &filter.join(" or ")]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn completions_and_manual_pages_are_printed() {
    for (args, part) in [
        (&["completions", "bash"][..], "_gamewire"),
        (&["completions", "zsh"], "#compdef gamewire"),
        (&["man"], "gamewire"),
        (&["man", "inspect"], "FILTER"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_gamewire")).args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert!(text(&output).contains(part), "{args:?}");
    }
}
