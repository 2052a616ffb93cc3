//! Idle clients over WebSocket: the server's process, and the process of its clients.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use gamewire::riptide::websocket::WebSocketConfig;
use gamewire::riptide::{ListenOptions, Server, server};

use super::{CLIENTS, resident};

type Failure = Box<dyn std::error::Error>;

const IDLE: Duration = Duration::from_secs(20);
const MAX_JOIN: Duration = Duration::from_secs(60);
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);
const MAX_KIB: u64 = 150 << 10;

const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

/// Ends the process of the clients with the server.
struct Clients(Child);

impl Drop for Clients {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Serves the clients of a second process, and measures this process.
pub(crate) fn serve() -> Result<(), Failure> {
    let mut config = server::ServerConfig { announce_clients: false, ..server::ServerConfig::new(CLIENTS) };
    config.websocket = Some(WebSocketConfig::default());
    let mut options = ListenOptions::address(([127, 0, 0, 1], 0).into()).tcp();
    options.driver.max_streams = Some(usize::from(CLIENTS) + 16);
    let mut server = Server::start_with(config, options)?;
    let before = resident().ok_or("the system does not report the memory of a process")?;
    let address = SocketAddr::from(([127, 0, 0, 1], server.port()));
    let program = std::env::current_exe()?;
    let _clients = Clients(Command::new(program).args(["ws-clients", &address.to_string()]).spawn()?);

    let began = Instant::now();
    let (mut connected, mut most) = (0_u16, 0);
    let mut idle_since = None;
    while idle_since.is_none_or(|since: Instant| since.elapsed() < IDLE) {
        server.wait(Duration::from_millis(100))?;
        server.update()?;
        while let Some(event) = server.poll_event() {
            match event {
                server::Event::ClientConnected { .. } => connected += 1,
                other => return Err(format!("after {connected} clients: {other:?}").into()),
            }
        }
        if connected == CLIENTS && idle_since.is_none() {
            println!("{connected} clients connected in {:.1} s", began.elapsed().as_secs_f64());
            idle_since = Some(Instant::now());
        }
        if connected < CLIENTS && began.elapsed() > MAX_JOIN {
            return Err(format!("{connected} of {CLIENTS} clients connected in a minute").into());
        }
        most = most.max(if idle_since.is_some() { resident().unwrap_or_default() } else { 0 });
    }
    println!("process: {:.1} MiB, {:.1} MiB before the clients", mib(most), mib(before));
    println!("a client: {} bytes", most.saturating_sub(before) * 1024 / u64::from(CLIENTS));
    if most > MAX_KIB {
        return Err(format!("the limit is {} MiB", MAX_KIB >> 10).into());
    }
    Ok(())
}

fn mib(kib: u64) -> f64 {
    kib as f64 / 1024.0
}

/// Connects all clients one after the other, and sends their heartbeats until the server's process ends this one.
pub(crate) fn play(server: SocketAddr) -> Result<(), Failure> {
    let mut streams = Vec::new();
    let mut last = Instant::now();
    loop {
        if streams.len() < usize::from(CLIENTS) {
            let number = u16::try_from(streams.len() + 1)?;
            streams.push(join(server, number)?);
        } else {
            std::thread::sleep(HEARTBEAT_INTERVAL.saturating_sub(last.elapsed()));
        }
        if last.elapsed() >= HEARTBEAT_INTERVAL {
            last = Instant::now();
            streams.iter_mut().try_for_each(beat)?;
        }
    }
}

/// Opens a WebSocket and joins. The server gives the lowest free id, which is `number`.
fn join(server: SocketAddr, number: u16) -> Result<TcpStream, Failure> {
    let mut stream = TcpStream::connect(server)?;
    stream.set_nodelay(true)?;
    stream.write_all(REQUEST)?;
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte)?;
        head.extend_from_slice(&byte);
    }
    if !head.starts_with(b"HTTP/1.1 101") {
        return Err(String::from_utf8_lossy(&head).into_owned().into());
    }
    send(&mut stream, &[0x02])?;
    // The first answer means that the server knows the client.
    stream.read_exact(&mut byte)?;
    let [low, high] = number.to_le_bytes();
    send(&mut stream, &[0x18, 0, low << 4, low >> 4 | high << 4, high >> 4])?;
    send(&mut stream, &[0x11, 0, 0x10, 0, 0])?;
    stream.set_nonblocking(true)?;
    Ok(stream)
}

/// Reads what has arrived, and sends a heartbeat with a round trip of 20 ms.
fn beat(stream: &mut TcpStream) -> Result<(), Failure> {
    let mut buffer = [0; 1024];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => return Err("the server closed a stream".into()),
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => break,
            Err(error) => return Err(error.into()),
        }
    }
    send(stream, &[0x04, 0x40, 0x01, 0])
}

/// Sends a packet of at most 125 bytes as one frame, with a mask of zeros.
fn send(stream: &mut TcpStream, packet: &[u8]) -> Result<(), Failure> {
    let length = u8::try_from(packet.len())?;
    let mut frame = vec![0x82, 0x80 | length, 0, 0, 0, 0];
    frame.extend_from_slice(packet);
    stream.write_all(&frame)?;
    Ok(())
}
