//! Streams over TLS, with certificates that each test makes.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::time::{Duration, Instant as Monotonic};

use gamewire_net::blocking::Driver;
use gamewire_net::tls::{TlsAcceptor, TlsConnector, TlsError};
use gamewire_net::{DriverConfig, Transports};
use rcgen::generate_simple_self_signed;

use crate::support::{LOCAL, StreamClient, StreamServer, TIMEOUT};

/// The files of a certificate for `localhost`, removed when this is dropped.
struct Files {
    folder: PathBuf,
}

impl Files {
    fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("gamewire-tls-{test}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let files = Self { folder };
        files.issue();
        files
    }

    /// Writes a new certificate and its key.
    fn issue(&self) {
        let made = generate_simple_self_signed(vec!["localhost".into(), "127.0.0.1".into()]).unwrap();
        std::fs::write(self.certificate(), made.cert.pem()).unwrap();
        std::fs::write(self.key(), made.signing_key.serialize_pem()).unwrap();
    }

    fn certificate(&self) -> PathBuf {
        self.folder.join("cert.pem")
    }

    fn key(&self) -> PathBuf {
        self.folder.join("key.pem")
    }

    fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::load(self.certificate(), self.key()).unwrap()
    }

    fn connector(&self) -> TlsConnector {
        TlsConnector::with_roots_of(&self.certificate(), "localhost").unwrap()
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Listens with and without TLS.
fn listen(acceptor: &TlsAcceptor, handshake_timeout: Option<Duration>) -> Driver<StreamServer> {
    let config = DriverConfig {
        tls_listen: vec![(LOCAL, acceptor.clone())],
        tls_handshake_timeout: handshake_timeout,
        ..DriverConfig::default()
    };
    Driver::listen_with(LOCAL, Transports::Tcp, StreamServer::echoing(), config).unwrap()
}

fn connect(server: &Driver<StreamServer>, connector: TlsConnector) -> Driver<StreamClient> {
    let config = DriverConfig { tls_connect: Some(connector), ..DriverConfig::default() };
    Driver::connect_with(server.also_local_addrs()[0], TIMEOUT, StreamClient::default(), config).unwrap()
}

/// Drives both until `done`.
fn drive(
    server: &mut Driver<StreamServer>,
    client: &mut Driver<StreamClient>,
    mut done: impl FnMut(&StreamServer, &StreamClient) -> bool,
) {
    let deadline = Monotonic::now() + TIMEOUT;
    while !done(server.machine(), client.machine()) {
        assert!(Monotonic::now() < deadline, "{:?} {:?}", server.stats(), client.stats());
        server.update().unwrap().for_each(drop);
        client.update().unwrap().for_each(drop);
    }
}

/// Sends `sent` and expects it back.
fn echo(server: &mut Driver<StreamServer>, client: &mut Driver<StreamClient>, sent: &[u8]) {
    client.machine_mut().received.clear();
    client.machine_mut().send(sent);
    drive(server, client, |_, client| client.received.len() >= sent.len());
    assert!(client.machine().received == sent);
}

#[test]
fn bytes_arrive_in_order_in_both_directions() {
    let files = Files::new("bytes");
    let mut server = listen(&files.acceptor(), None);
    let mut client = connect(&server, files.connector());
    let sent: Vec<u8> = (0..150_000_u32).flat_map(u32::to_be_bytes).map(|byte| byte & 0x70).collect();
    echo(&mut server, &mut client, &sent[..10_000]);
    for part in sent.chunks(40_000) {
        echo(&mut server, &mut client, part);
    }
    // One room has streams of both kinds.
    let mut plain = Driver::connect(server.local_addr(), TIMEOUT, StreamClient::default()).unwrap();
    echo(&mut server, &mut plain, b"plain");
    assert_eq!(server.machine().open.len(), 2);
}

#[test]
fn the_last_bytes_arrive_before_the_end_of_the_stream() {
    let files = Files::new("end");
    let mut server = listen(&files.acceptor(), None);
    let mut client = connect(&server, files.connector());
    client.machine_mut().send(b"close\n");
    drive(&mut server, &mut client, |_, client| client.stream.is_none());
    assert_eq!(client.machine().received, b"close\nbye");
    assert_eq!(client.stats().streams.ended, 1, "an orderly end");
}

#[test]
fn a_client_that_never_finishes_its_handshake_is_dropped_and_does_not_hold_up_others() {
    let files = Files::new("silent");
    let timeout = Duration::from_millis(500);
    let mut server = listen(&files.acceptor(), Some(timeout));
    let mut silent: Vec<_> =
        (0..20).map(|_| TcpStream::connect(server.also_local_addrs()[0]).unwrap()).collect();
    for stream in &mut silent {
        // The begin of a record of a handshake.
        stream.write_all(&[22, 3, 1, 2, 0, 1]).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    }
    let mut client = connect(&server, files.connector());
    echo(&mut server, &mut client, b"not held up");
    drive(&mut server, &mut client, |server, _| server.open.len() == 1);
    for stream in &mut silent {
        assert!(!matches!(stream.read(&mut [0; 99]), Ok(1..)), "nothing is sent before the hello");
    }
    std::thread::sleep(timeout);
    echo(&mut server, &mut client, b"a complete handshake has no deadline");
}

#[test]
fn plain_bytes_at_the_port_for_tls_end_the_stream() {
    let files = Files::new("plain");
    let mut server = listen(&files.acceptor(), None);
    let mut client = connect(&server, files.connector());
    echo(&mut server, &mut client, b"first");
    for plain in
        [&b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"[..], &[0; 4_000], &[22, 3, 1, 0xff, 0xff, 1, 1]]
    {
        let mut stream = TcpStream::connect(server.also_local_addrs()[0]).unwrap();
        stream.set_nonblocking(true).unwrap();
        stream.write_all(plain).unwrap();
        let reset = server.stats().streams.reset;
        let deadline = Monotonic::now() + TIMEOUT;
        while server.stats().streams.reset == reset {
            assert!(Monotonic::now() < deadline);
            server.update().unwrap().for_each(drop);
        }
        assert_eq!(server.machine().open.len(), 1);
    }
    let received = server.machine().received.as_ref().unwrap();
    assert_eq!(received.values().map(Vec::len).sum::<usize>(), 5, "no plain byte reaches the machine");
    echo(&mut server, &mut client, b"last");
}

#[test]
fn a_client_rejects_certificates_that_it_does_not_trust_and_other_names() {
    let (files, others) = (Files::new("trusted"), Files::new("untrusted"));
    let mut server = listen(&files.acceptor(), None);
    let other_name = TlsConnector::with_roots_of(&files.certificate(), "game.example").unwrap();
    for connector in [others.connector(), other_name] {
        let mut client = connect(&server, connector);
        client.machine_mut().send(b"secret");
        drive(&mut server, &mut client, |_, client| client.stream.is_none());
        drive(&mut server, &mut client, |server, _| server.open.is_empty());
    }
    assert_eq!(server.stats().streams.received_bytes, 0);
    let by_address = TlsConnector::with_roots_of(&files.certificate(), "127.0.0.1").unwrap();
    let mut client = connect(&server, by_address);
    echo(&mut server, &mut client, b"trusted");
}

#[test]
fn a_new_certificate_is_used_for_new_streams_and_a_broken_one_is_not() {
    let files = Files::new("reload");
    let acceptor = files.acceptor();
    let mut server = listen(&acceptor, None);
    let old = files.connector();
    let mut first = connect(&server, old.clone());
    echo(&mut server, &mut first, b"first");
    assert!(!acceptor.reload().unwrap(), "nothing has changed");

    let (certificate, key) =
        (std::fs::read(files.certificate()).unwrap(), std::fs::read(files.key()).unwrap());
    files.issue();
    let (new_certificate, new_key) =
        (std::fs::read(files.certificate()).unwrap(), std::fs::read(files.key()).unwrap());
    for (broken_certificate, broken_key) in [
        (&b""[..], &new_key[..]),
        (&new_certificate, &key),
        (&new_certificate[..200], &new_key),
        (&certificate, b""),
    ] {
        std::fs::write(files.certificate(), broken_certificate).unwrap();
        std::fs::write(files.key(), broken_key).unwrap();
        acceptor.reload().unwrap_err();
        assert!(!acceptor.reload().unwrap(), "each fault is reported once");
        let mut client = connect(&server, old.clone());
        echo(&mut server, &mut client, b"the old certificate");
    }
    std::fs::remove_file(files.key()).unwrap();
    assert!(matches!(acceptor.reload(), Err(TlsError::Read { .. })));

    std::fs::write(files.certificate(), new_certificate).unwrap();
    std::fs::write(files.key(), new_key).unwrap();
    assert!(acceptor.reload().unwrap());
    let mut client = connect(&server, files.connector());
    echo(&mut server, &mut client, b"the new certificate");
    let mut client = connect(&server, old);
    drive(&mut server, &mut client, |_, client| client.stream.is_none());
    echo(&mut server, &mut first, b"streams keep their keys");
}

#[test]
fn faults_of_files_are_named() {
    let files = Files::new("faults");
    let missing = TlsAcceptor::load(files.folder.join("missing.pem"), files.key()).unwrap_err();
    assert!(missing.to_string().contains("missing.pem"), "{missing}");
    let swapped = TlsAcceptor::load(files.key(), files.certificate()).unwrap_err();
    assert!(matches!(swapped, TlsError::NoCertificate { .. }), "{swapped}");
    let no_name = TlsConnector::with_roots_of(&files.certificate(), "not a name").unwrap_err();
    assert_eq!(
        no_name.to_string(),
        "invalid server name \"not a name\": expected a DNS name or an IP address"
    );
}

#[test]
fn a_driver_without_tls_at_a_tls_port_is_disconnected() {
    let files = Files::new("without");
    let mut server = listen(&files.acceptor(), None);
    let mut client = Driver::connect(server.also_local_addrs()[0], TIMEOUT, StreamClient::default()).unwrap();
    client.machine_mut().send(b"hello");
    drive(&mut server, &mut client, |_, client| client.stream.is_none());
    assert!(server.machine().received.as_ref().unwrap().is_empty());
}

#[cfg(feature = "tokio")]
#[test]
fn drivers_on_tokio_use_tls_as_well() {
    let files = Files::new("tokio");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let sent: Vec<u8> = (0..100_000_u32).flat_map(u32::to_be_bytes).map(|byte| byte & 0x70).collect();
    runtime.block_on(async {
        let config = DriverConfig { tls_listen: vec![(LOCAL, files.acceptor())], ..DriverConfig::default() };
        let machine = StreamServer::echoing();
        let mut server =
            gamewire_net::tokio::Driver::listen_with(LOCAL, Transports::Tcp, machine, config).unwrap();
        let to = server.also_local_addrs()[0];
        let serve = async {
            while server.next_event().await.is_ok() {}
            panic!("the server ended");
        };
        let play = async {
            let config = DriverConfig { tls_connect: Some(files.connector()), ..DriverConfig::default() };
            let machine = StreamClient::default();
            let mut client =
                gamewire_net::tokio::Driver::connect_with(to, TIMEOUT, machine, config).await.unwrap();
            // They wait for the end of the handshake.
            client.machine_mut().send(&sent);
            while client.machine().received.len() < sent.len() {
                client.next_event().await.unwrap();
            }
            assert!(client.machine().received == sent);
        };
        let (mut serve, mut play) = (std::pin::pin!(serve), std::pin::pin!(play));
        let both = std::future::poll_fn(|context| {
            let _: std::task::Poll<()> = serve.as_mut().poll(context);
            play.as_mut().poll(context)
        });
        tokio::time::timeout(TIMEOUT, both).await.unwrap();
    });
}
