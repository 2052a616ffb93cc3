#![allow(clippy::arithmetic_side_effects, reason = "counts of a test")]

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::os::fd::{AsFd, BorrowedFd};

use super::*;

/// The name and the function of each way to send.
type Way = (&'static str, fn(BorrowedFd<'_>, &[Outgoing<'_>]) -> io::Result<usize>);

const WAYS: [Way; 2] = [
    ("the system's", |socket, datagrams| send_each(&socket, datagrams.iter().copied())),
    ("portable", |socket, datagrams| portable::send_each(socket, datagrams.iter().copied())),
];

fn bind(ip: impl Into<std::net::IpAddr>) -> (UdpSocket, SocketAddr) {
    let socket = UdpSocket::bind((ip.into(), 0)).unwrap();
    let address = socket.local_addr().unwrap();
    (socket, address)
}

/// Returns the next datagrams of a socket.
fn receive(socket: &UdpSocket, count: usize) -> Vec<Vec<u8>> {
    let mut buffer = [0; 100];
    let mut next = || {
        let (length, _) = socket.recv_from(&mut buffer).unwrap();
        buffer[..length].to_vec()
    };
    (0..count).map(|_| next()).collect()
}

#[test]
fn datagrams_of_any_number_arrive_in_order() {
    let (sender, _) = bind(Ipv4Addr::LOCALHOST);
    let (receiver, to) = bind(Ipv4Addr::LOCALHOST);
    let (connected, _) = bind(Ipv4Addr::LOCALHOST);
    connected.connect(to).unwrap();
    let all: Vec<Vec<u8>> = (0..=u8::MAX).map(|number| vec![number; usize::from(number % 9)]).collect();
    for (name, send) in WAYS {
        for (socket, to) in [(&sender, Some(to)), (&connected, None)] {
            for count in [0, 1, 2, 4, 5, 16, 17, MAX_SEND_BATCH, MAX_SEND_BATCH + 1] {
                let datagrams: Vec<Outgoing<'_>> =
                    all.iter().take(count).map(|bytes| (to, &bytes[..])).collect();
                let sent = send(socket.as_fd(), &datagrams).unwrap();
                assert_eq!(sent, count.min(MAX_SEND_BATCH), "{name} {count}");
                assert_eq!(receive(&receiver, sent), all[..sent], "{name} {count}");
            }
        }
    }
}

#[test]
fn each_datagram_goes_to_its_own_receiver_also_over_ipv6() {
    let receivers: [_; 3] = core::array::from_fn(|_| bind(Ipv4Addr::LOCALHOST));
    let Ok(sender) = UdpSocket::bind((Ipv6Addr::UNSPECIFIED, 0)) else {
        println!("skipped: no IPv6");
        return;
    };
    let mapped = |to: SocketAddr| SocketAddr::from((Ipv4Addr::LOCALHOST.to_ipv6_mapped(), to.port()));
    for (name, send) in WAYS {
        let datagrams: Vec<Outgoing<'_>> = receivers
            .iter()
            .zip([b"a", b"b", b"c"])
            .map(|((_, to), bytes)| (Some(mapped(*to)), &bytes[..]))
            .collect();
        assert_eq!(send(sender.as_fd(), &datagrams).unwrap(), 3, "{name}");
        let received: Vec<_> = receivers.iter().flat_map(|(socket, _)| receive(socket, 1)).collect();
        assert_eq!(received, [b"a", b"b", b"c"], "{name}");
    }
}

#[test]
fn g8_a_datagram_that_is_too_long_ends_a_call_and_fails_the_next() {
    let (sender, _) = bind(Ipv4Addr::LOCALHOST);
    let (receiver, to) = bind(Ipv4Addr::LOCALHOST);
    let long = [0; 70_000];
    let datagrams = [(Some(to), &b"1"[..]), (Some(to), b"2"), (Some(to), &long), (Some(to), b"4")];
    for (name, send) in WAYS {
        assert_eq!(send(sender.as_fd(), &datagrams).unwrap(), 2, "{name}");
        let error = send(sender.as_fd(), &datagrams[2..]).unwrap_err();
        assert_eq!(error.raw_os_error(), Some(rustix::io::Errno::MSGSIZE.raw_os_error()), "{name}");
        assert_eq!(send(sender.as_fd(), &datagrams[3..]).unwrap(), 1, "{name}");
        assert_eq!(receive(&receiver, 3), [b"1", b"2", b"4"], "{name}");
    }
}
