//! `gamewire info` against a small server in this process.

use std::net::{SocketAddr, UdpSocket};
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use gamewire_teeworlds::browse::{InfoRequest, reply};
use gamewire_teeworlds::model::{ClientEntry, ServerInfo};

/// A server that answers in 0.6 until it is dropped.
struct Server {
    address: SocketAddr,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    fn start(knows_extended: bool) -> Self {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        socket.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
        let address = socket.local_addr().unwrap();
        let is_over = Arc::new(AtomicBool::new(false));
        let until = Arc::clone(&is_over);
        let thread = std::thread::spawn(move || {
            let mut buffer = [0; 1400];
            while !until.load(Ordering::Relaxed) {
                let Ok((length, from)) = socket.recv_from(&mut buffer) else { continue };
                let Some(request) = question(&buffer[..length], knows_extended) else { continue };
                reply(&info(), &request, |answer| {
                    socket.send_to(answer, from).unwrap();
                });
            }
        });
        Self { address, is_over, thread: Some(thread) }
    }

    fn asked(&self, scheme: &str, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gamewire"));
        command.arg("info").arg(format!("{scheme}://{}", self.address)).args(args).output().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap();
    }
}

/// Parses a query in 0.6. A server that does not know the extended format ignores the bytes that request it.
fn question(datagram: &[u8], knows_extended: bool) -> Option<InfoRequest> {
    let &[first, _, high, low, _, _, ref message @ ..] = datagram else { return None };
    let [token] = message.strip_prefix(b"\xff\xff\xff\xffgie3")? else { return None };
    let is_extended = first == b'x' && knows_extended;
    let extra = u32::from_be_bytes([0, high, low, *token]);
    Some(if is_extended {
        InfoRequest::Extended { token: extra }
    } else {
        InfoRequest::Plain { token: *token }
    })
}

fn info() -> ServerInfo {
    let client = ClientEntry { name: "\x1b[31mred".into(), is_player: true, ..ClientEntry::default() };
    ServerInfo {
        name: "a\u{202e}b".into(),
        map: "ctf5".into(),
        num_players: 1,
        max_players: 8,
        num_clients: 1,
        max_clients: 16,
        clients: vec![client],
        ..ServerInfo::default()
    }
}

fn lines(output: &Output) -> Vec<String> {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap().lines().map(Into::into).collect()
}

#[test]
fn a_url_with_a_dialect_gives_the_most_complete_answer() {
    let server = Server::start(true);
    let extended = lines(&server.asked("tw-0.6+udp", &["--json"]));
    assert_eq!(extended.len(), 1);
    assert!(extended[0].contains(r#""dialect":"tw-0.6-ddnet""#), "{extended:?}");
    let plain = lines(&server.asked("tw-0.6.4+udp", &["--json"]));
    assert_eq!(plain.len(), 1);
    assert!(plain[0].contains(r#""dialect":"tw-0.6""#), "{plain:?}");
}

#[test]
fn a_server_without_the_extended_form_delays_the_answer_by_a_second_only() {
    let server = Server::start(false);
    let answers = lines(&server.asked("tw-0.6+udp", &["--json", "--timeout", "1h"]));
    assert_eq!(answers.len(), 1);
    assert!(answers[0].contains(r#""dialect":"tw-0.6""#), "{answers:?}");
}

#[test]
fn a_url_without_a_dialect_gives_every_answer() {
    let server = Server::start(true);
    assert_eq!(lines(&server.asked("teeworlds", &["--json"])).len(), 2);
}

#[test]
fn t12_names_are_escaped() {
    let server = Server::start(true);
    for args in [&[][..], &["--json"]] {
        let shown = lines(&server.asked("teeworlds", args)).concat();
        assert!(!shown.contains(['\x1b', '\u{202e}']), "{shown}");
        assert!(shown.contains("red") && shown.contains("202e"), "{shown}");
    }
}

#[test]
fn no_answer_is_one_sentence_and_exit_code_1() {
    let server = Server::start(true);
    let output = server.asked("tw-0.7+udp", &["--timeout", "100ms"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    let reported = String::from_utf8(output.stderr).unwrap();
    assert!(
        reported.contains("no answer from tw-0.7+udp://127.0.0.1:") && reported.lines().count() == 1,
        "{reported}"
    );
}
