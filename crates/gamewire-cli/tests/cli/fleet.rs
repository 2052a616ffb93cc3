//! `--nats` with a stand-in server that refuses: each refusal is printed with its reason.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::thread;

/// A refusal of the stand-in server.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Refusal {
    Password,
    Publish,
    Stream,
    /// The server accepts messages of a few bytes only.
    Length,
}

/// Serves NATS clients until the test ends.
fn serve(refusal: Refusal) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            // A client that is killed closes its connection.
            thread::spawn(move || stream.ok().and_then(|stream| session(stream, refusal).ok()));
        }
    });
    port
}

fn session(mut stream: TcpStream, refusal: Refusal) -> std::io::Result<()> {
    let max_payload = if refusal == Refusal::Length { 100 } else { 1 << 20 };
    let info = format!(
        r#"{{"server_id":"x","server_name":"x","version":"2.10.0","proto":1,"go":"","host":"127.0.0.1","port":1,"headers":true,"jetstream":true,"max_payload":{max_payload}}}"#
    );
    stream.write_all(format!("INFO {info}\r\n").as_bytes())?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let (mut line, mut inbox) = (String::new(), String::new());
    while reader.read_line(&mut line)? > 0 {
        let words: Vec<_> = line.split_whitespace().collect();
        match words[..] {
            ["CONNECT", options] => {
                let options: serde_json::Value = serde_json::from_str(options).unwrap();
                assert_eq!((&options["user"], &options["pass"]), (&"user".into(), &"wr:ng".into()));
            }
            ["PING"] if refusal == Refusal::Password => {
                stream.write_all(b"-ERR 'Authorization Violation'\r\n")?;
                return Ok(());
            }
            ["PING"] => stream.write_all(b"PONG\r\n")?,
            ["SUB", subject, id] if subject.starts_with("_INBOX.") => inbox = id.to_owned(),
            ["PUB" | "HPUB", subject, .., length] => {
                let mut content = vec![0; length.parse::<usize>().unwrap() + 2];
                reader.read_exact(&mut content)?;
                if subject.starts_with("$JS.") && refusal == Refusal::Stream {
                    let error = r#"{"type":"x","error":{"code":500,"err_code":10047,"description":"insufficient storage resources available"}}"#;
                    stream.write_all(
                        format!("MSG {} {inbox} {}\r\n{error}\r\n", words[2], error.len()).as_bytes(),
                    )?;
                } else if !subject.starts_with("$JS.") && refusal == Refusal::Publish {
                    let error = format!("-ERR 'Permissions Violation for Publish to \"{subject}\"'\r\n");
                    stream.write_all(error.as_bytes())?;
                }
            }
            _ => {}
        }
        line.clear();
    }
    Ok(())
}

/// Starts a proxy of the fleet and waits until it prints `expected` on standard error.
fn refused(refusal: Refusal, expected: &str) {
    let nats = format!("nats://user:wr%3Ang@127.0.0.1:{}", serve(refusal));
    let mut proxy = Command::new(env!("CARGO_BIN_EXE_gamewire"))
        .args(["proxy", "--listen", "riptide://127.0.0.1:0", "--to", "127.0.0.1:9", "--nats", &nats])
        .args(["--nats-name", "east", "--duration", "60s"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut errors = Vec::new();
    for line in BufReader::new(proxy.stderr.take().unwrap()).lines() {
        errors.push(line.unwrap());
        if errors.iter().any(|line| line.contains(expected)) {
            break;
        }
    }
    proxy.kill().unwrap();
    proxy.wait().unwrap();
    assert!(errors.iter().any(|line| line.contains(expected)), "{expected:?}: {errors:?}");
}

#[test]
fn a_wrong_password_is_printed() {
    refused(Refusal::Password, "NATS: authorization violation");
}

#[test]
fn a_refused_right_is_printed() {
    refused(Refusal::Publish, "NATS: Permissions Violation for Publish to \"gamewire.east.state\"");
}

#[test]
fn a_refused_stream_is_printed() {
    refused(Refusal::Stream, "cannot keep the messages of the stream GAMEWIRE_STATES");
}

#[test]
fn a_message_that_is_too_large_is_printed() {
    refused(
        Refusal::Length,
        "a message to gamewire.east.state is larger than the server's limit of 100 bytes",
    );
}

#[test]
fn a_server_that_is_not_there_is_printed() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let nats = format!("nats://127.0.0.1:{port}");
    let arguments = ["proxy", "--listen", "riptide://127.0.0.1:0", "--to", "127.0.0.1:9", "--nats", &nats];
    let output = crate::support::run(&[&arguments[..], &["--duration", "2s"]].concat());
    let errors = String::from_utf8(output.stderr).unwrap();
    let expected = format!("NATS: no server answers at 127.0.0.1:{port}");
    assert_eq!(errors.matches(&expected).count(), 1, "{errors}");
}
