use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::thread;

use crate::setup::{Thread, socket};

/// A bare forwarding loop for one client: two threads, one for each direction.
pub(crate) fn start(server: SocketAddr) -> (Thread, Thread) {
    let (front, back) = (socket(), socket());
    let address = front.local_addr().unwrap();
    back.connect(server).unwrap();
    let (front_out, back_in) = (front.try_clone().unwrap(), back.try_clone().unwrap());
    let (client, clients) = std::sync::mpsc::channel();
    let there = Thread::start(address, move |is_stopped| {
        let (mut buffer, mut known) = ([0; 2048], None);
        while !is_stopped.load(Ordering::Relaxed) {
            match front.recv_from(&mut buffer) {
                Ok((length, from)) => {
                    if known.replace(from) != Some(from) {
                        client.send(from).unwrap();
                    }
                    back.send(&buffer[..length]).unwrap();
                }
                Err(error) => assert!(matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)),
            }
        }
    });
    let back = Thread::start(address, move |is_stopped| {
        let (mut buffer, mut to) = ([0; 2048], None);
        while !is_stopped.load(Ordering::Relaxed) {
            if let Ok(length) = back_in.recv(&mut buffer) {
                to = clients.try_iter().last().or(to);
                let Some(to) = to else {
                    thread::yield_now();
                    continue;
                };
                front_out.send_to(&buffer[..length], to).unwrap();
            }
        }
    });
    (there, back)
}
