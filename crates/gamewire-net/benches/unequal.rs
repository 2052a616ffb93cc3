//! Compares drivers with plain calls of `send_to` and `recv_from`, for datagrams of unequal lengths over loopback:
//! `cargo bench -p gamewire-net --features tokio --bench unequal`. Two ends in one thread return each other's
//! datagrams. The implementations take turns in short rounds, and the result is the median of the ratios of all
//! rounds. Exits with 1 if a driver is slower than its limits.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a bench may fail"
)]

#[path = "../tests/support/mod.rs"]
mod support;

use std::io::ErrorKind;
use std::net::UdpSocket;
use std::pin::pin;
use std::process::ExitCode;
use std::task::{Context, Waker};
use std::time::Instant;

use gamewire_net::{blocking, tokio as driven};
use support::{DatagramPeer, LOCAL, driver};
use tokio::runtime::{Builder, Runtime};

/// Number of datagrams in a round.
const DATAGRAMS: usize = 4_096;
const ROUNDS: usize = 100;

/// Two ends that return the datagrams that they receive.
trait Pair {
    /// Moves a burst of datagrams from one end to the other and back.
    fn bounce(&mut self, burst: usize);
}

/// A way to move datagrams: its name, the minimum speed of the driver relative to it, and its sockets.
type Way = (&'static str, f64, Box<dyn Pair>);

fn main() -> ExitCode {
    let mut is_held = true;
    for burst in [1, 8, 64] {
        // A driver reads several datagrams with one call. For a single datagram, this call takes longer than a plain
        // one.
        let limit = if burst == 1 { 0.72 } else { 0.88 };
        is_held &= compare(
            burst,
            &mut [
                ("blocking driver", 0.0, Box::new(Blocking::new(burst))),
                ("calls, number known", limit, Box::new(Plain::new(burst, false))),
                ("calls until WouldBlock", limit, Box::new(Plain::new(burst, true))),
            ],
        );
        is_held &= compare(
            burst,
            &mut [
                ("tokio driver", 0.0, Box::new(Tokio::new(burst))),
                ("calls of tokio, number known", limit, Box::new(PlainTokio::new(burst))),
            ],
        );
    }
    if is_held { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Returns the lengths of a burst, from 30 to 1,200 bytes. Each is greater than the previous one, so no batch can
/// contain two datagrams.
fn lengths(burst: usize) -> impl Iterator<Item = usize> {
    (1..=burst).map(move |number| 30 + 1_170 * number / burst)
}

/// Compares the first way, a driver, with the others. Returns whether the driver reaches all limits.
fn compare(burst: usize, ways: &mut [Way]) -> bool {
    let mut seconds = vec![Vec::new(); ways.len()];
    for _ in 0..ROUNDS {
        for ((_, _, way), seconds) in ways.iter_mut().zip(&mut seconds) {
            let start = Instant::now();
            for _ in 0..DATAGRAMS / burst / 2 {
                way.bounce(burst);
            }
            seconds.push(start.elapsed().as_secs_f64());
        }
    }
    let mut is_held = true;
    for ((name, limit, _), others) in ways.iter().zip(&seconds) {
        let rate = DATAGRAMS as f64 / median(others.iter().copied());
        let ratio = median(others.iter().zip(&seconds[0]).map(|(other, driver)| other / driver));
        println!(
            "bursts of {burst:>2}: {name:<30} {rate:>7.0} datagrams a second; the driver is {ratio:.2} times it"
        );
        is_held &= ratio >= *limit;
    }
    is_held
}

fn median(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Received datagrams and their lengths.
type Received = Vec<([u8; 1_500], usize)>;

struct Plain {
    ends: [UdpSocket; 2],
    buffers: Received,
    /// True to read again after the burst, until the socket returns `WouldBlock`.
    asks: bool,
}

impl Plain {
    fn new(burst: usize, asks: bool) -> Self {
        let ends = [(); 2].map(|()| UdpSocket::bind(LOCAL).unwrap());
        ends.iter().for_each(|end| end.set_nonblocking(asks).unwrap());
        for length in lengths(burst) {
            ends[0].send_to(&vec![0; length], ends[1].local_addr().unwrap()).unwrap();
        }
        Self { ends, buffers: vec![([0; 1_500], 0); burst], asks }
    }
}

impl Pair for Plain {
    fn bounce(&mut self, _: usize) {
        let Self { ends: [one, other], buffers, asks } = self;
        for end in [other, one] {
            let mut peer = LOCAL;
            for (buffer, length) in &mut *buffers {
                (*length, peer) = end.recv_from(buffer).unwrap();
            }
            if *asks {
                assert_eq!(end.recv_from(&mut [0]).unwrap_err().kind(), ErrorKind::WouldBlock);
            }
            for (buffer, length) in &*buffers {
                end.send_to(&buffer[..*length], peer).unwrap();
            }
        }
    }
}

struct Blocking([blocking::Driver<DatagramPeer>; 2]);

impl Blocking {
    fn new(burst: usize) -> Self {
        let mut ends = [(); 2].map(|()| driver(DatagramPeer::echoing()));
        let to = ends[1].local_addr();
        lengths(burst).for_each(|length| ends[0].machine_mut().send(to, 0, length));
        ends[0].update().unwrap().for_each(drop);
        Self(ends)
    }
}

impl Pair for Blocking {
    fn bounce(&mut self, burst: usize) {
        let Self([one, other]) = self;
        for end in [other, one] {
            assert_eq!(end.update().unwrap().count(), burst);
        }
    }
}

struct PlainTokio {
    runtime: Runtime,
    ends: [tokio::net::UdpSocket; 2],
    buffers: Received,
}

impl PlainTokio {
    fn new(burst: usize) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let ends = [(); 2].map(|()| runtime.block_on(tokio::net::UdpSocket::bind(LOCAL)).unwrap());
        for length in lengths(burst) {
            let to = ends[1].local_addr().unwrap();
            runtime.block_on(ends[0].send_to(&vec![0; length], to)).unwrap();
        }
        Self { runtime, ends, buffers: vec![([0; 1_500], 0); burst] }
    }
}

impl Pair for PlainTokio {
    fn bounce(&mut self, _: usize) {
        let Self { runtime, ends: [one, other], buffers } = self;
        runtime.block_on(async {
            for end in [other, one] {
                let mut peer = LOCAL;
                for (buffer, length) in &mut *buffers {
                    (*length, peer) = end.recv_from(buffer).await.unwrap();
                }
                for (buffer, length) in &*buffers {
                    end.send_to(&buffer[..*length], peer).await.unwrap();
                }
            }
        });
    }
}

struct Tokio {
    runtime: Runtime,
    ends: [driven::Driver<DatagramPeer>; 2],
}

impl Tokio {
    fn new(burst: usize) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let bind = || driven::Driver::bind(LOCAL, DatagramPeer::echoing()).unwrap();
        let mut ends = runtime.block_on(async { [bind(), bind()] });
        let to = ends[1].local_addr();
        lengths(burst).for_each(|length| ends[0].machine_mut().send(to, 0, length));
        // The first poll sends the datagrams. It is pending, because there is no event yet.
        let waiting = runtime.block_on(async {
            pin!(ends[0].next_event()).poll(&mut Context::from_waker(Waker::noop())).is_pending()
        });
        assert!(waiting);
        Self { runtime, ends }
    }
}

impl Pair for Tokio {
    fn bounce(&mut self, burst: usize) {
        let Self { runtime, ends: [one, other] } = self;
        runtime.block_on(async {
            for end in [other, one] {
                for _ in 0..burst {
                    end.next_event().await.unwrap();
                }
            }
        });
    }
}
