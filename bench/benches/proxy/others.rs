use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::forward;
use crate::setup::{Proxy, Thread, Traffic, socket};
use crate::throughput::echoes;

/// Another proxy: its name, its program, and its arguments for a listening port and a server.
type Other = (&'static str, &'static str, fn(u16, SocketAddr) -> Vec<String>);

const OTHERS: [Other; 2] = [
    ("mitmproxy", "mitmdump", |port, server| {
        vec!["-q".into(), "--mode".into(), format!("reverse:udp://{server}@127.0.0.1:{port}")]
    }),
    ("Quilkin", "quilkin", |port, server| {
        let port = port.to_string();
        ["--service.udp", "--service.udp.port", &port, "--provider.static", "--provider.static.endpoints"]
            .map(str::to_owned)
            .into_iter()
            .chain([server.to_string()])
            .collect()
    }),
];
/// Time to wait until a program listens.
const START: Duration = Duration::from_secs(4);

pub(crate) fn measure() {
    let traffic = Traffic::load();
    let server = Thread::server(&traffic);
    let bare = {
        let loops = forward::start(server.address);
        echoes(loops.0.address, &traffic)
    };
    println!("  {:<10} {bare:>8.0}", "bare loop");
    let proxy = Proxy::start(server.address);
    println!("  {:<10} {:>8.0}", "gamewire", echoes(proxy.address, &traffic));
    proxy.stop();
    for (name, program, arguments) in OTHERS {
        let address = socket().local_addr().unwrap();
        let Ok(other) = start(program, &arguments(address.port(), server.address)) else {
            println!("  {name:<10} not measured: there is no {program} in PATH");
            continue;
        };
        thread::sleep(START);
        println!("  {name:<10} {:>8.0}", echoes(address, &traffic));
        end(other);
    }
}

fn start(program: &str, arguments: &[String]) -> std::io::Result<Child> {
    Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
}

fn end(mut program: Child) {
    // The program may have exited already.
    let _ = program.kill();
    program.wait().unwrap();
}
