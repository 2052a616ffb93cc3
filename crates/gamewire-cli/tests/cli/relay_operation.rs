//! How `gamewire serve riptide` is operated: signals, health, its configuration file and Agones.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Command;

use crate::relay::{Running, of_kind, scratch};

#[cfg(unix)]
#[test]
fn sigterm_disconnects_the_clients() {
    let (server, port) = Running::serve(&["--strict"]);
    let clients = ["2.0+tcp", "2.1+udp"].map(|kind| Running::join(kind, port, &[]));
    server.wait_for("client_connected", clients.len());
    server.terminate();
    let (code, events) = server.end();
    assert_eq!((code, of_kind(&events, "client_disconnected").len()), (0, 2));
    for client in clients {
        let (code, events) = client.end();
        assert_eq!((code, &of_kind(&events, "disconnected")[0]["reason"]), (1, &"ServerStopped".into()));
    }
}

#[cfg(unix)]
#[test]
fn a_draining_server_rejects_new_clients_and_ends_when_the_others_have_left() {
    let (server, port) = Running::serve(&["--drain", "1h"]);
    let mut clients = ["2.0+tcp", "2.1+udp"].map(|kind| Running::join(kind, port, &[]));
    server.wait_for("client_connected", clients.len());
    server.terminate();
    assert_eq!(server.wait_for("draining", 1)[0]["clients"], 2);
    for kind in ["2.0+udp", "2.1+udp", "2.1+tcp"] {
        let (code, events) = Running::join(kind, port, &[]).end();
        assert_eq!((code, &of_kind(&events, "refused")[0]["reason"]), (1, &"Rejected".into()), "{kind}");
    }
    // The clients play on.
    clients[0].type_line("10 int:5");
    clients[1].wait_for("message", 1);
    for mut client in clients {
        client.type_line("leave");
        assert_eq!(client.end().0, 0);
    }
    let (code, events) = server.end();
    assert_eq!((code, &of_kind(&events, "drained")[0]["clients"]), (0, &0.into()));
    let summary = events.last().unwrap();
    assert!(summary["rejected_draining"].as_u64().unwrap() >= 3, "{summary}");
    assert!(of_kind(&events, "client_disconnected").iter().all(|event| event["reason"] == "Disconnected"));
}

#[cfg(unix)]
#[test]
fn a_drain_ends_after_its_time_or_at_a_second_signal() {
    for (time, is_repeated) in [("300ms", false), ("1h", true)] {
        let (server, port) = Running::serve(&["--drain", time]);
        let client = Running::join("2.1+udp", port, &[]);
        server.wait_for("client_connected", 1);
        server.terminate();
        server.wait_for("draining", 1);
        if is_repeated {
            // Signals within 300 ms are one request.
            std::thread::sleep(std::time::Duration::from_millis(400));
            server.terminate();
        }
        let (code, events) = server.end();
        assert_eq!((code, &of_kind(&events, "drained")[0]["clients"]), (0, &1.into()), "{time}");
        assert_eq!(of_kind(&events, "client_disconnected")[0]["reason"], "ServerStopped");
        let (_, events) = client.end();
        assert_eq!(of_kind(&events, "disconnected")[0]["reason"], "ServerStopped");
    }
}

/// Returns the response to a GET request.
#[cfg(unix)]
fn get(port: &serde_json::Value, path: &str) -> String {
    let port = u16::try_from(port.as_u64().unwrap()).unwrap();
    let mut stream = std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    std::io::read_to_string(stream).unwrap()
}

#[cfg(unix)]
#[test]
fn a_draining_server_is_healthy_and_not_ready() {
    let (server, port) = Running::serve(&["--drain", "1h", "--metrics", "0", "--health", "0"]);
    let mut client = Running::join("2.1+udp", port, &[]);
    server.wait_for("client_connected", 1);
    let ports = ["metrics", "health"].map(|event| server.wait_for(event, 1)[0]["port"].clone());
    let status = |path: &str| ports.each_ref().map(|port| get(port, path)[9..12].to_owned());
    assert_eq!(
        (status("/health"), status("/ready")),
        (["200", "200"].map(Into::into), ["200", "200"].map(Into::into))
    );
    server.terminate();
    server.wait_for("draining", 1);
    assert_eq!(
        (status("/health"), status("/ready")),
        (["200", "200"].map(Into::into), ["503", "503"].map(Into::into))
    );
    assert!(get(&ports[0], "/metrics").contains("\ngamewire_riptide_draining 1\n"));
    assert_eq!(status("/metrics"), ["200", "404"]);
    client.type_line("leave");
    assert_eq!((client.end().0, server.end().0), (0, 0));
}

