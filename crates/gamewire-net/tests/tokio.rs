//! The driver on tokio, over loopback.

use crate::support;
use std::future::Future;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::support::{DatagramPeer, Event, LOCAL, TIMEOUT, numbers, updates};
use gamewire_net::tokio::Driver;
use gamewire_net::{Conditions, DriverConfig};
use tokio::time::timeout;

/// Runs a scenario with a timeout. The timeout ends it even if it never yields.
fn run(scenario: impl Future<Output = ()> + Send + 'static) {
    let (done, is_done) = mpsc::channel();
    let thread = thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(scenario);
        drop(runtime);
        done.send(()).unwrap();
    });
    if is_done.recv_timeout(TIMEOUT) != Err(RecvTimeoutError::Timeout) {
        return thread.join().unwrap();
    }
    panic!("nothing more happens");
}

fn driver(machine: DatagramPeer) -> Driver<DatagramPeer> {
    Driver::bind(LOCAL, machine).unwrap()
}

/// Returns the next `count` events of a driver.
async fn next(driver: &mut Driver<DatagramPeer>, count: usize) -> Vec<Event> {
    let mut events = Vec::new();
    while events.len() < count {
        events.push(driver.next_event().await.unwrap());
    }
    events
}

#[test]
fn a_datagram_is_echoed() {
    run(async {
        let (mut sender, mut echo) = (driver(DatagramPeer::default()), driver(DatagramPeer::echoing()));
        let to = echo.local_addr();
        let task = tokio::spawn(async move {
            loop {
                echo.next_event().await.unwrap();
            }
        });
        for number in 0..100 {
            sender.machine_mut().send(to, number, 30);
            assert_eq!(numbers(&next(&mut sender, 1).await), [number]);
        }
        assert_eq!((sender.stats().sent.datagrams, sender.stats().received.datagrams), (100, 100));
        task.abort();
    });
}

#[test]
fn a_timer_fires_without_any_traffic() {
    run(async {
        let mut driver = driver(DatagramPeer::default());
        for _ in 0..3 {
            driver.machine_mut().set_timer(Duration::from_millis(5));
            assert_eq!(driver.next_event().await.unwrap(), Event::TimerFired);
        }
    });
}

#[test]
fn commands_between_events_are_sent_by_the_next_await() {
    run(async {
        let (mut sender, mut receiver) = (driver(DatagramPeer::default()), driver(DatagramPeer::default()));
        for number in 0..2 {
            sender.machine_mut().send(receiver.local_addr(), number, 2);
            // No reply follows. The driver must be awaited once to send.
            assert!(timeout(Duration::ZERO, sender.next_event()).await.is_err());
            assert_eq!(numbers(&next(&mut receiver, 1).await), [number]);
        }
    });
}

#[test]
fn an_await_that_is_dropped_loses_nothing() {
    run(async {
        let (mut sender, mut receiver) = (driver(DatagramPeer::default()), driver(DatagramPeer::default()));
        let (mut received, mut dropped) = (Vec::new(), 0);
        for number in 0..200 {
            // Some awaits return an event, others are dropped while they wait.
            for _ in 0..3 {
                match timeout(Duration::ZERO, receiver.next_event()).await {
                    Ok(event) => received.push(event.unwrap()),
                    Err(_) => dropped += 1,
                }
            }
            sender.machine_mut().send(receiver.local_addr(), number, 2);
            drop(timeout(Duration::ZERO, sender.next_event()).await);
        }
        let left = 200 - received.len();
        received.extend(next(&mut receiver, left).await);
        assert!(numbers(&received).into_iter().eq(0..200));
        assert!(dropped > 0);
    });
}

#[test]
fn a_timer_survives_awaits_that_are_dropped() {
    run(async {
        let mut driver = driver(DatagramPeer::default());
        driver.machine_mut().set_timer(Duration::from_millis(20));
        loop {
            if let Ok(event) = timeout(Duration::from_millis(1), driver.next_event()).await {
                break assert_eq!(event.unwrap(), Event::TimerFired);
            }
        }
    });
}

#[test]
fn unsent_datagrams_are_sent_when_the_driver_is_dropped() {
    let mut receiver = support::driver(DatagramPeer::default());
    let to = receiver.local_addr();
    run(async move {
        let mut sender = driver(DatagramPeer::default());
        sender.machine_mut().send(to, 9, 2);
    });
    assert_eq!(numbers(&updates(&mut receiver, |events| !events.is_empty())), [9]);
}

#[test]
fn a_busy_driver_lets_other_tasks_run() {
    run(async {
        // The driver receives its own datagrams and echoes them without end.
        let mut echo = driver(DatagramPeer::echoing());
        let itself = echo.local_addr();
        echo.machine_mut().send(itself, 1, 2);
        let busy = tokio::spawn(async move {
            loop {
                echo.next_event().await.unwrap();
            }
        });
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        busy.abort();
    });
}

#[test]
fn a_delay_holds_datagrams_back() {
    run(async {
        let late = Conditions { delay: Duration::from_millis(20), ..Conditions::PERFECT };
        let config = DriverConfig { outgoing: Some(late), ..DriverConfig::default() };
        let mut sender = Driver::bind_with(LOCAL, DatagramPeer::default(), config).unwrap();
        let mut receiver = driver(DatagramPeer::default());
        let before = std::time::Instant::now();
        sender.machine_mut().send(receiver.local_addr(), 1, 2);
        let waiting = tokio::spawn(async move { sender.next_event().await });
        assert_eq!(numbers(&next(&mut receiver, 1).await), [1]);
        assert!(before.elapsed() >= Duration::from_millis(20));
        waiting.abort();
    });
}
