//! Pieces of the harnesses of replays.

use std::time::Duration;

use gamewire_machine::Machine;
use gamewire_proxy::replay::{PlayerEvent, ReplayMachine, ViewerEvent};
use gamewire_sim::contract::{Command, Harness, Lifecycle, PEER, START, SUBJECT, StreamsAsDatagram};

/// Maximum speed of a replay in the checks.
const MAX_SPEED: f64 = 2.0;
/// Maximum number of datagrams in a second: at this speed, games of 50 ticks send 100, and some more.
pub(super) const MAX_SENDS: usize = 128;

pub(super) fn set_speed(replay: &mut impl ReplayMachine, number: u64) {
    let speeds = [0.01, 0.3, 0.77, MAX_SPEED];
    replay.playback_mut().set_speed(speeds[number as usize % speeds.len()]);
}

pub(super) fn set_paused(replay: &mut impl ReplayMachine, number: u64) {
    replay.playback_mut().set_paused(number.is_multiple_of(3));
}

pub(super) fn step(replay: &mut impl ReplayMachine, number: u64) {
    replay.playback_mut().step(Duration::from_nanos(number % 1_000_000_000));
    replay.playback_mut().set_paused(number.is_multiple_of(2));
}

pub(super) fn close(replay: &mut impl ReplayMachine, number: u64) {
    if number.is_multiple_of(16) {
        replay.close("enough");
    }
}

pub(super) const fn commands<M: ReplayMachine>() -> &'static [Command<M>] {
    &[("speed", set_speed), ("pause", set_paused), ("step", step), ("close", close)]
}

pub(super) const fn stream_commands<M: ReplayMachine>() -> &'static [Command<StreamsAsDatagram<M>>] {
    &[
        ("speed", |replay, number| set_speed(replay.machine_mut(), number)),
        ("pause", |replay, number| set_paused(replay.machine_mut(), number)),
        ("step", |replay, number| step(replay.machine_mut(), number)),
        ("close", |replay, number| close(replay.machine_mut(), number)),
    ]
}

pub(super) fn of_viewer(event: &ViewerEvent) -> Lifecycle {
    match event {
        ViewerEvent::Connected { viewer, .. } => Lifecycle::Opened((*viewer).into()),
        ViewerEvent::Finished { viewer } => Lifecycle::Active((*viewer).into()),
        ViewerEvent::Closed { viewer, .. } => Lifecycle::Closed((*viewer).into()),
        ViewerEvent::Missed { .. } => Lifecycle::Other,
    }
}

pub(super) fn of_player(event: &PlayerEvent) -> Lifecycle {
    match event {
        PlayerEvent::Closed { .. } => Lifecycle::Closed(0),
        PlayerEvent::Missed { .. } => Lifecycle::Other,
        _ => Lifecycle::Active(0),
    }
}

/// Plays a recording between the machine and its peer, and checks that it is played to its end.
pub(super) fn play_to_the_end<H: Harness>() {
    let (mut subject, mut peer) = (H::make(0, START), H::peer(0, START).unwrap());
    let (mut buffer, mut events) = (Vec::new(), Vec::new());
    for millis in (0..90_000).step_by(5) {
        let now = START + Duration::from_millis(millis);
        subject.handle_timeout(now);
        peer.handle_timeout(now);
        while subject.poll_transmit(now, &mut buffer).is_some() {
            let _ = peer.handle_datagram(now, SUBJECT, &buffer);
        }
        while peer.poll_transmit(now, &mut buffer).is_some() {
            let _ = subject.handle_datagram(now, PEER, &buffer);
        }
        while peer.poll_event().is_some() {}
        events.extend(std::iter::from_fn(|| subject.poll_event()).map(|event| format!("{event:?}")));
    }
    let has = |name: &str| events.iter().any(|event| event.starts_with(name));
    let name = std::any::type_name::<H>();
    assert!(has("Connected") && has("Finished") && has("Closed"), "{name}: {events:?}");
}