#[test]
fn options_come_from_a_file_and_flags_take_precedence() {
    let file =
        scratch("server.toml", "max-clients = 3\nrelay = \"none\"\necho = true\nlisten = \"nowhere:0\"\n");
    let (mut server, port) = Running::serve(&["--config", &file]);
    assert_eq!(server.wait_for("listening", 1)[0]["max_clients"], 3);
    let mut client = Running::join("2.1+udp", port, &["--send", "10 int:5"]);
    client.wait_for("message", 1);
    client.type_line("leave");
    assert_eq!(client.end().0, 0);
    server.type_line("stop");
    assert_eq!(server.end().0, 0);

    for (name, text, expected) in [
        (
            "unknown",
            "echo = true\nmax-client = 3\n",
            "line 2: unknown option \"max-client\"; use max-clients",
        ),
        (
            "type",
            "max-clients = \"3\"\n",
            "line 1: invalid max-clients: expected a whole number without quotes",
        ),
        ("range", "\nmax-clients = 0\n", "line 2: invalid max-clients \"0\": 0 is not in 1..=65534"),
        ("word", "transport = \"quic\"\n", "line 1: invalid transport \"quic\": use udp or tcp or both"),
    ] {
        let file = scratch(&format!("server-{name}.toml"), text);
        let output = Command::new(env!("CARGO_BIN_EXE_gamewire"))
            .args(["serve", "riptide", "--listen", "127.0.0.1:0", "--config", &file])
            .output()
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert_eq!(error, format!("error: cannot use {file}: {expected}\n"));
    }
}

#[test]
fn the_sidecar_of_agones_learns_how_the_server_is() {
    let sidecar = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = sidecar.local_addr().unwrap().port().to_string();
    let serve = ["serve", "riptide", "--listen", "127.0.0.1:0"];
    let mut server = Running::start_with(&serve, &[("AGONES_SDK_HTTP_PORT", &port)]);
    let accept = || {
        let (mut stream, _) = sidecar.accept().unwrap();
        let mut request = String::new();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        reader.read_line(&mut request).unwrap();
        // A server that has waited for too long has closed the stream.
        _ = write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{{}}");
        // The rest of the request. Closing the stream earlier would reset it.
        _ = std::io::read_to_string(reader);
        request
    };
    let mut requests = std::iter::repeat_with(accept);
    assert_eq!(requests.next().unwrap(), "POST /ready HTTP/1.1\r\n");
    // A server that has waited for too long repeats its request.
    let next = requests.find(|request| !request.contains("/ready"));
    assert_eq!(next.unwrap(), "POST /health HTTP/1.1\r\n");
    requests.find(|request| request.contains("/health"));
    server.wait_for("listening", 1);
    server.type_line("stop");
    let last = requests.find(|request| !request.contains("/ready") && !request.contains("/health"));
    assert_eq!(last.unwrap(), "POST /shutdown HTTP/1.1\r\n");
    assert_eq!(server.end().0, 0);
}

#[test]
fn a_sidecar_that_never_answers_does_not_hold_up_the_server() {
    // The system accepts the connections, and nothing reads them.
    let sidecar = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = sidecar.local_addr().unwrap().port().to_string();
    let serve = ["serve", "riptide", "--listen", "127.0.0.1:0", "--echo", "--relay", "none"];
    let mut server = Running::start_with(&serve, &[("AGONES_SDK_HTTP_PORT", &port)]);
    let server_port = server.wait_for("listening", 1)[0]["port"].as_u64().unwrap();
    let mut client = Running::join("2.1+udp", server_port, &["--send", "10 int:5"]);
    client.wait_for("message", 1);
    client.type_line("leave");
    assert_eq!(client.end().0, 0);
    server.type_line("stop");
    assert_eq!(server.end().0, 0);
}
