//! From the server's initial data to the event [`Event::Entered`].

use super::Agent;
use super::changes::Changes;
use super::event::Event;
use crate::orders;
use crate::packets::ChatMsgReq;
use crate::play::OrderId;
use crate::world::GameState;

/// The orders of an agent before and after its entry.
#[derive(Debug)]
pub(super) struct Entry {
    /// Name of the player to take.
    pub(super) takes: Option<String>,
    /// Starts the game if it has not started.
    pub(super) starts: bool,
    /// The order to which the server has not replied. The agent enters after the last one.
    pub(super) pending: Option<EntryOrder>,
}

/// An order before the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryOrder {
    /// Takes a player.
    Take(OrderId),
    /// Ends the control of the server's AI over the player that was taken.
    ToggleAi(OrderId),
}

impl EntryOrder {
    const fn id(self) -> OrderId {
        match self {
            Self::Take(order) | Self::ToggleAi(order) => order,
        }
    }
}

impl Agent {
    pub(super) fn on_ready(&mut self) {
        self.collect();
        let me = self.world().me().map(|me| me.name.to_string());
        let take = self.entry.takes.take().filter(|name| me.as_deref() != Some(name));
        match take.and_then(|name| orders::take_player(&name).ok()) {
            Some(take) => self.order_before_entry(&take, EntryOrder::Take),
            None => self.enter(),
        }
    }

    /// Handles the end of an order. Returns false if the order is not one of the entry.
    pub(super) fn on_entry_order_finished(&mut self, order: OrderId) -> bool {
        let Some(finished) = self.entry.pending.take_if(|pending| pending.id() == order) else {
            return false;
        };
        self.collect();
        let mine = self.world().me().filter(|me| self.world().is_ai(me.playerno));
        let name = mine.map(|me| me.name.to_string());
        match (finished, name.and_then(|name| orders::toggle_ai(&name).ok())) {
            // The AI continues to control a taken player, unless the setting autotoggle is on.
            (EntryOrder::Take(_), Some(toggle)) => self.order_before_entry(&toggle, EntryOrder::ToggleAi),
            _ => self.enter(),
        }
        true
    }

    fn order_before_entry(&mut self, order: &ChatMsgReq, wait: impl FnOnce(OrderId) -> EntryOrder) {
        match self.player.order(order) {
            Ok(order) => self.entry.pending = Some(wait(order)),
            // The connection is closed.
            Err(_) => self.enter(),
        }
    }

    fn enter(&mut self) {
        self.has_entered = true;
        // Everything up to now is the state at the entry, not a change.
        self.changes = Changes::default();
        (self.began, self.phase) = (None, None);
        self.events.push(Event::Entered);
        if self.entry.starts
            && self.world().state() == GameState::Pregame
            && let Ok(start) = orders::start_game()
        {
            // An event reports the outcome.
            let _ = self.player.order(&start);
        }
    }
}
