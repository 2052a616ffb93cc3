//! The states from ENTERGAME on.

use core::time::Duration;

use gamewire_machine::{Instant, Wake};

use super::game_view::{GameView, Transition};
use crate::Dialect;
use crate::client::Event;
use crate::client::context::{ClientShared, Context};
use crate::client::input_clock::InputClock;
use crate::model::message::{ClientMessage, Input, ServerMessage};
use crate::prediction::SentInputs;

/// Interval of an unchanged input, which carries the acknowledgement of snapshots.
const UNCHANGED_INPUT_INTERVAL: Duration = Duration::from_millis(100);

/// Maximum number of planned inputs that are sent after their tick has passed.
const MAX_MISSED: i32 = 10;

/// Number of snapshots after which the client is in the game, as in the games.
const SNAPSHOTS_TO_ENTER: u8 = 2;

/// ENTERGAME was sent. The server answers with snapshots.
#[derive(Debug, Default)]
pub(in crate::client) struct AwaitSnapshots {
    pub(super) game: GameView,
    snapshots: u8,
}

impl AwaitSnapshots {
    pub(super) fn on_message(
        &mut self,
        message: &ServerMessage<'_>,
        context: &mut Context<'_>,
    ) -> Transition {
        let ServerMessage::Snapshot(snapshot) = message else {
            return self.game.on_message(message, context);
        };
        let Some(tick) = self.game.on_snapshot(snapshot, context) else { return Transition::Stay };
        self.snapshots = self.snapshots.saturating_add(1);
        if self.snapshots < SNAPSHOTS_TO_ENTER {
            return Transition::Stay;
        }
        context.emit(Event::Entered);
        let game = Box::new(core::mem::take(&mut self.game));
        Transition::Entered { game, tick }
    }
}

/// The client is in the game.
#[derive(Debug)]
pub(in crate::client) struct InGame {
    pub(super) game: GameView,
    input_clock: InputClock,
    /// The last sent input.
    sent: Input,
    /// All sent inputs with their ticks, for the prediction.
    inputs: SentInputs,
    /// Time at which the input is sent again even if it is unchanged.
    resend_at: Instant,
}

impl InGame {
    pub(super) fn new(game: GameView, tick: i32, now: Instant, input_margin: Duration) -> Self {
        let input_clock = InputClock::new(tick, now, input_margin);
        Self { game, input_clock, sent: Input::default(), inputs: SentInputs::new(), resend_at: now }
    }

    pub(super) fn on_message(
        &mut self,
        message: &ServerMessage<'_>,
        context: &mut Context<'_>,
    ) -> Transition {
        match message {
            ServerMessage::Snapshot(snapshot) => {
                let ack_before = context.shared.receiver.ack();
                self.game.on_snapshot(snapshot, context);
                if ack_before >= 0 && context.shared.receiver.ack() < 0 {
                    // The delta's base is missing. Send an input now, so that the server sends a full snapshot.
                    self.resend_at = context.now();
                }
                Transition::Stay
            }
            ServerMessage::InputTiming { intended_tick, time_left } => {
                let now = context.now();
                let stats = &mut context.shared.stats.timing;
                self.input_clock.on_input_timing(*intended_tick, *time_left, now, stats);
                Transition::Stay
            }
            _ => self.game.on_message(message, context),
        }
    }

    /// Sends the input if it is due: once per tick if it has changed, and otherwise at a longer interval.
    pub(super) fn handle_timeout(&mut self, context: &mut Context<'_>) {
        let now = context.now();
        let input = context.shared.input_at(self.input_clock.tick(now));
        if now < self.resend_at && input == self.sent && context.shared.planned.is_empty() {
            return;
        }
        let stats = &mut context.shared.stats.timing;
        let Some(tick) = self.input_clock.tick_to_send(now, self.game.world.tick, stats) else { return };
        self.send_missed(tick, context);
        let input = context.shared.input_at(tick);
        if now >= self.resend_at || input != self.sent {
            self.send_input(tick, input, context);
        }
    }

    /// Sends the planned inputs of ticks that have passed since the last input. They may still arrive in time.
    fn send_missed(&mut self, tick: i32, context: &mut Context<'_>) {
        let first = tick.saturating_sub(MAX_MISSED).max(self.input_clock.last_tick().saturating_add(1));
        for missed in first..tick {
            if let Some(input) = context.shared.planned.at(missed).filter(|input| *input != self.sent) {
                self.send_input(missed, input, context);
            }
        }
    }

    fn send_input(&mut self, intended_tick: i32, input: Input, context: &mut Context<'_>) {
        let now = context.now();
        let ack_snapshot = context.shared.receiver.ack();
        let ping_correction = match context.dialect() {
            Dialect::V07 if ack_snapshot >= 0 => millis(now.since(self.game.snapshot_at)),
            _ => 0,
        };
        let message = ClientMessage::Input { ack_snapshot, intended_tick, input, ping_correction };
        let result = context.send_nonvital(&message);
        if result.is_ok() {
            context.shared.stats.inputs = context.shared.stats.inputs.saturating_add(1);
            self.inputs.push(intended_tick, input);
        }
        context.count_failure(result);
        self.input_clock.on_send(intended_tick, now);
        self.sent = input;
        self.resend_at = now + UNCHANGED_INPUT_INTERVAL;
    }

    /// Returns the tick at which the server will use an input that is sent now.
    pub(super) fn input_tick(&self, now: Instant) -> i32 {
        self.input_clock.tick(now)
    }

    /// Returns the sent inputs.
    pub(super) const fn inputs(&self) -> &SentInputs {
        &self.inputs
    }

    pub(super) fn poll_timeout(&self, shared: &ClientShared) -> Wake {
        let next_tick = self.input_clock.next_tick_at(shared.clock.now());
        let is_unchanged = shared.input == self.sent && shared.planned.is_empty();
        let at = if is_unchanged { next_tick.max(self.resend_at) } else { next_tick };
        Wake { at, reason: "input" }
    }
}

fn millis(span: Duration) -> i32 {
    span.as_millis().try_into().unwrap_or(i32::MAX)
}
