//! The driver on tokio, over loopback.
#![allow(clippy::arithmetic_side_effects, clippy::panic, clippy::unwrap_used, reason = "a test")]

mod support;

use std::future::Future;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use gamewire_net::tokio::Driver;
use gamewire_net::{Conditions, Direction, DriverConfig};
use support::{Event, LOCAL, PATIENCE, Parrot, numbers, updates};
use tokio::time::timeout;

/// Runs a scenario, but not for ever, not even if it never yields.
fn run(scenario: impl Future<Output = ()> + Send + 'static) {
    let (done, is_done) = mpsc::channel();
    let thread = thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(scenario);
        drop(runtime);
        done.send(()).unwrap();
    });
    if is_done.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
        return thread.join().unwrap();
    }
    panic!("nothing more happens");
}

fn driver(parrot: Parrot) -> Driver<Parrot> {
    Driver::bind(LOCAL, parrot).unwrap()
}

/// The next events of a driver that answers another's.
async fn next(driver: &mut Driver<Parrot>, count: usize) -> Vec<Event> {
    let mut events = Vec::new();
    while events.len() < count {
        events.push(driver.next_event().await.unwrap());
    }
    events
}

#[test]
fn what_one_says_the_other_repeats() {
    run(async {
        let (mut caller, mut parrot) = (driver(Parrot::default()), driver(Parrot::repeating()));
        let to = parrot.local_addr();
        let task = tokio::spawn(async move {
            loop {
                parrot.next_event().await.unwrap();
            }
        });
        for number in 0..100 {
            caller.machine_mut().say(to, number, 30);
            assert_eq!(numbers(&next(&mut caller, 1).await), [number]);
        }
        assert_eq!((caller.stats().sent.datagrams, caller.stats().received.datagrams), (100, 100));
        task.abort();
    });
}

#[test]
fn a_timer_fires_without_any_traffic() {
    run(async {
        let mut driver = driver(Parrot::default());
        for _ in 0..3 {
            driver.machine_mut().ring_after(Duration::from_millis(5));
            assert_eq!(driver.next_event().await.unwrap(), Event::Rang);
        }
    });
}

#[test]
fn commands_between_events_are_sent_by_the_next_await() {
    run(async {
        let (mut caller, mut listener) = (driver(Parrot::default()), driver(Parrot::default()));
        for number in 0..2 {
            caller.machine_mut().say(listener.local_addr(), number, 2);
            // Nobody answers: what matters is that it was awaited, once.
            assert!(timeout(Duration::ZERO, caller.next_event()).await.is_err());
            assert_eq!(numbers(&next(&mut listener, 1).await), [number]);
        }
    });
}

#[test]
fn an_await_that_is_dropped_loses_nothing() {
    run(async {
        let (mut caller, mut listener) = (driver(Parrot::default()), driver(Parrot::default()));
        let (mut heard, mut dropped) = (Vec::new(), 0);
        for number in 0..200 {
            // Some awaits find something, some wait and are dropped waiting.
            for _ in 0..3 {
                match timeout(Duration::ZERO, listener.next_event()).await {
                    Ok(event) => heard.push(event.unwrap()),
                    Err(_) => dropped += 1,
                }
            }
            caller.machine_mut().say(listener.local_addr(), number, 2);
            drop(timeout(Duration::ZERO, caller.next_event()).await);
        }
        let left = 200 - heard.len();
        heard.extend(next(&mut listener, left).await);
        assert!(numbers(&heard).into_iter().eq(0..200));
        assert!(dropped > 0);
    });
}

#[test]
fn a_timer_survives_awaits_that_are_dropped() {
    run(async {
        let mut driver = driver(Parrot::default());
        driver.machine_mut().ring_after(Duration::from_millis(20));
        loop {
            if let Ok(event) = timeout(Duration::from_millis(1), driver.next_event()).await {
                break assert_eq!(event.unwrap(), Event::Rang);
            }
        }
    });
}

#[test]
fn what_was_said_last_is_sent_when_the_driver_goes() {
    let mut listener = support::driver(Parrot::default());
    let to = listener.local_addr();
    run(async move {
        let mut caller = driver(Parrot::default());
        caller.machine_mut().say(to, 9, 2);
    });
    assert_eq!(numbers(&updates(&mut listener, |events| !events.is_empty())), [9]);
}

#[test]
fn a_busy_driver_lets_other_tasks_run() {
    run(async {
        // It hears itself and repeats it, for ever.
        let mut echo = driver(Parrot::repeating());
        let itself = echo.local_addr();
        echo.machine_mut().say(itself, 1, 2);
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
        let settings = DriverConfig::default().conditions(Direction::Outgoing, late);
        let mut caller = Driver::bind_with(LOCAL, Parrot::default(), settings).unwrap();
        let mut listener = driver(Parrot::default());
        let before = std::time::Instant::now();
        caller.machine_mut().say(listener.local_addr(), 1, 2);
        let waiting = tokio::spawn(async move { caller.next_event().await });
        assert_eq!(numbers(&next(&mut listener, 1).await), [1]);
        assert!(before.elapsed() >= Duration::from_millis(20));
        waiting.abort();
    });
}
