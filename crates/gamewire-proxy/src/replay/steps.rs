use core::time::Duration;
use std::collections::VecDeque;

use gamewire_machine::{Instant, Wake};

use super::Playback;

/// Maximum number of stored messages of the peer that arrived before their step.
const MAX_ARRIVED: usize = 4_096;
/// Time between the last message and the close, so that the peer can answer the message.
const LINGER: Duration = Duration::from_secs(1);

/// A step of one side of a recording. `M` is a message of this side, and `A` a message of the other side.
#[derive(Clone, Debug)]
pub(crate) enum Step<M, A> {
    /// Waits for a message of the peer.
    #[cfg_attr(
        not(any(feature = "teeworlds", feature = "freeciv")),
        expect(dead_code, reason = "a recording of Riptide never waits")
    )]
    Await(A),
    /// Sends a message at this time of the recording.
    Send(Duration, M),
}

/// Returns the recording time of the first message.
pub(crate) fn first_time<M, A>(steps: &[Step<M, A>]) -> Duration {
    let mut times = steps.iter().filter_map(|step| match step {
        Step::Send(at, _) => Some(*at),
        Step::Await(_) => None,
    });
    times.next().unwrap_or_default()
}

/// The position of a connection in the steps of a recording.
#[derive(Debug)]
pub(crate) struct Position<A> {
    /// Index of the next step.
    next: usize,
    /// The messages of the peer that arrived before their step.
    arrived: VecDeque<A>,
    /// The begin of the connection, or the last awaited message.
    base: Base,
    /// True if the send queue is full, or if the peer has not acknowledged the last messages in time for the end.
    is_blocked: bool,
    /// Time to close the connection, set after the last step.
    end: Option<Instant>,
}

/// A moment in both times.
#[derive(Clone, Copy, Debug)]
struct Base {
    replayed: Duration,
    recorded: Duration,
}

/// The result of playing the due steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// The next step is not due, or waits for the peer.
    Waiting,
    /// All steps have been played just now.
    Finished,
    /// The connection must be closed, some time after the last step, and after the peer has all messages.
    Over,
}

impl<A: PartialEq> Position<A> {
    /// Returns the position of a connection that begins now. `start` is the recording time at which it begins.
    pub(crate) fn new(playback: &Playback, start: Duration) -> Self {
        let base = Base { replayed: playback.time(), recorded: start };
        Self { next: 0, arrived: VecDeque::new(), base, is_blocked: false, end: None }
    }

    /// Stores a message of the peer until its step. Drops it if too many are stored.
    pub(crate) fn arrive(&mut self, message: A) {
        if self.arrived.len() < MAX_ARRIVED {
            self.arrived.push_back(message);
        }
    }

    /// Plays the steps that are due. `send` returns false if it must be called again later with the same message,
    /// because the send queue is full. `is_delivered` is true if the peer has acknowledged all messages.
    pub(crate) fn play<M>(
        &mut self,
        steps: &[Step<M, A>],
        playback: &Playback,
        is_delivered: bool,
        mut send: impl FnMut(&M) -> bool,
    ) -> Progress {
        let now = playback.time();
        self.is_blocked = false;
        while let Some(step) = steps.get(self.next) {
            match step {
                Step::Await(message) => {
                    if self.arrived.front() != Some(message) {
                        return Progress::Waiting;
                    }
                    self.arrived.pop_front();
                    let recorded = first_time(steps.get(self.next..).unwrap_or_default());
                    self.base = Base { replayed: now, recorded };
                }
                Step::Send(at, message) => {
                    if self.replay_time(*at) > now {
                        return Progress::Waiting;
                    }
                    self.is_blocked = !send(message);
                    if self.is_blocked {
                        return Progress::Waiting;
                    }
                }
            }
            self.next = self.next.saturating_add(1);
        }
        match self.end {
            None => {
                self.end = Some(playback.now() + LINGER);
                Progress::Finished
            }
            Some(end) if end <= playback.now() => {
                // The peer sends an ack, or the connection times out.
                self.is_blocked = !is_delivered;
                if is_delivered { Progress::Over } else { Progress::Waiting }
            }
            Some(_) => Progress::Waiting,
        }
    }

    /// Returns the time of the next step; `None` if it waits for the peer, or while the replay is paused.
    pub(crate) fn poll_timeout<M>(&self, steps: &[Step<M, A>], playback: &Playback) -> Option<Wake> {
        if let Some(at) = self.end {
            return (!self.is_blocked).then_some(Wake { at, reason: "end of a replay" });
        }
        let Step::Send(at, _) = steps.get(self.next).filter(|_| !self.is_blocked)? else { return None };
        playback.when(self.replay_time(*at)).map(|at| Wake { at, reason: "recorded message" })
    }

    const fn replay_time(&self, recorded: Duration) -> Duration {
        self.base.replayed.saturating_add(recorded.saturating_sub(self.base.recorded))
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use core::convert::Infallible;

    use super::*;

    #[test]
    fn a_connection_ends_a_second_after_the_last_message_if_the_peer_has_all() {
        let at = |millis: u64| Instant::ZERO + Duration::from_millis(millis);
        let mut playback = Playback::new(at(0));
        let steps: [Step<u8, Infallible>; 1] = [Step::Send(Duration::ZERO, 7)];
        let mut position = Position::new(&playback, Duration::ZERO);
        assert_eq!(position.play(&steps, &playback, true, |_| true), Progress::Finished);
        playback.advance(at(999));
        assert_eq!(position.play(&steps, &playback, true, |_| true), Progress::Waiting);
        assert_eq!(position.poll_timeout(&steps, &playback).map(|wake| wake.at), Some(at(1_000)));
        playback.advance(at(1_500));
        assert_eq!(position.play(&steps, &playback, false, |_| true), Progress::Waiting);
        assert_eq!(position.poll_timeout(&steps, &playback), None, "an ack or a timeout comes next");
        assert_eq!(position.play(&steps, &playback, true, |_| true), Progress::Over);
    }
}
