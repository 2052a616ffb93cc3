use core::time::Duration;

use gamewire_machine::{Instant, Wake};

use super::Transition;
use crate::Dialect;
use crate::client::context::Context;
use crate::client::game::GameView;
use crate::client::timing::InputClock;
use crate::session::message::{ClientMessage, Input, ServerMessage};

/// How often an input that does not change is sent: it carries the acknowledgement of snapshots.
const UNCHANGED_EVERY: Duration = Duration::from_millis(100);

/// The game is on.
#[derive(Debug)]
pub(in crate::client) struct InGame {
    game: GameView,
    clock: InputClock,
    /// The input that the server has.
    sent: Input,
    /// When it is to be sent again though it has not changed.
    again_at: Instant,
}

impl InGame {
    pub(super) fn new(game: GameView, tick: i32, now: Instant) -> Self {
        Self { game, clock: InputClock::new(tick, now), sent: Input::default(), again_at: now }
    }

    pub(super) const fn game(&self) -> &GameView {
        &self.game
    }

    pub(super) fn hear(&mut self, word: &ServerMessage<'_>, context: &mut Context<'_>) -> Transition {
        match word {
            ServerMessage::Snapshot(snapshot) => {
                let before = context.desk.receiver.ack();
                self.game.take_snapshot(snapshot, context);
                if before >= 0 && context.desk.receiver.ack() < 0 {
                    // The server builds on what is not there: it is to know at once.
                    self.again_at = context.now();
                }
                Transition::Stay
            }
            ServerMessage::InputTiming { intended_tick, time_left } => {
                self.clock.on_input_timing(
                    *intended_tick,
                    *time_left,
                    context.now(),
                    &mut context.desk.counts.timing,
                );
                Transition::Stay
            }
            _ => self.game.handle_message(word, context),
        }
    }

    /// Sends the input if it is time: once a tick when it changes, now and then when not.
    pub(super) fn handle_timeout(&mut self, context: &mut Context<'_>) {
        let (now, input) = (context.now(), context.desk.input);
        if now < self.again_at && input == self.sent {
            return;
        }
        let timing = &mut context.desk.counts.timing;
        let Some(intended_tick) = self.clock.tick_to_send(now, self.game.tick(), timing) else { return };
        let ack_snapshot = context.desk.receiver.ack();
        let ping_correction = match context.dialect() {
            Dialect::V07 if ack_snapshot >= 0 => millis(now.since(self.game.since())),
            _ => 0,
        };
        let word = ClientMessage::Input { ack_snapshot, intended_tick, input, ping_correction };
        let said = context.send_nonvital(&word);
        if said.is_ok() {
            context.desk.counts.inputs = context.desk.counts.inputs.saturating_add(1);
        }
        context.count_failure(said);
        self.clock.sent(intended_tick, now);
        self.sent = input;
        self.again_at = now + UNCHANGED_EVERY;
    }

    pub(super) fn poll_timeout(&self, now: Instant, input: &Input) -> Wake {
        let next_tick = self.clock.next_tick_at(now);
        let at = if *input == self.sent { next_tick.max(self.again_at) } else { next_tick };
        Wake { at, reason: "input" }
    }
}

fn millis(span: Duration) -> i32 {
    span.as_millis().try_into().unwrap_or(i32::MAX)
}
