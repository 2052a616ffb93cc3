//! Captures for tests, and runs of the command.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

/// The built-in capture.
pub(crate) const SAMPLE: &[u8] = include_bytes!("../../src/sample.pcap");

/// Runs `gamewire inspect - ARGS` with `capture` on its standard input.
pub(crate) fn inspect(capture: &[u8], args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gamewire"));
    command.args(["inspect", "-"]).args(args).env_remove("NO_COLOR");
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let capture = capture.to_vec();
    let writer = std::thread::spawn(move || {
        // A command that stops early closes its input.
        let _ = stdin.write_all(&capture);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// Runs the command without input.
pub(crate) fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gamewire"));
    command.args(arguments).stdin(Stdio::null()).output().unwrap()
}

/// Returns an empty folder of a test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Ends a session once it takes commands, and returns its output.
pub(crate) fn quit(child: Child) -> Output {
    quit_after(child, "")
}

/// Ends a session after a line that contains `part`, and returns its output. Without such a line, the session must end
/// on its own, or the test hangs.
pub(crate) fn quit_after(child: Child, part: &str) -> Output {
    typed(child, part, "/quit\n")
}

/// Types `lines` after a line that contains `part`, and returns the output of the session.
pub(crate) fn typed(mut child: Child, part: &str, lines: &str) -> Output {
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let (mut printed, mut line) = (String::new(), String::new());
    while !line.contains(part) {
        line.clear();
        if stdout.read_line(&mut line).unwrap() == 0 {
            break;
        }
        printed.push_str(&line);
    }
    // A session that has failed has closed its standard input.
    let lines = lines.to_owned();
    let typing = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
    stdout.read_to_string(&mut printed).unwrap();
    let _ = typing.join().unwrap();
    let output = child.wait_with_output().unwrap();
    Output { stdout: printed.into_bytes(), ..output }
}

/// Returns standard output as text.
pub(crate) fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Returns a capture of datagrams between a client and a server.
pub(crate) fn capture(datagrams: &[(Sender, Vec<u8>)]) -> Vec<u8> {
    const RAW_IP: u32 = 101;
    let mut file = Vec::new();
    file.extend([0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0]);
    file.extend(RAW_IP.to_le_bytes());
    for ((sender, data), second) in datagrams.iter().zip(1_u32..) {
        let packet = packet(*sender, data);
        let length = u32::try_from(packet.len()).unwrap().to_le_bytes();
        file.extend(second.to_le_bytes());
        file.extend([0; 4]);
        file.extend(length);
        file.extend(length);
        file.extend(packet);
    }
    file
}

/// Returns `capture` from frame `first`, counted from 1, with each frame truncated to `snap` bytes.
pub(crate) fn from_frame(capture: &[u8], first: usize, snap: usize) -> Vec<u8> {
    let (header, mut rest) = capture.split_at(24);
    let mut file = header.to_vec();
    let mut number = 0;
    while let [time @ .., _, _, _, _, _, _, _, _] = rest.get(..16).unwrap_or_default() {
        let length = |at: usize| u32::from_le_bytes(rest[at..at + 4].try_into().unwrap());
        let (captured, original) = (length(8), length(12));
        let (record, after) = rest.split_at(16 + captured as usize);
        number += 1;
        if number >= first {
            let data = &record[16..];
            let data = &data[..data.len().min(snap)];
            file.extend(time);
            file.extend(u32::try_from(data.len()).unwrap().to_le_bytes());
            file.extend(original.to_le_bytes());
            file.extend(data);
        }
        rest = after;
    }
    file
}

/// The sender of a datagram.
#[derive(Clone, Copy)]
pub(crate) enum Sender {
    Client,
    Server,
}

fn packet(sender: Sender, data: &[u8]) -> Vec<u8> {
    let (client, server) = (40_000_u16.to_be_bytes(), 8303_u16.to_be_bytes());
    let ports = match sender {
        Sender::Client => [client, server],
        Sender::Server => [server, client],
    };
    let length = |count: usize| u16::try_from(count).unwrap().to_be_bytes();
    let mut packet = vec![0x45, 0];
    packet.extend(length(28 + data.len()));
    packet.extend([0, 1, 0, 0, 64, 17, 0, 0, 127, 0, 0, 1, 127, 0, 0, 1]);
    packet.extend(ports.concat());
    packet.extend(length(8 + data.len()));
    packet.extend([0, 0]);
    packet.extend_from_slice(data);
    packet
}
