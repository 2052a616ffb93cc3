//! `gamewire serve riptide --wss` and `gamewire join riptide-2.1+wss://…`, with certificates that each test makes.

use std::path::{Path, PathBuf};

use rcgen::generate_simple_self_signed;

use crate::relay::{Running, of_kind};
use crate::support::{folder, run};

/// The files of a certificate.
struct Files {
    certificate: PathBuf,
    key: PathBuf,
}

impl Files {
    fn new(name: &str) -> Self {
        let folder = folder(name);
        let files = Self { certificate: folder.join("cert.pem"), key: folder.join("key.pem") };
        files.issue();
        files
    }

    /// Writes a new certificate for this machine, and its key.
    fn issue(&self) {
        let made = generate_simple_self_signed(vec!["localhost".into(), "127.0.0.1".into()]).unwrap();
        std::fs::write(&self.certificate, made.cert.pem()).unwrap();
        std::fs::write(&self.key, made.signing_key.serialize_pem()).unwrap();
    }

    /// Starts a relay. Returns it with the ports of `--listen`, `--ws` and `--wss`.
    fn serve(&self) -> (Running, [u64; 3]) {
        let (server, port) = Running::serve(&[
            "--ws",
            "127.0.0.1:0",
            "--wss",
            "127.0.0.1:0",
            "--cert",
            text(&self.certificate),
            "--key-file",
            text(&self.key),
        ]);
        let websockets = server.wait_for("websocket", 2);
        let scheme = |number: usize| websockets[number]["url"].as_str().unwrap().split(':').next().unwrap();
        assert_eq!([scheme(0), scheme(1)], ["ws", "wss"]);
        let ports = [0, 1].map(|number: usize| websockets[number]["port"].as_u64().unwrap());
        (server, [port, ports[0], ports[1]])
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn players_over_tls_share_the_room_with_all_others() {
    let files = Files::new("tls-room");
    let (mut server, [port, ws, wss]) = files.serve();
    let ca = ["--ca", text(&files.certificate)];
    let kinds = [
        ("2.1+udp", port, &[][..]),
        ("2.1+tcp", port, &[]),
        ("2.1+ws", ws, &[]),
        ("2.1+wss", wss, &ca),
        ("2.0+wss", wss, &ca),
    ];
    let mut players = kinds.map(|(kind, port, options)| Running::join(kind, port, options));
    server.wait_for("client_connected", players.len());
    for (number, player) in players.iter_mut().enumerate() {
        player.type_line(&format!("10 int:{number}"));
    }
    for (number, player) in players.iter().enumerate() {
        let mut values: Vec<_> = player.wait_for("message", players.len() - 1);
        values.sort_by_key(|event| event["hex"].as_str().unwrap().to_owned());
        let values: Vec<_> = values.iter().map(|event| &event["hex"].as_str().unwrap()[..8]).collect();
        let others = (0..players.len()).filter(|other| *other != number);
        assert_eq!(values, others.map(|other| format!("0{other}000000")).collect::<Vec<_>>(), "{number}");
    }
    server.type_line("stop");
    assert_eq!(server.end().0, 0);
    for player in players {
        let (code, events) = player.end();
        assert_eq!((code, &of_kind(&events, "disconnected")[0]["reason"]), (1, &"ServerStopped".into()));
    }
}

#[test]
fn new_players_get_a_renewed_certificate_and_those_that_are_there_stay() {
    let files = Files::new("tls-renewed");
    let (mut server, [.., wss]) = files.serve();
    let earlier = text(&files.certificate).replace("cert.pem", "earlier.pem");
    std::fs::copy(&files.certificate, &earlier).unwrap();
    let mut first = Running::join("2.1+wss", wss, &["--ca", &earlier]);
    first.wait_for("connected", 1);

    files.issue();
    server.wait_for("certificate_reloaded", 1);
    // The time ends a client that is wrongly accepted.
    let arguments = ["--ca", &earlier, "--duration", "20s"];
    let (code, events) = Running::join("2.1+wss", wss, &arguments).end();
    assert_eq!((code, of_kind(&events, "connected").len()), (1, 0), "{events:?}");
    let second = Running::join("2.1+wss", wss, &["--ca", text(&files.certificate)]);
    second.wait_for("connected", 1);

    // A broken file changes nothing.
    std::fs::write(&files.key, "no key").unwrap();
    first.type_line("10 int:5");
    second.wait_for("message", 1);
    let third = Running::join("2.1+wss", wss, &["--ca", text(&files.certificate)]);
    third.wait_for("connected", 1);
    server.type_line("stop");
    let (code, events) = server.end();
    assert_eq!((code, of_kind(&events, "certificate_reloaded").len()), (0, 1));
    assert!(of_kind(&events, "client_disconnected").iter().all(|event| event["reason"] == "ServerStopped"));
}

#[test]
fn errors_of_certificates_say_what_to_do() {
    let (files, other) = (Files::new("tls-errors"), Files::new("tls-errors-other"));
    let (_server, [port, _, wss]) = files.serve();
    let error = |arguments: &[&str]| {
        let output = run(arguments);
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let serve = |certificate, key| {
        let (certificate, key) = (text(certificate), text(key));
        error(&["serve", "riptide", "--wss", ":0", "--cert", certificate, "--key-file", key])
    };
    let join = |port: u64, ca: &[&str]| {
        error(&[&["join", &format!("riptide-2.1+wss://127.0.0.1:{port}"), "--timeout", "5s"], ca].concat())
    };
    let missing = files.certificate.with_file_name("missing.pem");
    for ((code, error), expected, part) in [
        (join(wss, &["--ca", text(&other.certificate)]), 1, "invalid certificate of the server"),
        (join(wss, &["--ca", text(&other.certificate)]), 1, "use --ca FILE"),
        (join(port, &["--ca", text(&files.certificate)]), 1, "no answer"),
        (join(wss, &["--ca", text(&missing)]), 1, "missing.pem: no such file"),
        (join(wss, &["--ca", text(&files.key)]), 2, "expected a certificate in PEM"),
        (serve(&files.certificate, &other.key), 2, "--key-file its key"),
        (serve(&files.certificate, &files.certificate), 2, "use a PEM file"),
        (serve(&files.key, &files.key), 2, "the key is for --key-file"),
        (serve(&missing, &files.key), 1, "missing.pem: no such file"),
        (error(&["join", "riptide://127.0.0.1", "--ca", "a"]), 2, "--ca is for wss only"),
        (error(&["serve", "riptide", "--wss", ":0"]), 2, "--cert <FILE>"),
    ] {
        assert_eq!(code, Some(expected), "{error}");
        assert!(error.contains(part), "{part}: {error}");
    }
}
